import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeFiles } from '@sekisho/release/testing'
import { expect, it } from 'vitest'
import { explainFailure } from './explain-failure.ts'

const siteDir = mkdtempSync(join(tmpdir(), 'sekisho-explain-'))

function page(file: string, permalink: string, text: string): void {
  const note = join(
    '.docusaurus/docusaurus-plugin-content-docs/default',
    `site-${file.replaceAll(/\W/g, '-')}.json`,
  )
  writeFiles(siteDir, { [file]: text, [note]: JSON.stringify({ permalink, source: `@site/${file}` }) })
}

page('docs/a.md', '/docs/a', '# A\n\n[b](/docs/none)\n\n[c](../other/gone)\n')
page('docs/b.md', '/docs/a', '# B\n')

/** Explains output of Docusaurus 3.10, without the stack. */
const explain = (printed: string) => explainFailure(siteDir, printed.split('\n')).map((text) => text.in('ja'))

it('names file, line and target of each broken link', () => {
  const printed = `
[ERROR] Error: Unable to build website for locale ja.
  [cause]: Error: Docusaurus found broken links!

  Exhaustive list of all broken links found:
  - Broken link on source page path = /docs/a:
     -> linking to /docs/none
     -> linking to ../other/gone (resolved as: /other/gone)
  - Broken link on source page path = /docs/generated:
     -> linking to /docs/none

}`
  const [first, second, third, ...others] = explain(printed)
  expect(first).toMatch(/^docs\/[ab]\.md(?::3)? のリンク先 \/docs\/none がありません。/)
  expect(second).toContain('のリンク先 ../other/gone がありません。')
  expect(third).toMatch(/^\/docs\/generated のリンク先/)
  expect(others).toEqual([])
})

it('names file and line of a broken anchor, however the link was written', () => {
  page('docs/c.md', '/docs/c', '# C\n\n[a](./a.md#gone)\n\n[b](./b.md#見出し)\n')
  const printed = `[WARNING] Docusaurus found broken anchors!
- Broken anchor on source page path = /docs/c:
   -> linking to /docs/a#gone
   -> linking to /docs/b#%E8%A6%8B%E5%87%BA%E3%81%97
`
  expect(explain(printed)).toEqual([
    'docs/c.md:3 のリンク先 /docs/a#gone に、# の後の見出しがありません。リンクか、見出しの id を直してください。',
    'docs/c.md:5 のリンク先 /docs/b#見出し に、# の後の見出しがありません。リンクか、見出しの id を直してください。',
  ])
})

it('says of a missing page and heading what became of them', () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.test', ...args], {
      cwd: siteDir,
      stdio: 'ignore',
    })
  const commit = () =>
    [
      ['add', 'docs'],
      ['commit', '-m', 'x'],
    ].map((args) => git(...args))
  git('init', '-q')
  page('docs/old.md', '/docs/old', `# Old\n\n${'long enough a text '.repeat(9)}\n\n## Set up\n`)
  commit()
  git('mv', 'docs/old.md', 'docs/new.md')
  page('docs/new.md', '/docs/new', `# Old\n\n${'long enough a text '.repeat(9)}\n\n## First steps\n`)
  commit()
  const printed = `[WARNING] Docusaurus found broken links!
- Broken link on source page path = /docs/b:
   -> linking to /docs/old
- Broken anchor on source page path = /docs/b:
   -> linking to ./new#set-up (resolved as: /docs/new#set-up)
`
  const [link, anchor] = explain(printed)
  expect(link).toMatch(/ に移動し、現在は \/docs\/new です。$/)
  expect(anchor).toMatch(/ に変わり、現在は #first-steps です。$/)
})

it('names the files of a duplicate route', () => {
  const printed = `  [cause]: Error: Duplicate routes found!
  - Attempting to create page at /docs/a, but a page already exists at this route.`
  expect(explain(printed)).toEqual([expect.stringContaining('（docs/a.md、docs/b.md）')])
})

it('names the files of a duplicate id', () => {
  const printed = `  [cause]: Error: The docs plugin found docs sharing the same id:

  - \`zz\` found in 2 docs:
    - docs/zx.md
    - docs/zz.md

  Docs should have distinct ids.`
  expect(explain(printed)).toEqual([
    expect.stringMatching(/^id「zz」のページが 2 つあります（docs\/zx\.md、docs\/zz\.md）/),
  ])
})

it('names file and field of front matter that Docusaurus refuses', () => {
  const printed = `  [cause]: Error: Can't process doc metadata for doc at path path=${siteDir}/docs/a.md in version name=current
    [cause]: [Error [ValidationError]: "tags" does not look like a valid front matter Yaml array.] {`
  expect(explain(printed)).toEqual([
    'docs/a.md: フロントマターを直してください。\n  - tags はリスト（例: [a, b]）にしてください。',
  ])
})

