/** As much of hast and of MDX's nodes as is needed here. */
type Node = {
  readonly type: string
  readonly tagName?: string
  readonly value?: string
  children?: Node[]
  readonly [key: string]: unknown
}

type PhrasesOf = (sentence: string) => readonly string[]

const HEADING = /^h[1-6]$/
/** Elements of running text; an entry of a list may hold paragraphs, which then count instead. Cells are too narrow. */
const TEXT = /^(?:p|li|figcaption)$/
const INLINE = /^(?:a|abbr|b|code|em|i|input|kbd|mark|q|s|small|span|strong|sub|sup|var)$/
const JAPANESE = /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/u
/** The last line of a text has at least so many characters, without punctuation. */
const MIN_END_CHARS = 5
/** An end wider than this many Japanese characters would leave the line before it too short. */
const MAX_END_WIDTH = 8
/** A text as short as this stands on one line of a phone. */
const ONE_LINE_CHARS = 15

/**
 * A rehype plugin: breaks headings only between phrases (「つ／まずいて」) and keeps the end of a text together (「探して読／ます。」). Chrome does so itself
 * (`word-break: auto-phrase`).
 * @param phrasesOf splits a sentence, like the parser of `budoux`, which the site installs
 */
export function rehypePhrases(phrasesOf: PhrasesOf): (tree: Node) => void {
  const split = (node: Node): Node[] => {
    if (node.type === 'text' && node.value !== undefined && JAPANESE.test(node.value)) {
      return phrasesOf(node.value).flatMap((value, at) => [
        ...(at === 0 ? [] : [element('wbr')]),
        { type: 'text', value },
      ])
    }
    if (node.tagName !== 'code') node.children = node.children?.flatMap(split) ?? []
    return [node]
  }
  return function visit(node) {
    for (const child of node.children ?? []) {
      if (HEADING.test(child.tagName ?? '')) child.children = child.children?.flatMap(split) ?? []
      else visit(child)
    }
    if (TEXT.test(node.tagName ?? '')) node.children = keepEnd(node.children ?? [], phrasesOf)
  }
}

/** Keeps the last phrases of a text on one line, with what stands inside it: 「`npm start` です。」 */
function keepEnd(children: readonly Node[], phrasesOf: PhrasesOf): Node[] {
  const end = children.findIndex((child) => child.type !== 'text' && !INLINE.test(child.tagName ?? ''))
  const run = end === -1 ? children : children.slice(0, end)
  if (lengthOf(run) <= ONE_LINE_CHARS || !JAPANESE.test(run.map(textOf).join(''))) return [...children]
  const kept: Node[] = []
  const before = [...run]
  while (before.length > 0 && lengthOf(kept) < MIN_END_CHARS) {
    const last = before.pop()
    if (last === undefined) break
    if (last.type !== 'text') {
      kept.unshift(last)
      continue
    }
    const phrases = [...phrasesOf(last.value ?? '')]
    while (phrases.length > 0 && lengthOf(kept) < MIN_END_CHARS)
      kept.unshift({ type: 'text', value: phrases.pop() ?? '' })
    if (phrases.length > 0) before.push({ type: 'text', value: phrases.join('') })
  }
  const isAll = before.every((node) => textOf(node).trim() === '')
  if (isAll || widthOf(kept) > MAX_END_WIDTH) return [...children]
  return [...before, element('span', joinTexts(kept)), ...children.slice(run.length)]
}

/** One text node for texts beside each other. */
function joinTexts(nodes: readonly Node[]): Node[] {
  const joined: Node[] = []
  for (const node of nodes) {
    const last = joined.at(-1)
    if (node.type === 'text' && last?.type === 'text')
      joined.splice(-1, 1, { type: 'text', value: `${last.value}${node.value}` })
    else joined.push(node)
  }
  return joined
}

const textOf = (node: Node): string => node.value ?? (node.children ?? []).map(textOf).join('')
const lengthOf = (nodes: readonly Node[]): number =>
  nodes
    .map(textOf)
    .join('')
    .replace(/[\s\p{P}]/gu, '').length

/** In Japanese characters: others are about half as wide. */
const widthOf = (nodes: readonly Node[]): number =>
  lengthOf(nodes) -
  nodes
    .map(textOf)
    .join('')
    .replace(/[^!-~]|\p{P}/gu, '').length /
    2

function element(tagName: 'span' | 'wbr', children: Node[] = []): Node {
  const properties = tagName === 'span' ? { className: ['phrase'] } : {}
  return { type: 'element', tagName, properties, children }
}
