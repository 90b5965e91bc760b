import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { findBrowser } from '../support/browser.ts'
import { expect, LONG, test } from '../support/fixtures.ts'
import { delaySessionAnswers } from '../support/open-page.ts'
import { type Product, startProduct } from '../support/product.ts'
import { ACCOUNTS, loginButton, logoutButton, signIn, signInByPopup } from '../support/sign-in.ts'

const SEKISHO = fileURLToPath(new URL('../../packages/sekisho/bin/sekisho.mjs', import.meta.url))
const PAGE = '/docs/sekisho-overview'

// Side by side: most of them wait.
test.describe.configure({ mode: 'parallel', timeout: 480_000 })

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

/** Simulates the return to a tab; the poll of every minute does the same. */
async function look(page: Page): Promise<void> {
  const event = page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')))
  await event.catch(() => undefined) // the tab may be leaving by itself already
}

/** A tab that asked a moment ago does not ask again for looking at it; it does within the minute. */
async function expectLeft(page: Page, reason?: string): Promise<void> {
  await expect(loginButton(page)).toBeVisible({ timeout: 90_000 })
  if (reason !== undefined) await expect(page.getByText(reason)).toBeVisible()
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
  const sessions = page.locator('.sekisho-session__panel').getByRole('listitem')
  const own = sessions.filter({ hasText: 'このブラウザー' })
  await expect(own).toHaveCount(1)
  await expect(own).toContainText(/Chrome \/ .+ にログイン、最後の利用/)
  await expect(own.getByRole('button')).toHaveCount(0)
  await page.getByRole('button', { name: 'すべての端末からログアウト' }).click()
  await page.getByRole('button', { name: 'やめる' }).click() // asked first, and nothing happens without a yes
  await expect(own).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'すべての端末からログアウト' })).toBeFocused()
  await page.getByRole('button', { name: 'すべての端末からログアウト' }).click()
  await page.getByRole('button', { name: '終了する' }).click()
  await expectLeft(page)
  await expect(page.getByText('ログアウトしました')).toHaveCount(0) // who did it themselves is told nothing
  await look(far)
  await expectLeft(far, 'ほかのブラウザーからの操作で')
  expect(new URL(far.url()).pathname).toBe('/docs/staging-env')
  await other.close()
})

test('many sessions scroll in their list, and what stands below it stays in the window', {
  tag: LONG,
}, async ({ browser }) => {
  const MANY = 6
  const product = await startProduct()
  const contexts = []
  for (let count = 0; count < MANY; count += 1) {
    const context = await browser.newContext({ baseURL: product.origin })
    contexts.push(context)
    await openSignedIn(context)
  }
  const page = contexts[0]?.pages()[0] as Page
  for (const height of [520, 400]) {
    await page.setViewportSize({ width: 1280, height })
    await page.getByRole('button', { name: ACCOUNTS.member }).click()
    const panel = page.locator('.sekisho-session__panel')
    await expect(panel.getByRole('listitem')).toHaveCount(MANY)
    await expect(panel).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('button', { name: 'すべての端末からログアウト' })).toBeInViewport({
      ratio: 1,
    })
    await expect(page.getByRole('link', { name: 'グループとエディションを見る' })).toBeInViewport({
      ratio: 1,
    })
    const last = panel.getByRole('button', { name: /のログインを終了/ }).last()
    await expect(last).not.toBeInViewport()
    await last.focus() // as Tab does
    await expect(last).toBeInViewport({ ratio: 1 })
    await page.keyboard.press('Escape')
    await expect(panel).toBeHidden()
  }
  for (const context of contexts) await context.close()
  await product.stop()
})

test('one session is ended alone, after a question, and says so where it was', async ({
  browser,
  product,
}) => {
  const here = await browser.newContext({ baseURL: product.origin })
  const there = await browser.newContext({
    baseURL: product.origin,
    userAgent: 'Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1',
  })
  const page = await openSignedIn(here)
  const far = await openSignedIn(there)
  await page.getByRole('button', { name: ACCOUNTS.member }).click()
  const tablet = page.getByRole('listitem').filter({ hasText: 'Safari / iPad' })
  await expect(tablet).toContainText('手元、')
  await tablet.getByRole('button', { name: 'Safari / iPad のログインを終了' }).click()
  await expect(page.getByText('Safari / iPad のログインを終了しますか？')).toBeVisible()
  await page.getByRole('button', { name: '終了する' }).click()
  await expect(tablet).toHaveCount(0)
  await look(far)
  await expectLeft(far, 'ほかのブラウザーからの操作で')
  await expect(logoutButton(page)).toBeVisible()
  expect((await page.request.get('/__gate/session')).status()).toBe(200)
  for (const context of [here, there]) await context.close()
})

test('a session that was unused for too long, became too old, or is no longer admitted says so', async ({
  browser,
}) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'sekisho-policy-'))
  const policy = path.join(folder, 'policy.json')
  const admit = (domain: string) => writeFile(policy, JSON.stringify({ domains: [domain], emails: [] }))
  await admit('sekisho.example')
  const env = { SEKISHO_SESSION_IDLE: '10s', SEKISHO_SESSION_ABSOLUTE: '35s', SEKISHO_POLICY_FILE: policy }
  const product = await startProduct({ env })
  const context = await browser.newContext({ baseURL: product.origin })

  const page = await openSignedIn(context)
  const status = async () => (await page.request.get('/__gate/session')).status() // asking is no use of it
  await expect.poll(status, { timeout: 45_000 }).toBe(401) // what the page fetches once it is idle counts as use
  const asked = page.waitForRequest((request) => request.url().endsWith('/__gate/session'))
  await page.evaluate(() => void window.dispatchEvent(new Event('focus')))
  await asked
  await expectLeft(page, 'しばらく利用がなかったため')

  await signIn(page)
  const startedAtMs = Date.now()
  while (Date.now() - startedAtMs < 36_000) {
    await page.request.get(PAGE)
    await page.waitForTimeout(4_000)
  }
  await look(page)
  await expectLeft(page, 'ログインの有効期限が切れました')

  await signIn(page)
  await admit('elsewhere.example')
  await expect.poll(async () => (await page.request.get(PAGE)).status(), { timeout: 15_000 }).toBe(401)
  await look(page)
  await expectLeft(page, '閲覧が許可されなくなった')
  await context.close()
  await product.stop()
  await rm(folder, { recursive: true })
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
    await expectLeft(tab, '管理者がこのログインを終了しました')
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

test('a disabled account is out within the revalidation interval, and every open tab of it', async ({
  browser,
}) => {
  const env = { SEKISHO_REVALIDATION_INTERVAL: '2s' }
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
    await expectLeft(tab, 'アカウントが無効になったか、変更された')
  }
  expect(await readAudit(product)).toContainEqual(
    expect.objectContaining({ event: 'session_revoked', by: 'revalidation', reason: 'USER_DISABLED' }),
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
  await signInByPopup(page)
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

  // Going back is recorded too; on a busy machine behind the end of the session, and the tab would leave before the click.
  const recorded = page.waitForResponse(
    (response) => response.request().method() === 'HEAD' && new URL(response.url()).pathname === PAGE,
  )
  await page.goBack()
  await expect(page).toHaveURL(/sekisho-overview$/)
  await recorded
  await delaySessionAnswers(page) // what is opened has to find out by itself
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
