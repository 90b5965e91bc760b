import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { writeFiles } from '@sekisho/release/testing'
import { openIndex } from '@sekisho/search/query'
import { expect, it, onTestFinished } from 'vitest'
import { createSiteReading } from './read-site.ts'

const CONFIG = {
  baseUrl: '/',
  onBrokenLinks: 'throw',
  onBrokenAnchors: 'warn',
  markdown: { format: 'detect' },
}

/** A site as a development server has loaded it: its pages, and what Docusaurus notes of them. */
function site(pages: Readonly<Record<string, { permalink: string; text: string }>>, locale = 'ja') {
  const dir = mkdtempSync(join(tmpdir(), 'sekisho-dev-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const write = (name: string, text: string) => writeFiles(dir, { [name]: text })
  const note = (source: string, permalink: string) => {
    const name = source.replaceAll(/\W/g, '-')
    const kept = { permalink, source: `@site/${source}`, title: source, version: 'current' }
    write(`.docusaurus/docusaurus-plugin-content-docs/default/site-${name}.json`, JSON.stringify(kept))
  }
  symlinkSync(resolve('node_modules'), join(dir, 'node_modules'))
  write('static/img/a.svg', '<svg/>')
  const config = { ...CONFIG, i18n: { defaultLocale: locale } }
  write('.docusaurus/docusaurus.config.mjs', `/* made */\nexport default ${JSON.stringify(config)};\n`)
  const versions = [{ name: 'current', isLast: true }]
  write(
    '.docusaurus/globalData.json',
    JSON.stringify({ 'docusaurus-plugin-content-docs': { default: { versions } } }),
  )
  const routes = Object.values(pages).map(({ permalink }) => [`${permalink}-0a1`, {}])
  write(
    '.docusaurus/routesChunkNames.json',
    JSON.stringify(Object.fromEntries([...routes, ['/blog/tags-1ab', {}]])),
  )
  for (const [source, { permalink, text }] of Object.entries(pages)) {
    write(source, text)
    note(source, permalink)
  }
  return { dir, write }
}

const GOOD = `---
title: 良いページ
---

import Part from './_part.mdx'

# 良いページ {#top}

[自分](#top)、[部分](#in-part)、[式](./formula.mdx#any)、[隣](./b.md#二)、[番号](./c.mdx#note)、[番地](/docs/b)、[相対](b)、[絵](/img/a.svg)、[タグ](/blog/tags)、[外](https://example.com/none)

<a href="/docs/b">要素</a>

\`\`\`md
[コード](/docs/none)
\`\`\`
`

it('says nothing of links that lead somewhere, in whatever form they are written', async () => {
  const { dir, write } = site({
    'docs/a.mdx': { permalink: '/docs/a', text: GOOD },
    'docs/b.md': { permalink: '/docs/b', text: '# 一\n\n## 二\n\n{中括弧} <https://example.com>\n' },
    'docs/c.mdx': { permalink: '/docs/c', text: '# 一 {/* #note */}\n' },
    'docs/formula.mdx': { permalink: '/docs/formula', text: '# 式\n\n$x_{1}{2$\n\n[隣](./a.mdx#top)\n' },
  })
  write('docs/_part.mdx', '## 部分 {#in-part}\n')
  expect((await createSiteReading(dir)())?.problems).toEqual([])
})

it('reads links from the root of a site that is served below a path, as each further language is', async () => {
  const { dir, write } = site({
    'docs/a.md': { permalink: '/en/docs/a', text: '[b](/docs/b)、[b](/en/docs/b#b)、[c](/docs/c)\n' },
    'docs/b.md': { permalink: '/en/docs/b', text: '# b\n' },
  })
  write(
    '.docusaurus/docusaurus.config.mjs',
    `export default ${JSON.stringify({ ...CONFIG, baseUrl: '/en/' })};\n`,
  )
  expect((await createSiteReading(dir)())?.problems).toEqual([expect.stringContaining('/docs/c')])
})

const BROKEN = `# 題

[a](/docs/none) [b](./none.md)

[c](/docs/b#nai) [d](#nai)

<a href="/nowhere">e</a>

:::note
`

it('names file, line and remedy of what a build would complain of, and finds every page meanwhile', async () => {
  const { dir, write } = site({
    'docs/a.md': { permalink: '/docs/a', text: BROKEN },
    'docs/b.md': { permalink: '/docs/b', text: '# 珍獣の飼い方\n' },
    'docs/b2.md': { permalink: '/docs/b2', text: '# 二\n' },
  })
  const read = createSiteReading(dir)
  const found = await read()
  expect(found?.problems.map((problem) => problem.split('。')[0])).toEqual([
    'docs/a.md:3 のリンク先 /docs/none がありません',
    'docs/a.md:3 のリンク先 ./none.md が見つかりません',
    'docs/a.md:5 のリンク先 /docs/b#nai に、# の後の見出しがありません',
    'docs/a.md:5 のリンク先 #nai に、# の後の見出しがありません',
    'docs/a.md:7 のリンク先 /nowhere がありません',
    'docs/a.md:9 の :::note が閉じられていません',
  ])
  const engine = openIndex(found?.index ?? '')
  expect(engine.search({ q: '珍獣', limit: 5 }).results.map(({ url }) => url)).toEqual(['/docs/b'])
  engine.close()

  write('docs/a.md', '# 直したページ\n')
  write('.cache/sekisho-openapi.problem.txt', 'OpenAPI の定義を直してください。')
  expect((await read())?.problems).toEqual(['OpenAPI の定義を直してください。'])
})

it('names the files that claim one address, in the language of the site', async () => {
  const { dir } = site(
    {
      'docs/a.md': { permalink: '/docs/a', text: '# a\n' },
      'docs/b.md': { permalink: '/docs/a', text: '# b\n' },
    },
    'en',
  )
  expect((await createSiteReading(dir)())?.problems).toEqual([
    expect.stringContaining('More than one page would be /docs/a (docs/a.md, docs/b.md)'),
  ])
})

it('waits until Docusaurus has loaded the site', async () => {
  expect(await createSiteReading(mkdtempSync(join(tmpdir(), 'sekisho-dev-')))()).toBeNull()
})
