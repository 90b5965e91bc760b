/** As much of hast and of MDX's nodes as is needed here. */
type Node = {
  readonly type: string
  readonly tagName?: string
  readonly value?: string
  children?: Node[]
  readonly [key: string]: unknown
}

const HEADING = /^h[1-6]$/
const JAPANESE = /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/u

/**
 * A rehype plugin: headings may break between phrases and nowhere else (「つ／まずいて」). Chrome does so by itself
 * (`word-break: auto-phrase`); for the others the places are found while building.
 * @param phrasesOf splits a sentence, as the parser of the package `budoux` does, which the site installs
 */
export function rehypePhrases(phrasesOf: (sentence: string) => readonly string[]): (tree: Node) => void {
  const split = (node: Node): Node[] => {
    if (node.type === 'text' && node.value !== undefined && JAPANESE.test(node.value)) {
      return phrasesOf(node.value).flatMap((value, at) => [
        ...(at === 0 ? [] : [breakHere()]),
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
  }
}

const breakHere = (): Node => ({ type: 'element', tagName: 'wbr', properties: {}, children: [] })
