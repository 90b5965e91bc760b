import { expect, test } from '../support/fixtures.ts'
import { openPage, sidebarLink } from '../support/open-page.ts'

/** Every route of the portal with the title a reader sees in its tab, before ` | Sekisho`. */
const ROUTES: readonly (readonly [path: string, title: RegExp])[] = [
  ['/', /Sekisho/],
  ['/docs', /概要/],
  ['/docs/environment-setup', /環境構築/],
  ['/docs/github/branch-rule', /ブランチ/],
  ['/docs/github/commit-rule', /コミット/],
  ['/docs/github/project-rule', /プロジェクト/],
  ['/docs/sekisho-base/', /./],
  ['/docs/sekisho-overview', /概要/],
  ['/docs/sekisho-pro/', /./],
  ['/docs/sekisho-pro/pro-readme', /./],
  ['/docs/staging-env', /ステージング/],
  ['/docs/category/github', /GitHub/],
  ['/docs/category/sekisho-base', /./],
  ['/docs/category/sekisho-pro', /./],
  ['/docs/category/github-1', /GitHub/],
  ['/docs/category/sekisho-base-1', /./],
  ['/docs/category/sekisho-pro-1', /./],
  ['/knowledge', /ナレッジ|Knowledge/],
  ['/knowledge/example', /./],
  ['/blog', /ブログ|Blog/],
  ['/blog/archive', /アーカイブ/],
  ['/blog/authors', /著者|執筆者/],
  ['/blog/authors/all-sekisho-articles', /Sekisho 開発チーム/],
  ['/blog/authors/henshu', /ドキュメント編集部/],
  ['/blog/first-blog-post', /./],
  ['/blog/long-blog-post', /./],
  ['/blog/mdx-blog-post', /./],
  ['/blog/welcome', /./],
  ['/blog/tags', /タグ/],
  ['/blog/tags/announcement', /お知らせ/],
  ['/blog/tags/security', /セキュリティ/],
  ['/blog/tags/search', /検索/],
  ['/blog/tags/writing', /執筆/],
  ['/markdown-page', /./],
  ['/api/', /ゲートの API/],
  ['/api/schemas/', /データ型/],
]

test('every route is there with its title', async ({ reader }) => {
  for (const [path, title] of ROUTES) {
    const response = await reader.request.get(path)
    expect(response.status(), path).toBe(200)
    const [, shown = ''] = /<title[^>]*>([^<]*)<\/title>/.exec(await response.text()) ?? []
    expect(shown, path).toMatch(title)
    expect(shown, path).toMatch(/Sekisho$/)
  }
})

test('nothing is missing that a page, its navbar, its sidebar or its footer links to', async ({ reader }) => {
  const found = new Set<string>()
  for (const start of ['/', '/docs/sekisho-overview', '/docs/category/github-1', '/knowledge', '/blog']) {
    const html = await (await reader.request.get(start)).text()
    for (const [, href = ''] of html.matchAll(/<a [^>]*?href="?(\/[^"\s>]*)/g)) found.add(href)
  }
  expect(found.size).toBeGreaterThan(8)
  for (const href of found) expect((await reader.request.get(href)).status(), href).toBe(200)
})

test('the not-found page is shown once, whatever the address ends with, and leads on', async ({ reader }) => {
  for (const path of ['/no/such/page', '/blog/a.html', '/docs/b/index.html', '/404.html'])
    expect((await reader.request.get(path)).status(), path).toBe(404)
  for (const path of ['/nope.html', '/docs/staging-env%20']) {
    expect((await openPage(reader, path))?.status(), path).toBe(404)
    await expect(reader.getByRole('heading', { name: 'ページが見つかりません' })).toBeVisible()
    await expect(reader.getByRole('main')).toHaveCount(1)
    await expect(reader.locator('.navbar')).toHaveCount(1)
  }
  await expect(reader).toHaveTitle('ページが見つかりません | Sekisho')
  await sidebarLink(reader, '環境構築').click()
  await expect(reader.locator('article h1')).toHaveText('環境構築')
})

test('a page opens from the not-found page of the same address in capital letters', async ({ reader }) => {
  expect((await openPage(reader, '/Docs/environment-setup'))?.status()).toBe(404)
  await sidebarLink(reader, '環境構築').click()
  await expect(reader.locator('article h1')).toHaveText('環境構築')
})

test('a link that leads nowhere leaves the sidebar where it is', async ({ reader }) => {
  await openPage(reader, '/docs/environment-setup')
  await reader.evaluate(() => {
    const link = document.createElement('a')
    link.href = '/docs/no-such-page'
    link.textContent = 'a link to nowhere'
    document.querySelector('article')?.prepend(link)
  })
  await reader.getByRole('link', { name: 'a link to nowhere' }).click()
  await expect(reader.getByRole('heading', { name: 'ページが見つかりません' })).toBeVisible()
  await expect(reader.getByRole('main')).toHaveCount(1)
  await sidebarLink(reader, 'ステージング環境').click()
  await expect(reader.locator('article h1')).toContainText('ステージング')
})

test('addresses of files lead to their page', async ({ reader }) => {
  for (const [written, meant] of [
    ['/docs/environment-setup.html', '/docs/environment-setup'],
    ['/docs/environment-setup/index.html', '/docs/environment-setup'],
    ['/docs/sekisho-base/index.html', '/docs/sekisho-base/'],
    ['/index.html', '/'],
    ['/blog/index.html', '/blog'],
  ]) {
    const { pathname, search } = new URL((await reader.request.get(`${written}?a=1`)).url())
    expect(pathname + search).toBe(`${meant}?a=1`)
  }
  await reader.goto('/docs/environment-setup.html?a=1#top')
  await expect(reader).toHaveURL('/docs/environment-setup?a=1#top')
  await expect(reader.locator('article h1')).toHaveText('環境構築')
})

test('feeds are there for readers', async ({ reader }) => {
  for (const feed of ['/blog/rss.xml', '/blog/atom.xml', '/blog/feed.json']) {
    const response = await reader.request.get(feed)
    expect(response.status(), feed).toBe(200)
    expect((await response.text()).length, feed).toBeGreaterThan(500)
  }
})