it('names a file from the site’s folder, and the line of the faulty name', () => {
  page('docs/c/_category_.json', '/none', '{ "label": "区分",\n  "positon": 2 }')
  page('docs/d.md', '/docs/d', '---\ntitle: D\nsidebar_position: a\n---\n')
  const category =
    '[ERROR] The docs sidebar category metadata file "c/_category_.json" looks invalid!\n[ERROR] Sidebars file at "x" failed\n  [cause]: [Error [ValidationError]: "positon" is not allowed] {\n'
  const document = `Can't process doc metadata for doc at path path=${siteDir}/docs/d.md\n [cause]: [Error [ValidationError]: "sidebar_position" must be a number] {`
  expect([...explain(category), ...explain(document)]).toEqual([
    'docs/c/_category_.json:2 を読めません: positon という項目はありません。つづりを確認してください。',
    expect.stringMatching(/^docs\/d\.md:3: フロントマター/),
  ])
})

it.each(["Can't process doc metadata for doc at path", 'Processing of blog source file'])(
  'names file and line of front matter that is no YAML: %s',
  (doing) => {
    const printed = `  [cause]: Error: ${doing} path=${siteDir}/docs/a.md failed.\n      [cause]: YAMLException: bad indentation (7:1)\n`
    expect(explain(printed)).toEqual([
      expect.stringMatching(/^docs\/a\.md:7: フロントマターを YAML として読めません（bad indentation）/),
    ])
  },
)

it.each([
  [
    '[cause]: Error: Invalid sidebar file at "sidebars.js".\n    These sidebar document ids do not exist:\n    - giude\n    \n    Available document ids are:\n    - guide\n    - intro\n',
    'sidebars.js: id が giude の文書がありません。使える id: guide, intro',
  ],
  [
    '[ERROR] The docs sidebar category metadata file "a/_category_.json" looks invalid!\n  [ERROR] Sidebars file at "/x/sidebars.js" failed to be loaded.\n    [cause]: [Error [ValidationError]: "label" must be a string] {\n        message: \'"label" must be a string\',',
    'a/_category_.json を読めません: label は文字列にしてください。',
  ],
  [
    '[ERROR] Sidebars file at "SITE/sidebars.js" failed to be loaded.\n      [1] "label" is required\n        details: [\n          message: \'"label" is required\',\n',
    'sidebars.js を直してください: label がありません。',
  ],
  [
    'Error: The file at "blog/authors.yml" looks invalid (not Yaml nor JSON).\n    ... 7 lines matching cause stack trace ...\n      [cause]: YAMLException: bad stream (4:1)\n',
    'blog/authors.yml:4 を YAML として読めません（bad stream (4:1)）。',
  ],
  [
    'Error: Processing of blog source file path=a.md failed.\n ... 15 lines\n   [cause]: Error: Blog author with key "a9" not found in the authors map file.\n   Valid author keys are:\n   - a1\n   - a2\n',
    'a.md: 著者「a9」がいません。使える著者: a1, a2。',
  ],
  [
    '[Error [ValidationError]: "a1" must contain at least one of [name, imageURL]] {',
    '著者「a1」に名前がありません',
  ],
  [
    'Error: Some blog authors used in "a.md" are not defined in "authors.yml":',
    'a.md: 著者が authors.yml にありません。',
  ],
  [
    'Error: Tags [x, y] used in docs/a.md are not defined in tags.yml',
    'docs/a.md: タグ x, y が tags.yml にありません。',
  ],
  [
    'Error: These field(s) ("titel",) are not recognized in docusaurus.config.js.\n',
    'docusaurus.config.js に Docusaurus の知らない項目があります: "titel"。',
  ],
  [
    '[ERROR] Error: "onBrokenLinks" must be one of [log]',
    'docusaurus.config の項目を直してください: onBrokenLinks は log のどれか',
  ],
  [
    '[ERROR] Error: The url is not supposed to contain a sub-path like "/x". Please use the baseUrl field',
    '直してください: url にパスは書けません。/x/ は baseUrl に',
  ],
  [
    '[ERROR] Error: The path to the sidebar file does not exist at "sb.js".',
    'の sidebarPath にある sb.js が',
  ],
  ['[ERROR] Error: "a.test" does not look like a valid URL. Make sure', '「a.test」は https://'],
  [
    'Error: Docusaurus could not load module at path "SITE/docusaurus.config.js"\n   ... 4 lines\n [cause]: Error: ParseError: Unexpected token, expected ","\n  SITE/docusaurus.config.js:3:18',
    'docusaurus.config.js:3 を読めません（Unexpected token, expected ","）。',
  ],
  [
    '├─▶   ×   x Expected <eof>, got {\n   │     │    ,-[SITE/src/pages/p.js:2:1]\n',
    'src/pages/p.js:2 を読めません（Expected <eof>, got {）。',
  ],
  [
    '[cause]: [Error [ValidationError]: "sidebarPth" is not allowed] {',
    'オプションを直してください: sidebarPth という項目はありません。',
  ],
  [
    'Error: Docusaurus was unable to resolve the "x-theme" theme. Make sure',
    '「x-theme」がインストールされていません。',
  ],
  [
    'Error: Bad navbar item type docSideber',
    '「docSideber」はナビゲーションバーの項目の種類ではありません。',
  ],
])('explains what is wrong in a file that is no page: %s', (printed, told) => {
  expect(explain(`${printed.replaceAll('SITE', siteDir)}\n`)).toEqual([expect.stringContaining(told)])
})

