import { expect, test } from '../support/fixtures.ts'
import { openPage } from '../support/open-page.ts'

test('up to 995 px the sidebar is behind a button, and it closes at 996 px', async ({ reader }) => {
  await reader.setViewportSize({ width: 995, height: 844 })
  await openPage(reader, '/docs/sekisho-overview')
  await expect(reader.locator('aside .menu').first()).toBeHidden()
  await reader.locator('.navbar__toggle').click()
  await expect(reader.locator('.navbar-sidebar--show')).toHaveCount(1)
  await expect(reader.locator('.navbar-sidebar')).toBeVisible()
  await reader.setViewportSize({ width: 996, height: 844 })
  await expect(reader.locator('.navbar-sidebar--show')).toHaveCount(0)
  await expect(reader.locator('.navbar__toggle')).toBeHidden()
  await expect(reader.locator('aside .menu').first()).toBeVisible()
})

test('the title of a note is spelt as it was written, and the breadcrumbs begin at the home page', async ({
  reader,
}) => {
  await openPage(reader, '/docs/sekisho-pro/pro-readme')
  const title = reader.locator('[class*="admonitionHeading"]', { hasText: 'authDomain' })
  expect(await title.innerText()).toContain('authDomain') // as it is drawn, not as it stands in the document
  await expect(reader.locator('.footer')).toContainText('2025') // the year of the specification
  const breadcrumbs = reader.getByRole('navigation', { name: 'パンくずリストのナビゲーション' })
  await breadcrumbs.getByRole('link', { name: 'ホームページ' }).click()
  await expect(reader).toHaveURL('/')
})

test('the table of contents holds the headings of level 2 and 3, and no other', async ({ reader }) => {
  const seen = new Set<string>()
  await reader.goto('/docs/sekisho-pro/')
  for (const path of ['/docs/sekisho-base/', '/docs/environment-setup', '/blog/long-blog-post', null]) {
    const { listed, headings } = await reader.evaluate(async (other) => {
      const html = other === null ? null : await (await fetch(other)).text()
      const shown = html === null ? document : new DOMParser().parseFromString(html, 'text/html')
      const links = shown.querySelectorAll<HTMLAnchorElement>('.table-of-contents a')
      const all = shown.querySelectorAll(':is(article, main) :is(h2, h3)[id]:not(.sr-only)')
      return {
        listed: [...links].map(({ hash }) => decodeURIComponent(hash.slice(1))),
        headings: [...all].map(({ id, tagName }) => [id, tagName] as const),
      }
    }, path)
    expect(listed, `${path}`).toEqual(headings.map(([id]) => id))
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
