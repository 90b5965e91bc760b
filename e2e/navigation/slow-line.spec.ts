import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'

/** Holds back every script, as a slow line does for seconds. */
const SCRIPTS = /\.js$/

/** Resolves once something has been painted. */
async function expectPaint(page: Page): Promise<void> {
  const painted = () => page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length)
  await expect.poll(painted).toBe(1)
}

test('the name of the reader is in the first paint, before any script has come', async ({ reader }) => {
  await reader.route(SCRIPTS, () => {})
  await reader.goto('/docs/sekisho-overview', { waitUntil: 'commit' })
  await expect(reader.locator('.navbar').getByText('佐藤 花子')).toBeVisible()
  await expectPaint(reader)
})

test('without the cookie for display there are three dots until scripts run', async ({ reader, context }) => {
  await context.clearCookies({ name: /reader$/ })
  await reader.route(SCRIPTS, () => {})
  await reader.goto('/docs/sekisho-overview', { waitUntil: 'commit' })
  await expect(
    reader.locator('.navbar').getByRole('status', { name: 'ログイン状態を確認しています' }),
  ).toHaveText('...')
})

test('the login page shows whose portal it is before its script has come', async ({ page }) => {
  await page.route(SCRIPTS, () => {})
  await page.goto('/docs/sekisho-overview', { waitUntil: 'commit' })
  await expect(page.getByText('Sekisho', { exact: true })).toBeVisible()
  await expect(page.getByText('技術ドキュメントポータル')).toBeVisible()
  await expect(page.getByRole('status')).toHaveText('Loading...')
  await expectPaint(page) // before that nothing has its place
  const brand = await page.locator('.brand').boundingBox()
  await page.unroute(SCRIPTS)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Login with Google' })).toBeVisible()
  // Nothing jumps sideways.
  await expect.poll(async () => (await page.locator('.brand').boundingBox())?.x).toBe(brand?.x)
})
