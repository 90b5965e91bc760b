import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { explainFailure } from './explain-failure.ts'

const siteDir = mkdtempSync(join(tmpdir(), 'sekisho-explain-'))

function page(file: string, permalink: string, text: string): void {
  const note = join(
    '.docusaurus/docusaurus-plugin-content-docs/default',
    `site-${file.replaceAll(/\W/g, '-')}.json`,
  )
  for (const [name, content] of [
    [file, text],
    [note, JSON.stringify({ permalink, source: `@site/${file}` })],
  ] as const) {
    mkdirSync(dirname(join(siteDir, name)), { recursive: true })
    writeFileSync(join(siteDir, name), content)
  }
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
  page('docs/c.md', '/docs/c', '# C\n\n[a](./a.md#gone)\n')
  const printed = `[WARNING] Docusaurus found broken anchors!
- Broken anchor on source page path = /docs/c:
   -> linking to /docs/a#gone
`
  expect(explain(printed)).toEqual([
    'docs/c.md:3 のリンク先 /docs/a#gone に、# の後の見出しがありません。リンクか、見出しの id を直してください。',
  ])
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
    'docs/a.md: フロントマターを直してください。\n  - "tags" does not look like a valid front matter Yaml array.',
  ])
})

it('says nothing of what it does not know', () => {
  expect(explain('[ERROR] Something else\n  at all')).toEqual([])
})
