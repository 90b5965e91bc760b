import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { navbarLink, openPage, sidebarLink, waitUntilFetchedAhead } from '../support/open-page.ts'
import { options, searchDialog, searchField } from '../support/search.ts'

const lost = (page: Page) => page.getByText('接続できません')
const retry = (page: Page) => page.locator('.sekisho-notices').getByRole('button', { name: 'もう一度試す' })

/** A page whose later code has not been fetched ahead, as on a line that went down early. */
async function openWithoutFetchingAhead(page: Page, path: string): Promise<void> {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { effectiveType: '4g', saveData: true } })
  })
  await openPage(page, path)
  await waitUntilFetchedAhead(page)
}

test('without a connection a click keeps the page, says so, and goes on when the line is back', async ({
  reader,
  context,
}) => {
  await openWithoutFetchingAhead(reader, '/docs/sekisho-overview')
  await context.setOffline(true)
  await navbarLink(reader, 'Blog').click()
  await expect(lost(reader)).toBeVisible()
  await expect(reader.locator('article h1')).toHaveText('Sekisho の概要')
  await expect(reader).toHaveURL(/sekisho-overview$/) // the address of what is shown
  await retry(reader).click()
  await expect(lost(reader)).toBeVisible()
  await context.setOffline(false)
  await expect(reader.getByRole('heading', { level: 1, name: 'ブログ' })).toBeVisible()
  await expect(reader).toHaveURL(/\/blog$/)
  await expect(lost(reader)).toHaveCount(0)
})

test('without a connection Back leads to the page before, whose code is here', async ({
  reader,
  context,
}) => {
  await openWithoutFetchingAhead(reader, '/docs/sekisho-overview')
  await sidebarLink(reader, '環境構築').click()
  await expect(reader.locator('article h1')).toHaveText('環境構築')
  await context.setOffline(true)
  await sidebarLink(reader, 'ステージング環境').click()
  await expect(lost(reader)).toBeVisible()
  await reader.goBack()
  await expect(reader).toHaveURL(/environment-setup$/)
  await expect(lost(reader)).toHaveCount(0)
  await reader.goBack()
  await expect(reader.locator('article h1')).toHaveText('Sekisho の概要')
  await context.setOffline(false)
})

test('Back across a reload waits for the connection as a click does', async ({ reader, context }) => {
  await openWithoutFetchingAhead(reader, '/docs/sekisho-overview')
  await sidebarLink(reader, '環境構築').click()
  await expect(reader.locator('article h1')).toHaveText('環境構築')
  await openPage(reader, '/docs/environment-setup')
  await waitUntilFetchedAhead(reader)
  await sidebarLink(reader, 'ステージング環境').click()
  await expect(reader.locator('article h1')).toContainText('ステージング')
  await reader.reload()
  await waitUntilFetchedAhead(reader)
  await context.setOffline(true)
  await reader.goBack()
  await expect(lost(reader)).toBeVisible()
  await context.setOffline(false)
  await expect(reader.locator('article h1')).toHaveText('環境構築')
})

test('the first / without a connection opens the dialog when the line is back, with what was typed', async ({
  reader,
  context,
}) => {
  await openWithoutFetchingAhead(reader, '/docs/sekisho-overview')
  await context.setOffline(true)
  await reader.keyboard.press('/')
  await expect(lost(reader)).toBeVisible()
  await reader.keyboard.type('staging')
  await context.setOffline(false)
  await expect(searchField(reader)).toHaveValue('staging')
  await expect(options(reader).first()).toBeVisible()
  await expect(lost(reader)).toHaveCount(0)
})

test('the code of the dialog is fetched before the line goes down, and a search goes on by itself', async ({
  reader,
  context,
}) => {
  await openPage(reader, '/docs/sekisho-overview')
  await waitUntilFetchedAhead(reader)
  await context.setOffline(true)
  await reader.keyboard.press('/')
  await expect(searchField(reader)).toBeFocused()
  await searchField(reader).fill('ブランチ')
  await expect(searchDialog(reader).getByText('接続できません')).toBeVisible()
  await expect(searchDialog(reader).getByRole('button', { name: 'もう一度検索する' })).toBeVisible()
  await context.setOffline(false)
  await expect(options(reader).first()).toBeVisible()
})

test('while the gate is down a click waits for it', async ({ reader }) => {
  await openWithoutFetchingAhead(reader, '/docs/sekisho-overview')
  await reader.route('**', (route) => route.abort('connectionrefused'))
  await navbarLink(reader, 'Blog').click()
  await expect(lost(reader)).toBeVisible()
  await reader.unroute('**')
  await expect(reader.getByRole('heading', { level: 1, name: 'ブログ' })).toBeVisible()
})

test('a file that is no page is not left for without a connection', async ({ reader, context }) => {
  await openPage(reader, '/blog')
  await waitUntilFetchedAhead(reader)
  await context.setOffline(true)
  await reader.getByRole('link', { name: 'RSS', exact: true }).click()
  await expect(lost(reader)).toBeVisible()
  await expect(reader.getByRole('heading', { level: 1, name: 'ブログ' })).toBeVisible()
  await context.setOffline(false)
})
