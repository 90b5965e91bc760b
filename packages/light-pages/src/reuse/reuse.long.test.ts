import { expect, it } from 'vitest'
import { createTestSite, ONE_BY_ONE } from './testing/test-site.ts'

/** Several builds of a small site on a machine that may be busy with other things. */
const TIMEOUT_MS = 600_000

/** The scripts but the main one, which holds the site's config and with it how it was bundled. */
const listChunks = (built: ReadonlyMap<string, string>) =>
  [...built].filter(([name]) => name.endsWith('.js') && !name.includes('/main.'))
const listMain = (built: ReadonlyMap<string, string>) =>
  [...built.keys()].filter((name) => name.includes('/main.'))
const listPages = (built: ReadonlyMap<string, string>) =>
  [...built.keys()].filter((name) => name.endsWith('.html'))

/** Seen by every page, or by a whole area. */
const SHARED_EDITS = {
  'src/components/Note.tsx': 'export default () => <p>部品の改版</p>\n',
  'docs/part/_category_.json': '{ "label": "分類の改版" }',
}

/** Seen by the page itself and by those that name it. */
const PAGE_EDITS = {
  'docs/two.md':
    '---\ntitle: 二の改版\ntags: [乙]\ndescription: 要約\n---\n\n本文の改版。\n\n```js\nconst b = 2\n```\n',
  'docs/part/six.md': '# 六\n\n新しい頁。\n',
  'blog/authors.yml': 'hanako:\n  name: 花子の改版\n  page: true\n',
}

it(
  'a site built after edits is byte for byte the site built from nothing, though pages that stay are not rendered again',
  async () => {
    const site = createTestSite('reuse')
    const before = await site.build()
    expect(site.read('404.html')).toContain('<nav')
    site.write(SHARED_EDITS)
    const shared = await site.build()

    const startedMs = Date.now()
    site.write(PAGE_EDITS)
    const edited = await site.build()
    const rendered = site.renderedSince(startedMs)
    expect(rendered).toBeGreaterThan(0)
    expect(site.kept() - rendered).toBeGreaterThan(2)
    // Every page names it, and would be another page with another one.
    expect(listMain(edited)).toEqual(listMain(shared))

    site.forgetBuilds()
    const fresh = await site.build()
    expect(fresh.size).toBeGreaterThan(before.size)
    expect([...edited]).toEqual([...fresh])

    site.forgetBuilds()
    site.write(ONE_BY_ONE)
    const apart = await site.build()
    expect(listChunks(apart).length).toBeGreaterThan(5)
    expect(listChunks(apart)).toEqual(listChunks(fresh))
    expect(listPages(apart)).toEqual(listPages(fresh))
  },
  TIMEOUT_MS,
)
