import { expect, test } from '../support/fixtures.ts'
import { ACCOUNTS, chooseAccount, loginButton, logoutButton, signInByPopup } from '../support/sign-in.ts'

const DEEP_LINK = `/docs/environment-setup?from=mail#${encodeURIComponent('必要なもの')}`

test('the login page is served at every address until sign-in', async ({ page }) => {
  for (const path of ['/', '/no-such-page']) {
    const response = await page.goto(path)
    expect(response?.status()).toBe(401)
    await expect(loginButton(page)).toBeVisible()
    await expect(page.getByRole('heading', { name: 'ログインが必要です' })).toBeVisible()
    await expect(page.getByText('Sekisho', { exact: true }).first()).toBeVisible()
    await expect(page.getByText('技術ドキュメントポータル').first()).toBeVisible()
    expect(new URL(page.url()).pathname).toBe(path)
  }
})

test('the answer of the server already says Loading... before any script runs', async ({ request }) => {
  const response = await request.get('/docs', { headers: { accept: 'text/html' } })
  expect(await response.text()).toContain('Loading...')
})

test('an account without a display name is shown by its address', async ({ page }) => {
  await page.goto('/')
  await signInByPopup(page, ACCOUNTS.withoutName)
  await expect(page.getByText('shared-account@sekisho.example')).toBeVisible()
})

test('signs in by redirect when the popup is blocked', async ({ page }) => {
  await page.addInitScript(() => {
    window.open = () => null
  })
  await page.goto('/docs/staging-env')
  await loginButton(page).click()
  await page.getByRole('button', { name: ACCOUNTS.member }).click()
  await expect(page.locator('article h1')).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/docs/staging-env')
})

test('a deep link with a Japanese heading comes back to the same place', async ({ page }) => {
  await page.goto(DEEP_LINK)
  await signInByPopup(page)
  await expect(page.locator('article h1')).toBeVisible()
  const url = new URL(page.url())
  expect(url.pathname + url.search + url.hash).toBe(DEEP_LINK)
  await expect(page.getByRole('heading', { name: '必要なもの' })).toBeInViewport()
})

test('an account without an address, or that the policy refuses, is told so and may choose another', async ({
  page,
  context,
}) => {
  await page.goto('/docs/staging-env')
  await chooseAccount(page, ACCOUNTS.withoutEmail)
  await expect(page.getByText('このアカウントにはメールアドレスがないため、ログインできません')).toBeVisible()
  await expect(loginButton(page)).toBeVisible()
  expect((await context.cookies()).map((cookie) => cookie.name)).not.toContain('sekisho')
  await chooseAccount(page, ACCOUNTS.outsider)
  await expect(page.getByText('ken.tanaka@partner.example')).toBeVisible()
  await expect(page.locator('article h1')).toHaveCount(0)
  const popup = page.waitForEvent('popup')
  await page
    .getByRole('button', { name: /Login with Google|別のアカウント/ })
    .first()
    .click()
  await (await popup).getByRole('button', { name: ACCOUNTS.secondMember }).click()
  await expect(page.getByText(ACCOUNTS.secondMember)).toBeVisible()
})

test('a reader who closes the popup continues by redirect, and the failure is logged', async ({ page }) => {
  const log: string[] = []
  page.on('console', (message) => log.push(message.text()))
  await page.goto('/docs/staging-env')
  const popup = page.waitForEvent('popup')
  await loginButton(page).click()
  const picker = await popup
  await picker.getByRole('button', { name: ACCOUNTS.member }).waitFor()
  await picker.close()
  await page.getByRole('button', { name: ACCOUNTS.member }).click() // in this tab now
  await expect(page.locator('article h1')).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/docs/staging-env')
  expect(log.some((line) => line.includes('Popup sign-in failed'))).toBe(true)
})

test('the keyboard alone signs in by popup, and the display name is shown', async ({ page }) => {
  await page.goto('/docs/staging-env')
  await expect(loginButton(page)).toBeEnabled()
  await page.keyboard.press('Tab')
  await expect(loginButton(page)).toBeFocused()
  const popup = page.waitForEvent('popup')
  await page.keyboard.press('Enter')
  const picker = await popup
  await picker.waitForLoadState() // before that no script of it hears a key
  await picker.getByRole('button', { name: ACCOUNTS.member }).press('Enter')
  await expect(page.locator('article h1')).toBeVisible()
  await expect(page.getByText(ACCOUNTS.member)).toBeVisible()
  await expect(logoutButton(page)).toBeVisible()
})

test('the login page fits a screen of 320 px and fetches nothing of the site', async ({ page }) => {
  const fetched: string[] = []
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname))
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/blog')
  await expect(loginButton(page)).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  const elsewhere = fetched.filter((path) => !/^\/(__gate|emulator|identitytoolkit|securetoken)/.test(path))
  expect(elsewhere).toEqual(['/blog'])
})
