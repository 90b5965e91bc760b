import { expect, it, vi } from 'vitest'
import { createSiteOutput } from './site-output.ts'

/** As Docusaurus 3.10 prints it. */
const BROKEN = [
  '[WARNING] Markdown link with URL `./nai.md` in source file "docs/a.md" (3:1) couldn\'t be resolved.',
  'Make sure it references a local Markdown file that exists within the current plugin.',
]

function outputIn(lang: string, more: Partial<Parameters<typeof createSiteOutput>[0]> = {}) {
  const lines: string[] = []
  const env = { SEKISHO_LANG: lang }
  const output = createSiteOutput({ siteDir: '.', env, onLine: (line) => lines.push(line), ...more })
  return { lines, ...output }
}

it.each([
  ['[INFO] Starting the development server...', 'サイトを読み込んでいます', 'Reading the site'],
  [
    '\x1b[32m[SUCCESS]\x1b[39m Docusaurus website is running at: http://127.0.0.1:3000/',
    'http://127.0.0.1:3000/ で表示できます',
    'The site is shown at http://127.0.0.1:3000/',
  ],
  ['client (Rspack 1.7.12) compiled successfully', '保存した内容を反映しました', 'What was saved is shown'],
  ['a remark of a plugin', 'a remark of a plugin', 'a remark of a plugin'],
])('says %j in the language of the terminal', (line, ja, en) => {
  for (const [lang, expected] of [
    ['ja', ja],
    ['en', en],
  ] as const) {
    const output = outputIn(lang)
    output.hear(line)
    expect(output.lines).toEqual([expected])
  }
})

it('tells a mistake once, whichever bundle finds it, and again after the next edit', () => {
  const output = outputIn('ja')
  for (const line of [...BROKEN, ...BROKEN, 'client (Rspack 1.7.12) compiled successfully', ...BROKEN])
    output.hear(line)
  output.end()
  const mistake =
    '[WARNING] docs/a.md:3 のリンク先 ./nai.md がありません。リンクを直すか、そのページを作ってください。'
  expect(output.lines).toEqual([mistake, '保存した内容を反映しました', mistake])
})

it('does not wait for the next message where none may come', async () => {
  const output = outputIn('en', { silenceMs: 1 })
  for (const line of BROKEN) output.hear(line)
  await vi.waitFor(() => expect(output.lines).toEqual([expect.stringContaining('docs/a.md:3')]))
})

it('explains a failure that Docusaurus survives, whole, and hands the explanation on', () => {
  const onFailure = vi.fn()
  const output = outputIn('ja', { onFailure })
  const failure = [
    '[ERROR] The docs sidebar category metadata file "a/_category_.yml" looks invalid!',
    '[ERROR] Site plugin reload failure - Plugin docs@default',
    'Error: Invalid file',
    '  [cause]: YAMLException: bad indentation (2:5)',
    'client (Rspack 1.7.12) compiled successfully',
  ]
  for (const line of failure) output.hear(line)
  const said = expect.stringMatching(/^a\/_category_\.yml:2 .*bad indentation/)
  expect(onFailure.mock.calls).toEqual([[[said]]])
  expect(output.lines[0]).toMatch(/^\[WARNING\] a\/_category_/)
  for (const line of ['[ERROR] of a plugin', 'more of it']) output.hear(line)
  output.end()
  expect(output.lines.slice(2)).toEqual(['[ERROR] of a plugin', 'more of it'])
  const script = ['├─▶   ×   x Unexpected token', '  │     │    ,-[src/a.js:1:9]', '  ╰─▶   × Syntax Error']
  for (const line of script) output.hear(line)
  output.end()
  expect(output.lines.at(-1)).toMatch(/^\[WARNING\] src\/a\.js:1 .*Unexpected token/)
})

it("holds back a failing build's output, where it is explained", () => {
  const held: string[] = []
  const output = outputIn('ja', { held })
  for (const line of ['one', '[ERROR] Error: it failed', 'more']) output.hear(line)
  expect(output.lines).toEqual(['one'])
  expect(held).toEqual(['[ERROR] Error: it failed', 'more'])
})
