import { expect, it } from 'vitest'
import { diffPages, readableText } from './page-diff.ts'

const written = (before: string, after: string, lang = 'ja') =>
  diffPages(before, after, lang)?.map((line) =>
    line.kind === 'gap'
      ? '…'
      : `${line.kind}: ${line.parts.map(({ kind, text }) => (kind === 'same' ? text : kind === 'added' ? `{+${text}+}` : `[-${text}-]`)).join('')}`,
  )

it('compares Japanese by word, English by word and code by line', () => {
  expect(written('申請は三日以内に出します。', '申請は五日以内に出します。')).toEqual([
    'text: 申請は[-三日-]{+五日+}以内に出します。',
  ])
  expect(written('Ask the team lead.', 'Ask the security lead.', 'en')).toEqual([
    'text: Ask the [-team-]{+security+} lead.',
  ])
  expect(written('```\nnpm run old\n```', '```\nnpm run new\n```')).toEqual([
    'code: [-npm run old-]',
    'code: {+npm run new+}',
  ])
})

it('shows a line around a change and a gap for the rest', () => {
  const lines = ['一', '二', '三', '四', '五', '六']
  expect(written(lines.join('\n\n'), [...lines, '七'].join('\n\n'))).toEqual([
    '…',
    'text: 六',
    'text: {+七+}',
  ])
})

it.each([
  ['[図](/img/a.0a1b2c3d.png) と ![](/b)', '図 と '],
  ['## 手順 *重要*', '手順 重要'],
  ['> **注意**: ~~旧~~ _新_ snake_case', '注意: 旧 新 snake_case'],
  ['  - 項目 `src/**/*_a.ts` と ``a`b``', '  ・項目 src/**/*_a.ts と a`b'],
  ['2 \\* 3 \\_ \\[x\\] \\`y', '2 * 3 _ [x] `y'],
  ['| **名前** | 値 |\n| --- | :-: |\n| a | b |', '名前 | 値\na | b'],
  ['```sh\n# 注釈 **x**\n```\n本文', '# 注釈 **x**\n本文'],
])('shows the text of %s', (markdown, text) => {
  expect(readableText(markdown)).toBe(text)
})

it('gives up on texts that differ too much, and bounds long ones', () => {
  const many = (word: string) => Array.from({ length: 3_000 }, (_, at) => `${word} ${at}`).join('\n')
  expect(diffPages(many('前'), many('後'), 'ja')).toBeNull()
  const [line] = diffPages('あ'.repeat(9_000), 'い'.repeat(9_000), 'ja') ?? []
  expect(line).toMatchObject({ kind: 'text', parts: [{ kind: 'removed' }, { kind: 'added' }] })
})

it('compares a text of as many lines as fit into the longest one', () => {
  const lines = '甲\n'.repeat(65_000)
  expect(written(lines, `${lines}乙`)).toEqual(['…', 'text: 甲', 'text: {+乙+}'])
})
