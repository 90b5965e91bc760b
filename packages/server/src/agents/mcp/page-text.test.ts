import { expect, it } from 'vitest'
import { countTokens, readPageText, takePart, visibleText } from './page-text.ts'

const PAGE = readPageText(
  '---\ntitle: "手引き"\nupdated: "2026-11-20"\n---\n\n# 手引き\n\n前書き\n\n## 準備 {#prepare}\n\n手形を持つ\n\n```sh\n# no heading\n```\n\n### 道具\n\n筆\n\n## 手順\n\n一\n\n## 手順\n\n二\n',
)

it('a page is read with what it says of itself and with its headings, those in code left out', () => {
  expect(PAGE.facts).toEqual({ title: '手引き', updated: '2026-11-20' })
  expect(PAGE.sections.map(({ anchor, level }) => [anchor, level])).toEqual([
    ['手引き', 1],
    ['prepare', 2],
    ['道具', 3],
    ['手順', 2],
    ['手順-1', 2],
  ])
})

it.each([
  ['nothing', '', '# 手引き', '二'],
  ['an anchor, with what is below it', 'prepare', '## 準備', '筆'],
  ['a heading', '準備', '## 準備', '筆'],
  ['a heading as Markdown has it', '### 道具', '### 道具', '筆'],
  ['the second of two headings', '手順-1', '## 手順', '二'],
  ['what is no heading', 'nonsense', '# 手引き', '二'],
])('the part that %s names', (_what, section, first, last) => {
  const { text, next } = takePart(PAGE, section, 6_000)
  expect([text.startsWith(first), text.endsWith(last), next]).toEqual([true, true, null])
})

it('a part that is too long is cut at a heading, and says how to go on, to the end and with nothing lost', () => {
  const parts: string[] = []
  let section = ''
  for (let at = 0; at < 20; at += 1) {
    const { text, next } = takePart(PAGE, section, 25)
    expect(countTokens(text)).toBeLessThanOrEqual(25)
    parts.push(text)
    if (next === null) break
    section = next
  }
  expect(parts.length).toBeGreaterThan(2)
  expect(parts.slice(1).some((part) => part.startsWith('#'))).toBe(true)
  expect(parts.join('').replace(/\s/g, '')).toBe(PAGE.text.replace(/\s/g, ''))
})

it('a heading is read without the addresses of its links, and with the id that it names', () => {
  const heading = '## [道具](/a_(b)) と [`筆`](/c) {#tools}'
  expect(readPageText(heading).sections).toMatchObject([{ heading: '道具 と 筆', anchor: 'tools', level: 2 }])
})

it('one word that is too long is cut all the same', () => {
  const { text, next } = takePart(readPageText('あ'.repeat(100)), '', 10)
  expect([text.length, next]).toEqual([10, '@10'])
})

it.each([
  ['tags', 'a\u{e0041}\u{e007f}b', 'ab'],
  ['controls of direction and zero widths', 'a\u202e\u2066\u200b\ufeff\u2062b', 'ab'],
  ['a row of selectors', 'あ\ufe00\ufe01\u{e0100}\u{e0101}い', 'あ\ufe00い'],
])('%s are not told, which nobody sees', (_what, text, visible) => expect(visibleText(text)).toBe(visible))

it.each(['葛\u{e0100}飾区', '❤\ufe0f', '👩\u200d💻', 'می\u200cخواهم', '日本語 English\t改行\n'])(
  '%s is told as it is written',
  (text) => expect(visibleText(text)).toBe(text),
)
