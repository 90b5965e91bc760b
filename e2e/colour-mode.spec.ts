import type { Page } from '@playwright/test'
import { expect, test } from './support/fixtures.ts'
import { openPage } from './support/open-page.ts'

const root = (page: Page) => page.locator('html')
const toggle = (page: Page) => page.locator('.navbar').getByRole('button', { name: /配色を切り替える/ })

test('the colour mode starts light, whatever the system prefers', async ({ reader }) => {
  await reader.emulateMedia({ colorScheme: 'dark' })
  await openPage(reader, '/docs/sekisho-overview')
  await expect(root(reader)).toHaveAttribute('data-theme', 'light')
  await expect(root(reader)).toHaveAttribute('data-theme-choice', 'light')
})

test('the colour mode that is chosen lasts, and reaches the other tab', async ({ reader, context }) => {
  await openPage(reader, '/docs/sekisho-overview')
  const second = await context.newPage()
  await openPage(second, '/blog')
  await toggle(reader).click()
  await expect(root(reader)).toHaveAttribute('data-theme', 'dark')
  await expect(root(second)).toHaveAttribute('data-theme', 'dark')
  await openPage(reader, '/knowledge')
  await expect(root(reader)).toHaveAttribute('data-theme', 'dark')
})

test('whoever asks for the mode of the system gets it, and keeps following it', async ({ reader }) => {
  await reader.emulateMedia({ colorScheme: 'light' })
  await openPage(reader, '/docs/sekisho-overview')
  await toggle(reader).click()
  await expect(root(reader)).toHaveAttribute('data-theme-choice', 'dark')
  await toggle(reader).click()
  await expect(root(reader)).toHaveAttribute('data-theme-choice', 'system')
  await expect(root(reader)).toHaveAttribute('data-theme', 'light')
  await reader.emulateMedia({ colorScheme: 'dark' })
  await expect(root(reader)).toHaveAttribute('data-theme', 'dark')
})