it('translates what the schema of a file asks for', () => {
  const refused = (reason: string) =>
    `Can't process doc metadata for doc at path path=${siteDir}/docs/b.md\n [cause]: [Error [ValidationError]: ${reason}] {`
  const told = (reason: string) => explain(refused(reason))[0]?.split('\n  - ')[1]
  expect(told('"draft" must be a boolean')).toBe('draft は true か false にしてください。')
  expect(told('"value" must be of type object')).toMatch(/^「キー: 値」の形で/)
  expect(told('"x" contains a conflict')).toBe('"x" contains a conflict')
})

it('finds the category whose link names a document that is not there', () => {
  page('docs/k/_category_.json', '/none', '{\n  "link": { "type": "doc", "id": "nanashi" }\n}')
  const printed = "[ERROR] x\nError: Can't find any doc with ID nanashi.\nAvailable doc IDs:\n- a\n- b\n"
  expect(explain(printed)).toEqual([
    'docs/k/_category_.json:2: id が nanashi の文書がありません。使える id: a, b',
  ])
})

it('finds the post whose name has an impossible day, and the folder of one whose date is none', () => {
  page('blog/2026-02-40-a.md', '/none', '---\ntitle: A\ndate: 1月\n---\n')
  page('blog/2026-02-01-b.md', '/none', '')
  expect(explain('[ERROR] Site plugin reload failure\nRangeError: Invalid time value\n')).toEqual([
    expect.stringMatching(/^blog\/2026-02-40-a\.md: .* 2026-02-40 は暦に/),
  ])
  const date =
    'Processing of blog source file path=2026-02-40-a.md failed.\n [cause]: [Error [ValidationError]: "date" must be a valid date] {'
  expect(explain(date)).toEqual([
    expect.stringMatching(/^blog\/2026-02-40-a\.md:3: [^\n]+\n {2}- date は 2026/),
  ])
})

it('names file and line of each directive that Docusaurus does not know', () => {
  const printed =
    '[WARNING] Docusaurus found 2 unused Markdown directives in file "docs/a.md"\n- :::jyuyo (5:1)\n- :abbr (7:3)\n'
  expect(explain(printed)).toEqual([
    expect.stringMatching(/^docs\/a\.md:5: :::jyuyo という記法は/),
    expect.stringMatching(/^docs\/a\.md:7: :abbr /),
  ])
})

it('explains what keeps a page from being rendered', () => {
  page(
    'docs/c.md',
    '/docs/c',
    '# C\n\n<Foo />\n\nimport X from \'./nai\'\nimport Y from "@site/src/y"\n\n<Tabs>a</Tabs>\n',
  )
  const failed = (route: string, cause: string) =>
    `Error: Can't render static file for pathname "${route}"\n    [cause]: ${cause}\n`
  const printed = [
    failed('/docs/c', 'Error: Expected component `Foo` to be defined: you likely forgot'),
    failed('/docs/a', 'Error: Docusaurus error: Bad <Tabs> child <p>: all children'),
    failed('/docs/a', 'ReferenceError: nai is not defined'),
    failed('/docs/c', "TypeError: Cannot read properties of undefined (reading 'name')"),
    failed('/x', 'Error: else'),
    `× Module not found: Can't resolve './nai' in '${siteDir}/docs'\n`,
    "× Cannot find module '@site/src/y' for matched aliased key '@site'\n",
  ]
  expect(explain(printed.join(''))).toEqual([
    expect.stringMatching(/^docs\/c\.md:3: <Foo> というコンポーネントがありません。/),
    expect.stringMatching(/^docs\/[ab]\.md: <Tabs> の中には/),
    expect.stringMatching(/^docs\/[ab]\.md: \{ \} の中の「nai」/),
    expect.stringMatching(/^docs\/c\.md:8: <Tabs> の中には/),
    '/x: ページを表示できません（Error: else）。import、コンポーネント、{ } の中を確認してください。',
    expect.stringMatching(/^docs\/c\.md:5: \.\/nai が見つかりません。/),
    expect.stringMatching(/^docs\/c\.md:6: @site\/src\/y が見つかりません。/),
  ])
})

it('says nothing of what it does not know', () => {
  expect(explain('[ERROR] Something else\n  at all')).toEqual([])
})
