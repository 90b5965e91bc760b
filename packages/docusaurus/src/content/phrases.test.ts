import { loadDefaultJapaneseParser } from 'budoux'
import { expect, it } from 'vitest'
import { rehypePhrases } from './phrases.ts'

const parser = loadDefaultJapaneseParser()
const phrasesOf = (sentence: string) => parser.parse(sentence)

const text = (value: string) => ({ type: 'text', value })
const element = (tagName: string, ...children: object[]) => ({ type: 'element', tagName, children })

/** Text of the tree, with `|` where a line may break. */
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
  const inside = children.map(breaks).join('')
  return tagName === 'wbr' ? '|' : tagName === 'span' ? `[${inside}]` : inside
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

it.each([
  ['左のメニューから読みたいページを探して読めます。', '左のメニューから読みたいページを[探して読めます。]'],
  ['短い文です。', '短い文です。'],
  ['English only, of some length.', 'English only, of some length.'],
])('the end of a text stays together: %s', (written, kept) => {
  const tree = element('div', element('p', text(written)))
  rehypePhrases(phrasesOf)(tree as never)
  expect(breaks(tree)).toBe(kept)
})

it('keeps what stands inside the end with it, and lists of an entry out of it', () => {
  const inner = element('ul', element('li', text('中の項目は、はじめに起動してから読みます。')))
  const entry = element(
    'li',
    text('起動するときに使うのは'),
    element('code', text('npm start')),
    text('です。'),
    inner,
  )
  const tree = element('ul', entry)
  rehypePhrases(phrasesOf)(tree as never)
  expect(breaks(tree)).toBe(
    '起動するときに使うのは[npm startです。]中の項目は、はじめに起動してから読みます。',
  )
})

it('keeps the end of an entry behind a check box, and half-wide characters as what they are', () => {
  const entry = (...children: object[]) =>
    element('li', { type: 'element', tagName: 'input', children: [] }, ...children)
  const tree = element(
    'ul',
    entry(text(' ログイン後、もとの URL の、もとの見出しに戻る')),
    entry(
      text(' フロントマターに '),
      element('code', text('title')),
      text(' と '),
      element('code', text('description')),
      text(' を書いた'),
    ),
  )
  rehypePhrases(phrasesOf)(tree as never)
  expect(tree.children.map(breaks)).toEqual([
    ' ログイン後、もとの URL の、もとの[見出しに戻る]',
    ' フロントマターに title と description を書いた',
  ])
})
