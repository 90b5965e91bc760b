import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { findBrowser } from './support/browser.ts'
import { expect, test } from './support/fixtures.ts'
import { type Product, startProduct } from './support/product.ts'
import { ACCOUNTS, loginButton, logoutButton, signIn } from './support/sign-in.ts'

const SEKISHO = fileURLToPath(new URL('../packages/sekisho/bin/sekisho.mjs', import.meta.url))
const PAGE = '/docs/sekisho-overview'

test.describe.configure({ timeout: 480_000 })

/** Runs a command of `sekisho` beside the running gate, on the same data. */
async function sekisho(product: Product, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    SEKISHO,
    ...args,
    '--data-dir',
    product.dataDir,
  ])
  return stdout
}

async function openSignedIn(context: BrowserContext, address = PAGE, account?: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(address)
  await signIn(page, account)
  await expect(logoutButton(page)).toBeVisible() // the session is being watched from here on
  return page
}

/** What a tab does when it is looked at again; the poll of every minute does the same. */
async function look(page: Page): Promise<void> {
  const event = page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')))
  await event.catch(() => undefined) // the tab may be leaving by itself already
}

/** A tab that asked a moment ago does not ask again for looking at it; it does within the minute. */
async function expectLeft(page: Page): Promise<void> {
  await expect(loginButton(page)).toBeVisible({ timeout: 90_000 })
  await expect(page.locator('article')).toHaveCount(0)
}

async function readAudit(product: Product): Promise<Record<string, unknown>[]> {
  const folder = path.join(product.dataDir, 'audit')
  const lines = (await readFile(path.join(folder, 'gate-000001.jsonl'), 'utf8')).trimEnd().split('\n')
  return lines.slice(1).map((line) => JSON.parse(line)) // behind the header of the file
}

test('signing out everywhere ends the session of another browser too', async ({
  browser,
  product,
  context,
}) => {
  const page = await openSignedIn(context)
  const other = await browser.newContext({ baseURL: product.origin })
  const far = await openSignedIn(other, '/docs/staging-env')
  await page.getByRole('button', { name: ACCOUNTS.member }).click()
  await expect(page.getByText(/^ほかのブラウザー: .+ にログイン、最後の利用/).first()).toBeVisible()
  await expect(page.getByText(/^このブラウザー: .+ にログイン/)).toBeVisible()
  await page.getByRole('button', { name: 'すべての端末からログアウト' }).click()
  await expectLeft(page)
  await look(far)
  await expectLeft(far)
  expect(new URL(far.url()).pathname).toBe('/docs/staging-env')
  await other.close()
})

test('an operator ends sessions of a running gate, and every open tab of them', async ({
  product,
  context,
}) => {
  const page = await openSignedIn(context, PAGE, ACCOUNTS.secondMember)
  const second = await context.newPage()
  await second.goto('/blog')
  await expect(logoutButton(second)).toBeVisible()
  expect(await sekisho(product, 'sessions', 'list')).toContain('ichiro.suzuki@sekisho.example')
  await sekisho(product, 'sessions', 'revoke', '--user', 'ichiro.suzuki@sekisho.example')
  await expect
    .poll(async () => (await page.request.get('/__gate/session')).status(), { timeout: 30_000 })
    .toBe(401)
  for (const tab of [page, second]) {
    await look(tab)
    await expectLeft(tab)
  }
  await expect
    .poll(() => readAudit(product))
    .toContainEqual(
      expect.objectContaining({
        event: 'session_revoked',
        email: 'ichiro.suzuki@sekisho.example',
        by: 'operator',
      }),
    )
})

async function disableAccounts(file: string): Promise<void> {
  const accounts: Record<string, unknown>[] = JSON.parse(await readFile(file, 'utf8'))
  await writeFile(file, JSON.stringify(accounts.map((account) => ({ ...account, disabled: true }))))
}

