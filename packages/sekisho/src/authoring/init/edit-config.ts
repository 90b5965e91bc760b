import { type ParserPlugin, parse } from '@babel/parser'
import type { ArrayExpression, Node, ObjectExpression } from '@babel/types'

/** Theme named in the config. */
export const THEME = 'sekisho/docusaurus'

/** The theme as {@link addTheme} writes it: in either quotes, with tools or without. */
const ITEM = /(?:\[(['"])sekisho\/docusaurus\1, \{ tools: \{[^{}]*\} \}\]|(['"])sekisho\/docusaurus\2)/.source
const WRITTEN = [`\\s*themes: \\[${ITEM}\\],`, `, ${ITEM}(?=\\s*[,\\]])`, `(?<=\\[)${ITEM}(?=\\])`]

/**
 * Adds the theme to a site's config, which is otherwise left as its author wrote it; null when it cannot be seen where.
 * @param tools what of `tools` is switched on
 */
export function addTheme(source: string, fileName: string, tools: readonly string[] = []): string | null {
  const config = findConfig(source, fileName)
  if (config === null) return null
  const item = writeItem(quoteOf(source), tools)
  const themes = config.properties.find((property) => isNamed(property, 'themes'))
  if (themes === undefined) return insertProperty(source, config, `themes: [${item}],`)
  const list = themes.type === 'ObjectProperty' ? unwrap(themes.value) : null
  return list?.type === 'ArrayExpression' ? insertItem(source, list, item) : null
}

function writeItem(quote: string, tools: readonly string[]): string {
  const name = quote + THEME + quote
  if (tools.length === 0) return name
  return `[${name}, { tools: { ${tools.map((tool) => `${tool}: true`).join(', ')} } }]`
}

/** The quotes that the file has most of. */
function quoteOf(source: string): string {
  const quotes = source.match(/'[^'\n]*'|"[^"\n]*"/g) ?? []
  const double = quotes.filter((text) => text.startsWith('"')).length
  return double * 2 > quotes.length ? '"' : "'"
}

/** Takes the theme out again, exactly as {@link addTheme} put it in; null when it is not there in that form. */
export function removeTheme(source: string): string | null {
  for (const written of WRITTEN) {
    const without = source.replace(new RegExp(written), '')
    if (without !== source) return without
  }
  return null
}

function insertProperty(source: string, config: ObjectExpression, property: string): string {
  const start = Number(config.start) + 1
  const gap = /^\s*/.exec(source.slice(start))?.[0] ?? ''
  const isOnLines = gap.includes('\n')
  const indent = isOnLines ? gap.slice(gap.lastIndexOf('\n')) : ' '
  return insert(source, start, indent + property)
}

function insertItem(source: string, list: ArrayExpression, item: string): string {
  const last = list.elements.at(-1)
  if (last === undefined || last === null) return insert(source, Number(list.start) + 1, item)
  return insert(source, Number(last.end), `, ${item}`)
}

const insert = (source: string, at: number, text: string): string =>
  source.slice(0, at) + text + source.slice(at)

function findConfig(source: string, fileName: string): ObjectExpression | null {
  const plugins: ParserPlugin[] = /\.[mc]?ts$/.test(fileName) ? ['typescript'] : ['jsx']
  const { program } = parse(source, { sourceType: 'unambiguous', plugins, errorRecovery: true })
  const declared = new Map<string, Node>()
  let exported: Node | null = null
  walk(program, (node) => {
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init)
      declared.set(node.id.name, node.init)
    else if (node.type === 'FunctionDeclaration' && node.id) declared.set(node.id.name, node)
    else if (node.type === 'ExportDefaultDeclaration') exported = node.declaration
    else if (node.type === 'AssignmentExpression' && isModuleExports(node.left)) exported = node.right
  })
  return exported === null ? null : findObject(exported, declared)
}

/** Follows names, functions and calls (`withTheme(config)`) to the object they stand for. */
function findObject(expression: Node, declared: Map<string, Node>): ObjectExpression | null {
  const node = unwrap(expression)
  switch (node.type) {
    case 'ObjectExpression':
      return node
    case 'Identifier': {
      const value = declared.get(node.name)
      declared.delete(node.name) // a name that stands for itself ends here
      return value === undefined ? null : findObject(value, declared)
    }
    case 'CallExpression':
      return firstObject(node.arguments, declared) ?? findObject(node.callee, declared)
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'FunctionDeclaration': {
      if (node.body.type !== 'BlockStatement') return findObject(node.body, declared)
      const returned = node.body.body.flatMap((line) =>
        line.type === 'ReturnStatement' && line.argument ? [line.argument] : [],
      )
      return firstObject(returned, declared)
    }
    default:
      return null
  }
}

function firstObject(nodes: readonly Node[], declared: Map<string, Node>): ObjectExpression | null {
  for (const node of nodes) {
    const found = findObject(node, declared)
    if (found !== null) return found
  }
  return null
}

/** An expression without the types around it. */
function unwrap(node: Node): Node {
  const isTyped = node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression'
  return isTyped || node.type === 'AwaitExpression' ? unwrap(isTyped ? node.expression : node.argument) : node
}

const isNamed = (property: Node, name: string): boolean =>
  property.type === 'ObjectProperty' &&
  ((property.key.type === 'Identifier' && property.key.name === name) ||
    (property.key.type === 'StringLiteral' && property.key.value === name))

const isModuleExports = (node: Node): boolean =>
  node.type === 'MemberExpression' &&
  node.object.type === 'Identifier' &&
  node.object.name === 'module' &&
  node.property.type === 'Identifier' &&
  node.property.name === 'exports'

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node)
  for (const value of Object.values(node).flat()) if (isNode(value)) walk(value, visit)
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
