import { expect, type Page, type Response } from '@playwright/test'

/** Opens a page of the portal and waits until it answers to clicks and keys: before that, they would be lost. */
export async function openPage(page: Page, path: string): Promise<Response | null> {
  const response = await page.goto(path)
  await waitUntilReady(page)
  return response
}

/** A page is ready when it has hydrated and knows its reader. */
export async function waitUntilReady(page: Page): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('data-has-hydrated', 'true')
  await expect(page.locator('.sekisho-session__person').first()).toBeAttached()
}

/** Waits until all that a page fetches when the browser is idle is there: the notices of a tab, the code of the search dialog. */
export async function waitUntilFetchedAhead(page: Page): Promise<void> {
  await expect(page.locator('.sekisho-notices')).toBeAttached()
  await page.evaluate('new Promise((resolve) => requestIdleCallback(() => resolve(null)))')
  let before = -1
  const countMore = async (): Promise<number> => {
    const count = await page.evaluate(() => performance.getEntriesByType('resource').length)
    const more = count - before
    before = count
    return more
  }
  await expect.poll(countMore, { intervals: [500, 1_000] }).toBe(0)
}

/**
 * Delays the tab's session responses: a busy machine asks late, and would leave before the test has used it.
 * @returns releases the responses
 */
export async function delaySessionAnswers(page: Page): Promise<() => void> {
  const { promise: isOver, resolve } = Promise.withResolvers<void>()
  await page.route('**/__gate/session', async (route) => {
    if (route.request().method() === 'GET') await isOver
    await route.fallback()
  })
  return resolve
}

/** A link of the sidebar beside the page. */
export const sidebarLink = (page: Page, name: string) =>
  page.locator('aside .menu').getByRole('link', { name, exact: true })

/** A link of the bar above the page. */
export const navbarLink = (page: Page, name: string) =>
  page.locator('.navbar').getByRole('link', { name, exact: true })
