import type { AtRule, ChildNode, Declaration, Rule } from 'postcss'
import { readSelectorTokens } from './page-tokens.ts'

/** A style sheet taken apart once, so that picking from it is a matter of looking and joining. */
export type StyleNode = StyleRule | StyleGroup | StyleText

interface StyleRule {
  kind: 'rule'
  selectors: { text: string; needs: readonly string[] }[]
  declarations: StyleDeclaration[]
}

/** `@media`, `@supports`, `@layer` with rules inside. */
interface StyleGroup {
  kind: 'group'
  head: string
  nodes: StyleNode[]
}

/** An at-rule that is there whole or not at all. `animation` is its name when it is one. */
interface StyleText {
  kind: 'text'
  text: string
  animation: string | null
  reads: readonly string[]
}

interface StyleDeclaration {
  text: string
  /** Name of the custom property it defines. */
  defines: string | null
  /** Custom properties it reads. */
  reads: readonly string[]
  /** Words of its value when it may name animations. */
  animates: readonly string[]
}

const WHOLE = /keyframes$|^font-face$/

/** Takes the nodes of a sheet apart. Comments and rules for print are left out. */
export function readStyleNodes(nodes: readonly ChildNode[]): StyleNode[] {
  return nodes.flatMap((node) => {
    if (node.type === 'rule') return [readRule(node)]
    return node.type === 'atrule' ? readAtRule(node) : []
  })
}

/** Every token that some selector needs. */
export function listNeeds(nodes: readonly StyleNode[]): string[] {
  return nodes.flatMap((node) => {
    if (node.kind === 'group') return listNeeds(node.nodes)
    return node.kind === 'rule' ? node.selectors.flatMap(({ needs }) => needs) : []
  })
}

function readRule({ selectors, nodes }: Rule): StyleRule {
  return {
    kind: 'rule',
    selectors: selectors.map((text) => ({ text, needs: readSelectorTokens(text) })),
    declarations: nodes.flatMap((node) => (node.type === 'decl' ? [readDeclaration(node)] : [])),
  }
}

function readAtRule(rule: AtRule): StyleNode[] {
  const { name, params, nodes } = rule
  if (name === 'media' && /\bprint\b/.test(params)) return []
  if (nodes !== undefined && !WHOLE.test(name)) {
    return [
      { kind: 'group', head: `@${name}${params === '' ? '' : ` ${params}`}`, nodes: readStyleNodes(nodes) },
    ]
  }
  const text = nodes === undefined ? `${rule.toString()};` : rule.toString()
  return [
    { kind: 'text', text, animation: name.endsWith('keyframes') ? params : null, reads: readVariables(text) },
  ]
}

function readDeclaration(declaration: Declaration): StyleDeclaration {
  const { prop, value } = declaration
  return {
    text: declaration.toString(),
    defines: prop.startsWith('--') ? prop : null,
    reads: readVariables(value),
    animates: prop.includes('animation') ? value.split(/[\s,]+/) : [],
  }
}

function readVariables(text: string): string[] {
  return [...text.matchAll(/var\(\s*(--[\w-]+)/g)].map(([, name = '']) => name)
}
