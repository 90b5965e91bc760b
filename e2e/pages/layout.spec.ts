import { expect, test } from '../support/fixtures.ts'
import { openPage } from '../support/open-page.ts'

/** Pages with tables, code, diagrams, formulas and long words, and the ones with no article. */
const WIDE = [
  '/',
  '/docs/sekisho-base/',
  '/docs/sekisho-pro/pro-readme',
  '/docs/staging-env',
  '/docs/category/github',
  '/blog',
  '/blog/mdx-blog-post',
  `/search?${new URLSearchParams({ q: '検索' })}`,
  '/no/such/page',
]

test('a phone has the sidebar behind a button, and it closes at 996 px', async ({ reader }) => {
  await reader.setViewportSize({ width: 390, height: 844 })
  await openPage(reader, '/docs/sekisho-overview')
  await reader.locator('.navbar__toggle').click()
  await expect(reader.locator('.navbar-sidebar--show')).toHaveCount(1)
  await expect(reader.locator('.navbar-sidebar')).toBeVisible()
  await reader.setViewportSize({ width: 996, height: 844 })
  await expect(reader.locator('.navbar-sidebar--show')).toHaveCount(0)
  await expect(reader.locator('.navbar__toggle')).toBeHidden()
})

test('the sidebar of a phone names the reader and lets them sign out', async ({ reader }) => {
  await reader.setViewportSize({ width: 390, height: 844 })
  await openPage(reader, '/')
  await reader.locator('.navbar__toggle').click()
  const sidebar = reader.locator('.navbar-sidebar')
  await expect(sidebar.getByText('佐藤 花子')).toBeVisible()
  await expect(sidebar.getByRole('button', { name: 'ログアウト', exact: true })).toBeVisible()
})

for (const [width, isDesktop] of [
  [995, false],
  [996, true],
] as const) {
  test(`at ${width} px the layout is ${isDesktop ? 'the desktop one' : 'the narrow one'}`, async ({
    reader,
  }) => {
    await reader.setViewportSize({ width, height: 800 })
    await openPage(reader, '/docs/sekisho-overview')
    await expect(reader.locator('.navbar__toggle')).toBeVisible({ visible: !isDesktop })
    await expect(reader.locator('aside .menu').first()).toBeVisible({ visible: isDesktop })
  })
}

test('no page is wider than a phone of 390 or 320 px', async ({ reader }) => {
  await reader.setViewportSize({ width: 390, height: 844 })
  for (const path of WIDE) {
    await openPage(reader, path)
    for (const width of [390, 320]) {
      await reader.setViewportSize({ width, height: 844 })
      const wide = await reader.evaluate(() => document.documentElement.scrollWidth)
      expect(wide, `${path} at ${width} px`).toBeLessThanOrEqual(width)
    }
  }
})

test('the title of a note is spelt as it was written', async ({ reader }) => {
  await openPage(reader, '/docs/sekisho-pro/pro-readme')
  const title = reader.locator('[class*="admonitionHeading"]', { hasText: 'authDomain' })
  expect(await title.innerText()).toContain('authDomain') // as it is drawn, not as it stands in the document
})

test('the table of contents holds the headings of level 2 and 3, and no other', async ({ reader }) => {
  const seen = new Set<string>()
  for (const path of [
    '/docs/sekisho-base/',
    '/docs/environment-setup',
    '/docs/sekisho-pro/',
    '/blog/long-blog-post',
  ]) {
    await reader.goto(path)
    const listed = await reader
      .locator('.table-of-contents a')
      .evaluateAll((links) =>
        links.map((link) => decodeURIComponent((link as HTMLAnchorElement).hash.slice(1))),
      )
    const headings = await reader
      .locator(':is(article, main) :is(h2, h3)[id]:not(.sr-only)')
      .evaluateAll((all) => all.map((heading) => [heading.id, heading.tagName] as const))
    expect(listed, path).toEqual(headings.map(([id]) => id))
    for (const [, level] of headings) seen.add(level)
  }
  expect([...seen].sort()).toEqual(['H2', 'H3'])
})

test('the menu shows its labels whole, those in Latin letters too', async ({ reader }) => {
  await openPage(reader, '/docs/sekisho-pro/english/operating')
  const labels = reader.locator('aside .menu__link > span')
  await expect(labels.filter({ hasText: 'Operating' })).toBeVisible()
  // Half a pixel more is the font's own leading, without ink.
  const cut = await labels.evaluateAll((all) =>
    all.filter((one) => one.scrollHeight - one.clientHeight > 1).map((one) => one.textContent),
  )
  expect(cut).toEqual([])
})

test('the breadcrumbs begin at the home page', async ({ reader }) => {
  await openPage(reader, '/docs/github/branch-rule')
  const breadcrumbs = reader.getByRole('navigation', { name: 'パンくずリストのナビゲーション' })
  await breadcrumbs.getByRole('link', { name: 'ホームページ' }).click()
  await expect(reader).toHaveURL('/')
})

test('the footer bears the year of the specification', async ({ reader }) => {
  await reader.goto('/')
  await expect(reader.locator('.footer')).toContainText('2025')
})