test('a disabled account is out within the re-proof interval, and every open tab of it', async ({
  browser,
}) => {
  const env = { SEKISHO_REPROOF_INTERVAL: '2s' }
  const before = await startProduct({ env })
  const context = await browser.newContext({ baseURL: before.origin })
  const page = await openSignedIn(context)
  const second = await context.newPage()
  await second.goto('/blog')
  await expect(logoutButton(second)).toBeVisible()

  // The session outlives the restart, and the account is found disabled after it.
  await before.pause()
  await disableAccounts(path.join(before.dataDir, 'local-accounts.json'))
  const product = await startProduct({ env, continues: before })
  await expect
    .poll(async () => (await page.request.get('/__gate/session')).status(), { timeout: 60_000 })
    .toBe(401)
  for (const tab of [page, second]) {
    await look(tab)
    await expectLeft(tab)
  }
  expect(await readAudit(product)).toContainEqual(
    expect.objectContaining({ event: 'session_revoked', by: 'reproof', reason: 'USER_DISABLED' }),
  )
  await context.close()
  await product.stop()
})

test('a session that ended leaves no search behind, and brings the reader back to the very place', async ({
  page,
  context,
}) => {
  const remembered = () => page.evaluate(() => localStorage.getItem('sekisho.search'))
  await page.setViewportSize({ width: 1280, height: 600 })
  await page.goto('/docs/sekisho-base/')
  await signIn(page)
  await expect(logoutButton(page)).toBeVisible()
  await page.evaluate(() => window.scrollTo({ top: 1_500, behavior: 'instant' }))
  await expect.poll(remembered).toContain('/docs/sekisho-base/')
  await context.clearCookies()
  await look(page)
  await expectLeft(page)
  expect(await remembered()).toBeNull()
  await signIn(page)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(1_400)
})

test('a page opened inside a tab is recorded as read, and not opened once the session is over', async ({
  product,
  page,
  context,
}) => {
  await page.goto(PAGE)
  await signIn(page)
  await expect(logoutButton(page)).toBeVisible()
  const follow = () =>
    page
      .locator('.menu')
      .getByRole('link', { name: /環境構築/ })
      .click()
  await follow()
  await expect(page).toHaveURL(/environment-setup$/)
  const read = { event: 'page_read', email: 'hanako.sato@sekisho.example', path: '/docs/environment-setup' }
  await expect.poll(() => readAudit(product)).toContainEqual(expect.objectContaining(read))

  await page.goBack()
  await expect(page).toHaveURL(/sekisho-overview$/)
  await context.clearCookies()
  await follow() // to a page whose scripts this tab has had all along
  await expectLeft(page)
  expect(new URL(page.url()).pathname).toBe('/docs/environment-setup')
})

test('signing out ends a duplicated tab, a tab opened again, and what the browser has kept', async ({
  context,
}) => {
  const page = await openSignedIn(context)
  const script = await page.locator('script[src^="/assets/js/main."]').first().getAttribute('src')
  const kept = (tab: Page) =>
    tab.evaluate(async (address) => {
      const answer = await fetch(address, { cache: 'force-cache' }).catch(() => null)
      return answer?.status
    }, script ?? '')
  expect(await kept(page)).toBe(200)
  const opened = context.waitForEvent('page')
  await page.evaluate(() => void window.open(window.location.href))
  const duplicate = await opened
  await expect(logoutButton(duplicate)).toBeVisible()
  const closed = await context.newPage()
  await closed.goto('/docs/staging-env')
  await closed.close()

  await logoutButton(page).click()
  await expectLeft(page)
  await expectLeft(duplicate)
  const again = await context.newPage()
  await again.goto('/docs/staging-env')
  await expectLeft(again)
  expect(await kept(again)).toBe(401)
})

test('Back brings nothing out of the back-forward cache after signing out', async ({ product }) => {
  const { executablePath, args } = await findBrowser()
  const browser = await chromium.launch({
    executablePath,
    args,
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
  const context = await browser.newContext({ baseURL: product.origin, locale: 'ja-JP' })
  const page = await openSignedIn(context)
  await page.goto('/docs/staging-env') // a document of its own, so that Back is a navigation of the browser
  await expect(logoutButton(page)).toBeVisible()
  await logoutButton(page).click()
  await expectLeft(page)
  await page.goBack()
  await expectLeft(page)
  await page.goForward()
  await expectLeft(page)
  await browser.close()
})
