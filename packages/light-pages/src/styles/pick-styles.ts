import type { StyleNode } from './style-tree.ts'

type Pick = (needs: readonly string[]) => boolean

/** A rule of the sheet with the selectors that a page has. */
interface Picked {
  selectors: string
  declarations: (StyleNode & { kind: 'rule' })['declarations']
}

/** Writes the rules whose selectors a page has, with no animation nobody runs and no custom property nobody reads. */
export function writeStyles(nodes: readonly StyleNode[], matches: Pick): string {
  const picked = new Map<StyleNode, Picked>()
  pickRules(nodes, matches, picked)
  const used = findUsed(nodes, [...picked.values()])
  return write(nodes, picked, used)
}

function pickRules(nodes: readonly StyleNode[], matches: Pick, picked: Map<StyleNode, Picked>): void {
  for (const node of nodes) {
    if (node.kind === 'group') pickRules(node.nodes, matches, picked)
    if (node.kind !== 'rule') continue
    const selectors = node.selectors.filter(({ needs }) => matches(needs)).map(({ text }) => text)
    if (selectors.length > 0)
      picked.set(node, { selectors: selectors.join(), declarations: node.declarations })
  }
}

/** Names of animations that run and of custom properties that are read, by each other too. */
interface Used {
  animations: ReadonlySet<string>
  properties: ReadonlySet<string>
}

function findUsed(nodes: readonly StyleNode[], rules: readonly Picked[]): Used {
  const declarations = rules.flatMap((rule) => rule.declarations)
  const animations = new Set(declarations.flatMap(({ animates }) => animates))
  const texts = listTexts(nodes).filter(({ animation }) => animation === null || animations.has(animation))
  const definitions = new Map<string, string[]>()
  const properties = new Set(texts.flatMap(({ reads }) => reads))
  for (const { defines, reads } of declarations) {
    if (defines === null) for (const name of reads) properties.add(name)
    else definitions.set(defines, [...(definitions.get(defines) ?? []), ...reads])
  }
  // A set visits what is added while it is walked.
  for (const name of properties) for (const read of definitions.get(name) ?? []) properties.add(read)
  return { animations, properties }
}

function listTexts(nodes: readonly StyleNode[]): (StyleNode & { kind: 'text' })[] {
  return nodes.flatMap((node) => {
    if (node.kind === 'group') return listTexts(node.nodes)
    return node.kind === 'text' ? [node] : []
  })
}

function write(nodes: readonly StyleNode[], picked: ReadonlyMap<StyleNode, Picked>, used: Used): string {
  return nodes.map((node) => writeNode(node, picked, used)).join('')
}

function writeNode(node: StyleNode, picked: ReadonlyMap<StyleNode, Picked>, used: Used): string {
  if (node.kind === 'text')
    return node.animation === null || used.animations.has(node.animation) ? node.text : ''
  if (node.kind === 'group') {
    const inside = write(node.nodes, picked, used)
    return inside === '' ? '' : `${node.head}{${inside}}`
  }
  const rule = picked.get(node)
  const body = (rule?.declarations ?? [])
    .filter(({ defines }) => defines === null || used.properties.has(defines))
    .map(({ text }) => text)
  return rule === undefined || body.length === 0 ? '' : `${rule.selectors}{${body.join(';')}}`
}
