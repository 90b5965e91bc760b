import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type BuiltSite, describeSite, pageFile, pageTitle, writeSiteJson } from './site-json.ts'

describe('pageFile', () => {
  it.each([
    ['/', undefined, 'index.html'],
    ['/docs/a', undefined, 'docs/a/index.html'],
    ['/docs/a/', undefined, 'docs/a/index.html'],
    ['/404.html', undefined, '404.html'],
    ['/docs/a', false, 'docs/a.html'],
    ['/docs/a/', false, 'docs/a/index.html'],
    ['/', false, 'index.html'],
    ['/docs/a/', true, 'docs/a/index.html'],
  ])('%s with trailingSlash %s', (route, trailingSlash, file) => {
    expect(pageFile(route, trailingSlash)).toBe(file)
  })
})

describe('pageTitle', () => {
  const site = { title: 'Sekisho', titleDelimiter: '|' }
  it.each([
    ['<title data-rh="true">環境構築 | Sekisho</title>', '環境構築'],
    ['<title data-rh=true>A &amp; B &lt;C&gt; &#x27;D&#39; | Sekisho</title>', "A & B <C> 'D'"],
    ['<title>Sekisho</title>', 'Sekisho'],
    ['<title>A | B | Sekisho</title>', 'A | B'],
    ['<title>&nosuch; &#9999999;</title>', '&nosuch; \ufffd'],
    ['<p>no title</p>', null],
  ])('%s', (html, title) => {
    expect(pageTitle(html, site)).toBe(title)
  })
})

describe('describeSite', () => {
  it('names pages, redirects and the not-found page, and nothing else', async () => {
    const site = await builtSite({
      '/': 'Sekisho',
      '/docs/が': '頁 | Sekisho',
      '/docs': '移動',
      '/404.html': '無い',
      '/__docusaurus/debug': 'Docusaurus Debug',
    })
    const encoded = {
      ...site,
      routesPaths: ['/', '/docs/', '/404.html', '/docs/が', '/docs/が', '/__docusaurus/debug'],
    }
    const siteJson = describeSite(encoded, [{ from: '/docs', to: '/docs/が' }])
    expect(siteJson).toEqual({
      format: 1,
      title: 'Sekisho',
      tagline: '技術ドキュメントポータル',
      lang: 'ja',
      baseUrl: '/',
      pages: [
        { path: '/', file: 'index.html', title: 'Sekisho' },
        { path: '/docs/が', file: 'docs/が/index.html', title: '頁' },
      ],
      redirects: [{ from: '/docs', to: '/docs/が' }],
      notFound: '404.html',
    })
    await writeSiteJson(site.outDir, siteJson)
    const written = await readFile(path.join(site.outDir, '__sekisho/site.json'), 'utf8')
    expect(JSON.parse(written)).toEqual(siteJson)
  })

  it('refuses a redirect to a page that is not there', async () => {
    const site = await builtSite({ '/': 'Sekisho' })
    expect(() => describeSite(site, [{ from: '/docs', to: '/gone' }])).toThrow('/docs → /gone')
  })

  it('knows the files of a site that is served below a path', async () => {
    const { siteConfig, ...site } = await builtSite({ '/': 'Home', '/docs/a': 'A', '/404.html': 'none' })
    const routesPaths = ['/handbook/', '/handbook/docs/a', '/handbook/404.html']
    const below = { ...site, routesPaths, siteConfig: { ...siteConfig, baseUrl: '/handbook/' } }
    expect(describeSite(below, [])).toMatchObject({
      baseUrl: '/handbook/',
      pages: [
        { path: '/handbook/', file: 'index.html' },
        { path: '/handbook/docs/a', file: 'docs/a/index.html' },
      ],
      notFound: '404.html',
    })
  })
})

async function builtSite(titles: Record<string, string>): Promise<BuiltSite> {
  const outDir = await mkdtemp(path.join(tmpdir(), 'sekisho-site-json-'))
  for (const [route, title] of Object.entries(titles)) {
    const file = path.join(outDir, pageFile(route, undefined))
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, `<!doctype html><title>${title}</title>`)
  }
  const siteConfig = {
    title: 'Sekisho',
    tagline: '技術ドキュメントポータル',
    titleDelimiter: '|',
    baseUrl: '/',
  }
  return { outDir, routesPaths: Object.keys(titles), lang: 'ja', siteConfig }
}
