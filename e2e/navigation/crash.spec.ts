import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { navbarLink, openPage, sidebarLink } from '../support/open-page.ts'

/** Makes something that pages need throw until `mend` is called. */
async function breakInBrowser(
  page: Page,
  owner: 'Intl' | 'window',
  name: string,
): Promise<() => Promise<void>> {
  await page.evaluate(
    ([where, what]) => {
      const target = (where === 'Intl' ? Intl : window) as unknown as Record<string, unknown>
      const real = target[what]
      Object.assign(window, { mend: () => Object.assign(target, { [what]: real }) })
      target[what] = class {
        constructor() {
          throw new Error('broken on purpose', { cause: new Error('the cause of it') })
        }
      }
    },
    [owner, name] as const,
  )
  return () => page.evaluate(() => void (window as unknown as { mend(): void }).mend())
}

test('a page that cannot be rendered says so under the navigation, and can be tried again', async ({
  reader,
}) => {
  await openPage(reader, '/docs/sekisho-overview')
  const mend = await breakInBrowser(reader, 'Intl', 'DateTimeFormat')
  await navbarLink(reader, 'Blog').click()
  await expect(reader.getByRole('heading', { name: 'エラーが発生しました' })).toBeVisible()
  await expect(reader.getByText('broken on purpose')).toBeVisible()
  await expect(reader.getByText('the cause of it')).toBeVisible()
  await expect(reader.locator('.navbar')).toBeVisible()
  await mend()
  await reader.getByRole('button', { name: 'もう一度試す' }).click()
  await expect(reader.locator('article').first()).toBeVisible()
})

test('a document that cannot be rendered leaves the sidebar where it is', async ({ reader }) => {
  await openPage(reader, '/docs/sekisho-overview')
  const mend = await breakInBrowser(reader, 'window', 'ResizeObserver')
  await sidebarLink(reader, '環境構築').click()
  await expect(reader.getByRole('heading', { name: 'エラーが発生しました' })).toBeVisible()
  await expect(reader.getByText('管理者に知らせてください')).toBeVisible()
  await expect(sidebarLink(reader, '環境構築')).toBeVisible()
  await mend()
  await reader.getByRole('button', { name: 'もう一度試す' }).click()
  await expect(reader.locator('article h1')).toHaveText('環境構築')
})

test('a crash that takes the layout with it leads to the crash page, and can be tried again', async ({
  reader,
}) => {
  await openPage(reader, '/docs/sekisho-overview')
  const mend = await breakInBrowser(reader, 'window', 'IntersectionObserver')
  await navbarLink(reader, 'Blog').click()
  await expect(reader.getByRole('heading', { name: 'このページはクラッシュしました' })).toBeVisible()
  await expect(reader).toHaveTitle('このページはクラッシュしました')
  await expect(reader.getByText('broken on purpose')).toBeVisible()
  await expect(reader.getByText('the cause of it')).toBeVisible()
  await mend()
  await reader.getByRole('button', { name: 'もう一度試す' }).click()
  await expect(reader.locator('.navbar')).toBeVisible()
  await expect(reader.locator('article').first()).toBeVisible()
})
