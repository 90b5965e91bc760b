import { expect, it } from 'vitest'
import { findSlips, markdownForWriters, titleAdmonitions } from './markdown.ts'

it.each([
  [':::note 題名', ':::note[題名]'],
  ['  ::::tip　全角の空白のあと', '  ::::tip[全角の空白のあと]'],
  ['> :::warning 引用の中 ', '> :::warning[引用の中]'],
  [':::note', ':::note'],
  [':::note[題名]', ':::note[題名]'],
  [':::note {#id}', ':::note {#id}'],
  [':::unknown 題名', ':::unknown 題名'],
])('reads %j as %j', (line, expected) => {
  expect(titleAdmonitions(line)).toBe(expected)
})

it('names the line that another encoding made unreadable', () => {
  const page = new TextDecoder().decode(Buffer.from('23200a0a93fa967b8cea82c682cd', 'hex'))
  expect(findSlips('a.md', page)).toEqual([expect.stringMatching(/^a\.md:3 .*UTF-8/)])
  expect(findSlips('a.md', '文字化けは \ufffd になります')).toEqual([])
})

it('leaves code as it is, and goes on behind it', () => {
  const code = ['````md', '```', ':::note 題', '```', ':::tip 題', '````']
  expect(titleAdmonitions([...code, ':::tip 題'].join('\n'))).toBe([...code, ':::tip[題]'].join('\n'))
})

it('finds misspelt admonitions and headings of one id, not in code and not what a site has named itself', () => {
  const page = [
    '## 一 {#a}',
    ':::importnt',
    ':::',
    ':::mine',
    ':::',
    '```',
    ':::nte',
    '## 二 {#a}',
    '```',
    '### 三 {/* #a */}',
  ]
  expect(findSlips('docs/x.md', page.join('\n'))).toEqual([
    'docs/x.md:2 の :::importnt は :::important の書き間違いではありませんか。',
    'docs/x.md:10 の見出しの id「a」は 1 行目でも使われています。どちらかを変えてください。',
  ])
})

it.each([
  [['\ufeff---', 'title: 題', '---'], []],
  [['', '---', 'title: 題', '---'], ['docs/x.md: フロントマターは 1 行目']],
  [['title：題', '---', 'a'], ['docs/x.md: フロントマターは 1 行目']],
  [['---', '', 'title: は題'], []],
  [['一', '：：：note 注'], ['docs/x.md:2 の「：：：note」は記号として']],
  [[':::重要', 'a'], ['docs/x.md:1 の「:::重要」']],
  [['##　見出し', '`##a`', '# 見'], ['docs/x.md:1 の「##」']],
  [
    ['［甲］(./a.md)', '[乙]（/b）', '[丙] (../c)'],
    [':1 の「［甲］', ':2 の「[乙]', ':3 の「[丙]'],
  ],
  [['注（[乙](/b)）、[1] (参考)', '[^1]: #x', '・#甲', '｜甲｜'], []],
  [['｜甲｜', '｜ー｜'], ['docs/x.md:2 の「｜ー｜」']],
  [
    ['次の**「甲」**を', '**甲。**乙', '**`a`**の'],
    [':1 の「「甲」」', ':2 の「甲。」', ':3 の「`a`」'],
  ],
  [['**甲**乙は**丙**、**「丁」**、', '`a**`の ** と「**甲**」', '2**3'], []],
  [
    ['[甲](C:\\a\\b.docx)', '[乙](file:///a)'],
    [':1 のリンク先 C:', ':2 のリンク先 file:'],
  ],
  [[':::note', 'a', ':::'], []],
  [['::::note', ':::tip', ':::', '::::'], []],
  [['- a', '', '  :::note', '  b', '  :::'], []],
  [['> :::note', '> b', '> :::'], []],
  [['```', ':::note', '```'], []],
  [['````', '```', '````', '~~~ js', 'a', '~~~'], []],
  [['a', '```js', 'b'], ['docs/x.md:2 のコードブロックが閉じられていません']],
  [['```', 'a', '```', '> ~~~~', '> ~~~'], ['docs/x.md:4 のコードブロックが']],
  [['a', ':::note', 'b'], ['docs/x.md:2 の :::note が閉じられていません']],
  [['::::note', ':::tip', '::::'], []],
  [[':::note', ':::tip', ':::', ':::'], ['docs/x.md:4 の「:::」に対応する始まりがありません']],
])('says of %j which blocks are open', (lines, expected) => {
  expect(findSlips('docs/x.md', lines.join('\n'))).toEqual(
    expected.map((text) => expect.stringContaining(text)),
  )
})

it('says each time that front matter is no YAML, although its parser says it once', async () => {
  const { DEFAULT_PARSE_FRONT_MATTER: defaultParseFrontMatter } = await import('@docusaurus/utils')
  const { parseFrontMatter } = markdownForWriters({ required: ['title'] })
  const page = { filePath: 'a.md', fileContent: '---\ntitle: [[: x\n---\n\n本文\n', defaultParseFrontMatter }
  for (const _time of [1, 2, 3])
    expect(await parseFrontMatter(page)).toMatchObject({
      problem: expect.stringContaining('YAML として読めません'),
    })
})
