import { expect, test } from '../support/fixtures.ts'
import { openPage } from '../support/open-page.ts'

test('the blog has a heading, and links to its tags, authors, archive and feeds', async ({ reader }) => {
  await openPage(reader, '/blog')
  const header = reader.locator('main header.sekisho-blog')
  await expect(header.getByRole('heading', { level: 1, name: 'ブログ' })).toBeVisible()
  for (const [name, path] of [
    ['タグ', '/blog/tags'],
    ['執筆者', '/blog/authors'],
    ['アーカイブ', '/blog/archive'],
    ['RSS', '/blog/rss.xml'],
    ['Atom', '/blog/atom.xml'],
  ] as const) {
    await expect(header.getByRole('link', { name, exact: true })).toHaveAttribute('href', path)
    expect((await reader.request.get(path)).status(), path).toBe(200)
  }
})

test('the archive lists the newest post first', async ({ reader }) => {
  const html = await (await reader.request.get('/blog/archive')).text()
  const [main = ''] = /<main.*<\/main>/s.exec(html) ?? []
  expect([...main.matchAll(/<li>.*?<a [^>]*?href="?([^"\s>]*)/g)].map(([, path]) => path)).toEqual([
    '/blog/mdx-blog-post',
    '/blog/long-blog-post',
    '/blog/first-blog-post',
    '/blog/welcome',
  ])
})

test('the landing page lists posts with the day they were published, their authors and what they are about', async ({
  reader,
}) => {
  await openPage(reader, '/')
  const item = reader.locator('.sekisho-recent__item', { has: reader.locator('a[href^="/blog/"]') }).first()
  const path = (await item.locator('a').getAttribute('href')) ?? ''
  const shown = await item.locator('time').getAttribute('datetime')
  const authors = await item.locator('.sekisho-recent__authors').innerText()
  const summary = await item.locator('.sekisho-recent__summary').innerText()
  expect(summary.replace(authors, '').trim().length).toBeGreaterThan(10)
  await openPage(reader, path)
  await expect(reader.locator('article header time')).toHaveAttribute('datetime', new RegExp(`^${shown}`))
  for (const author of authors.split('、'))
    await expect(reader.locator('article header')).toContainText(author)
})
