import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { packRelease } from '@sekisho/release/packing'
import { expect, LONG, test } from '../support/fixtures.ts'
import { openPage, sidebarLink, waitUntilFetchedAhead } from '../support/open-page.ts'
import { type Product, startProduct } from '../support/product.ts'
import { openSearch, options } from '../support/search.ts'
import { signIn } from '../support/sign-in.ts'

const BUILD = fileURLToPath(new URL('../../site/build', import.meta.url))

test.describe.configure({ timeout: 480_000 })

/** Pages that are opened here: a release in which all have changed takes long to compress. */
const OPENED = ['.', 'docs/sekisho-overview', 'docs/environment-setup', 'docs/staging-env']

/** Publishes the build once more, with a sign in the head of these pages by which the new release is known. */
async function publishAgain(product: Product): Promise<void> {
  const buildDir = await mkdtemp(path.join(tmpdir(), 'sekisho-build-'))
  await cp(BUILD, buildDir, { recursive: true })
  for (const folder of OPENED) {
    const page = path.join(buildDir, folder, 'index.html')
    const html = await readFile(page, 'utf8')
    await writeFile(page, html.replace('<head>', '<head><meta name="e2e-release" content="second">'))
  }
  await packRelease({ buildDir, dataDir: product.dataDir, clock: Date.now })
  await rm(buildDir, { recursive: true })
}

const isOfSecond = (page: Page) => page.locator('meta[name="e2e-release"]').count()
/** Notice of a second release, whose single edition opens further pages to the readers. */
const notice = (page: Page) => page.getByText(/新しい版があります|読めるページが変わりました/)

/** A tab is looked at. */
async function look(page: Page): Promise<void> {
  await page.evaluate(() => void window.dispatchEvent(new Event('focus')))
}

test('an open tab learns of a new release, keeps what was typed, and opens it on demand', async ({
  browser,
}) => {
  const product = await startProduct()
  const context = await browser.newContext({ baseURL: product.origin })
  const page = await context.newPage()
  await page.goto('/docs/sekisho-overview')
  await signIn(page)
  await openPage(page, '/docs/sekisho-overview')
  const searching = await context.newPage()
  await openSearch(searching, '/docs/environment-setup')
  const left = await context.newPage()
  await left.clock.install()
  await openPage(left, '/docs/staging-env')
  await publishAgain(product)

  // Nobody does anything here: the poll tells it.
  await expect(async () => {
    await left.clock.fastForward('01:00')
    await expect(notice(left)).toBeVisible({ timeout: 2_000 })
  }).toPass()
  expect(await isOfSecond(left)).toBe(0)
  // A page that the new release lacks stays, with a way out.
  const asked = '**/docs/staging-env'
  await left.route(asked, (route) =>
    route.request().method() === 'HEAD' ? route.fulfill({ status: 404 }) : route.continue(),
  )
  await left.getByRole('button', { name: '新しい版を開く' }).click()
  await expect(left.getByText('このページは新しい版にはありません。')).toBeVisible()
  await expect(left.locator('article h1')).toBeVisible()
  await left.unroute(asked)
  await left.getByRole('button', { name: 'トップページへ' }).click()
  await expect.poll(() => isOfSecond(left)).toBe(1)
  await expect(notice(left)).toHaveCount(0)

  // A tab that is looked at knows at once.
  await look(page)
  await expect(notice(page)).toBeVisible({ timeout: 10_000 })
  expect(await isOfSecond(page)).toBe(0)
  await page.evaluate(() => Object.assign(window, { sameDocument: true }))
  await page.locator('.table-of-contents a').last().click() // within the page: nothing is loaded
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true)
  await sidebarLink(page, '環境構築').click()
  await expect.poll(() => isOfSecond(page)).toBe(1)
  await expect(page).toHaveURL(/environment-setup$/)
  await expect(page.locator('article h1')).toHaveText('環境構築')

  // The search goes on in its own release (decisions/056); the page that it opens is of the new one, and what was typed stays.
  const field = searching.getByRole('combobox')
  await field.fill('ステージング環境')
  await expect(options(searching).first()).toBeVisible()
  await expect(notice(searching)).toBeAttached()
  await expect(field).toHaveValue('ステージング環境')
  await options(searching).first().click()
  await expect.poll(() => isOfSecond(searching)).toBe(1)
  await context.close()
  await product.stop()
})

test('a link followed before the tab knows of the new release leads into it too', { tag: LONG }, async ({
  browser,
}) => {
  const product = await startProduct()
  const context = await browser.newContext({ baseURL: product.origin })
  const page = await context.newPage()
  await page.goto('/docs/sekisho-overview')
  await signIn(page)
  await openPage(page, '/docs/sekisho-overview')
  await waitUntilFetchedAhead(page)
  await publishAgain(product)
  const served = async () => (await page.request.get('/docs/environment-setup')).text() // of which the tab hears nothing
  await expect.poll(served).toContain('e2e-release')
  await sidebarLink(page, '環境構築').click()
  await expect.poll(() => isOfSecond(page)).toBe(1)
  await expect(page.locator('article h1')).toHaveText('環境構築')
  await context.close()
  await product.stop()
})
