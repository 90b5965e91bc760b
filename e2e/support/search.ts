import { expect, type Locator, type Page } from '@playwright/test'
import { openPage } from './open-page.ts'

export const searchButton = (page: Page): Locator =>
  page.locator('.navbar').getByRole('button', { name: '検索を開く' })
export const searchDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'ポータルを検索' })
export const searchField = (page: Page): Locator => searchDialog(page).getByRole('combobox')
export const options = (page: Page): Locator => searchDialog(page).getByRole('option')
export const chosen = (page: Page): Locator =>
  searchDialog(page).locator('[role="option"][aria-selected="true"]')

/** Opens a page and the search over it. */
export async function openSearch(page: Page, path = '/docs/sekisho-overview'): Promise<Locator> {
  await openPage(page, path)
  await page.keyboard.press('/')
  await expect(searchField(page)).toBeFocused()
  return searchField(page)
}

/** Number of marked stretches of the page. */
export function countMarks(page: Page): Promise<number> {
  return page.evaluate("CSS.highlights.get('sekisho-search')?.size ?? 0")
}
