import { loadDefaultJapaneseParser } from 'budoux'
import { expect, it } from 'vitest'
import { rehypePhrases } from './phrases.ts'

const parser = loadDefaultJapaneseParser()
const phrasesOf = (sentence: string) => parser.parse(sentence)

const text = (value: string) => ({ type: 'text', value })
const element = (tagName: string, ...children: object[]) => ({ type: 'element', tagName, children })

/** What stands in the tree, with `|` where a line may break. */
function breaks(tree: object): string {
  const {
    type,
    tagName,
    value = '',
    children = [],
  } = tree as {
    type: string
    tagName?: string
    value?: string
    children?: object[]
  }
  if (type === 'text') return value
  return tagName === 'wbr' ? '|' : children.map(breaks).join('')
}

it.each([
  ['h2', '調べて分かったこと、つまずいて学んだこと', '調べて|分かった|こと、|つまずいて|学んだ|こと'],
  ['h1', 'Branch names', 'Branch names'],
  ['p', '調べて分かったこと', '調べて分かったこと'],
])('%s %s', (tag, written, broken) => {
  const tree = element('div', element(tag, text(written)))
  rehypePhrases(phrasesOf)(tree as never)
  expect(breaks(tree)).toBe(broken)
})

it('goes into emphasis, and leaves code as it is', () => {
  const tree = element('h3', element('em', text('環境変数の設定')), element('code', text('環境変数の設定')))
  rehypePhrases(phrasesOf)(element('div', tree) as never)
  expect(breaks(tree)).toBe('環境変数の|設定環境変数の設定')
})
