import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { openPage } from '../support/open-page.ts'
import { chosen, openSearch } from '../support/search.ts'

const root = (page: Page) => page.locator('html')
const toggle = (page: Page) => page.locator('.navbar').getByRole('button', { name: /配色を切り替える/ })

test('the colour mode that is chosen lasts, reaches the other tab, and leaves paper light', async ({
  reader,
  context,
}) => {
  await openPage(reader, '/docs/sekisho-overview')
  const second = await context.newPage()
  await openPage(second, '/blog')
  await toggle(reader).click()
  await expect(root(reader)).toHaveAttribute('data-theme', 'dark')
  await expect(root(second)).toHaveAttribute('data-theme', 'dark')
  await openPage(reader, '/knowledge')
  await expect(root(reader)).toHaveAttribute('data-theme', 'dark')
  // A browser without a printer announces nothing, so what Chrome does around printing is done by hand.
  await reader.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await expect(reader.locator('body')).toHaveCSS('color', 'rgb(34, 40, 37)')
  await reader.evaluate(() => dispatchEvent(new Event('afterprint')))
  await expect(root(reader)).toHaveAttribute('data-theme', 'dark')
})

test('the colour mode starts light, and follows the system of a reader who chooses that', async ({
  reader,
}) => {
  await reader.emulateMedia({ colorScheme: 'dark' })
  await openPage(reader, '/docs/sekisho-overview')
  await expect(root(reader)).toHaveAttribute('data-theme', 'light')
  await expect(root(reader)).toHaveAttribute('data-theme-choice', 'light')
  await toggle(reader).click()
  await expect(root(reader)).toHaveAttribute('data-theme-choice', 'dark')
  await reader.emulateMedia({ colorScheme: 'light' })
  await toggle(reader).click()
  await expect(root(reader)).toHaveAttribute('data-theme-choice', 'system')
  await expect(root(reader)).toHaveAttribute('data-theme', 'light')
  await reader.emulateMedia({ colorScheme: 'dark' })
  await expect(root(reader)).toHaveAttribute('data-theme', 'dark')
})

test('in the colours of the system, what was found and what is chosen can be told apart', async ({
  reader,
}) => {
  await reader.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' })
  const field = await openSearch(reader)
  await field.fill('リリース')
  await expect(chosen(reader)).toBeVisible()
  const drawn = await reader.evaluate(() => {
    const style = (selector: string) => getComputedStyle(document.querySelector(selector) as Element)
    const mark = style('.sekisho-search mark')
    return {
      letters: mark.color,
      ground: mark.backgroundColor,
      chosen: style('[aria-selected="true"]').outlineStyle,
    }
  })
  expect(drawn.letters).not.toBe(drawn.ground)
  expect(drawn.ground).not.toBe('rgba(0, 0, 0, 0)')
  expect(drawn.chosen).toBe('solid')
})
