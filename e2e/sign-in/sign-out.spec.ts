import { expect, test } from '../support/fixtures.ts'
import {
  delaySessionAnswers,
  openPage,
  sidebarLink,
  waitUntilFetchedAhead,
  waitUntilReady,
} from '../support/open-page.ts'
import { loginButton, logoutButton, signIn, signInByPopup } from '../support/sign-in.ts'

test('signing out clears every open tab, Back shows nothing, and the cookie opens nothing any more', async ({
  page,
  context,
  request,
}) => {
  await page.goto('/docs/sekisho-overview')
  await signIn(page)
  const second = await context.newPage()
  await openPage(second, '/blog#section') // the tab listens from here on
  const cookies = await context.cookies()
  const header = cookies.map((cookie) => `${cookie.name}=${cookie.value}`).join('; ')
  await page.goto('/docs/staging-env')
  await logoutButton(page).click()

  await expect(loginButton(page)).toBeVisible()
  await expect(loginButton(second)).toBeVisible()
  expect(new URL(second.url()).pathname + new URL(second.url()).hash).toBe('/blog#section')
  await page.goBack()
  await expect(loginButton(page)).toBeVisible()
  await expect(page.locator('article')).toHaveCount(0)
  const replay = await request.get('/docs/sekisho-overview', { headers: { cookie: header } })
  expect(replay.status()).toBe(401)
})

test('account and token pages leave when another tab signs out, and tell other tabs of their own sign-out', async ({
  page,
  context,
}) => {
  await page.goto('/docs/sekisho-overview')
  await signIn(page)
  const account = await context.newPage()
  await account.goto('/__gate/account')
  const token = await context.newPage()
  await token.goto('/__gate/account')
  await token.getByRole('textbox', { name: '名前' }).fill('CI')
  await token.getByRole('button', { name: 'トークンを作る' }).click()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await token.getByRole('button', { name: 'コピー' }).click()
  await expect(token.getByRole('button', { name: 'コピーしました' })).toBeVisible()
  const shown = await token.locator('code.box').first().textContent()
  expect(await token.evaluate(() => navigator.clipboard.readText())).toBe(shown)

  await openPage(page, '/docs/staging-env')
  await logoutButton(page).click()
  await expect(loginButton(account)).toBeVisible()
  await expect(loginButton(token)).toBeVisible()

  await signIn(page)
  await expect(() => account.goto('/__gate/account')).toPass() // the login page goes on by itself, too
  await openPage(page, '/docs/staging-env')
  await account.getByRole('button', { name: 'ログアウト', exact: true }).click()
  await expect(loginButton(page)).toBeVisible({ timeout: 10_000 })
})

test('a session that ended elsewhere brings the reader to the login page and back', async ({
  page,
  context,
}) => {
  await page.goto('/docs/sekisho-overview')
  await signIn(page)
  await waitUntilReady(page)
  await waitUntilFetchedAhead(page) // nothing is under way
  const answer = await delaySessionAnswers(page)
  await context.clearCookies()
  // A pointer would hover first, and fetch the page's code while it still may.
  await sidebarLink(page, 'ステージング環境').dispatchEvent('click')
  answer()
  await expect(loginButton(page)).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/docs/staging-env')
  await signInByPopup(page)
  await expect(page.locator('article h1')).toContainText('ステージング')
})

test('a sign-out that does not reach the gate is said, and the reader stays', async ({ page, context }) => {
  await page.goto('/docs/sekisho-overview')
  await signIn(page)
  await waitUntilReady(page)
  const alert = page.waitForEvent('dialog')
  await context.setOffline(true)
  const click = logoutButton(page).click()
  const dialog = await alert
  expect(dialog.message()).toContain('ログアウトできませんでした')
  await dialog.accept()
  await click
  await expect(logoutButton(page)).toBeEnabled()
  await context.setOffline(false)
  await logoutButton(page).click()
  await expect(loginButton(page)).toBeVisible()
})
