import { fileURLToPath } from 'node:url'
import { expect, test } from '@playwright/test'
import { type Product, startProduct } from '../support/product.ts'
import { ACCOUNTS, signIn } from '../support/sign-in.ts'

const PAGE = '/docs/operations/duty'
const TITLE = '運用当番の手引き'
const READERS = fileURLToPath(new URL('../../site/readers.local.json', import.meta.url))

let product: Product
test.beforeAll(async () => {
  product = await startProduct({ env: { SEKISHO_POLICY_FILE: READERS } })
})
test.afterAll(() => product.stop())
test('an operator reads what is theirs: the page, its place in the sidebar, and in the search', async ({
  page,
}) => {
  await page.goto(product.origin + PAGE)
  await signIn(page, ACCOUNTS.secondMember)
  await expect(page.getByRole('heading', { level: 1, name: TITLE })).toBeVisible()
  await expect(page.locator('main').getByText('運用担当', { exact: true })).toBeVisible()
  await page.goto(`${product.origin}/docs/sekisho-overview`)
  await expect(page.locator('.theme-doc-sidebar-menu').getByText('運用当番', { exact: true })).toBeVisible()
  await page.goto(`${product.origin}/search?q=運用当番の手引き`)
  await expect(page.locator(`main a[href^="${PAGE}"]`).first()).toBeVisible()
})

test('for another reader the same page, its place and its words do not exist', async ({ page }) => {
  await page.goto(product.origin + PAGE)
  await signIn(page, ACCOUNTS.member)
  await expect(page.getByRole('heading', { level: 1, name: 'ページが見つかりません' })).toBeVisible()
  await page.goto(`${product.origin}/docs/sekisho-overview`)
  await expect(page.locator('.theme-doc-sidebar-menu').getByText('ステージング環境')).toBeVisible()
  await expect(page.locator('.theme-doc-sidebar-menu').getByText('運用当番', { exact: true })).toHaveCount(0)
  const found = await page.request.get(`${product.origin}/__gate/search?q=${encodeURIComponent(TITLE)}`)
  expect((await found.json()).results.map(({ url }: { url: string }) => url)).not.toContain(PAGE)
})
