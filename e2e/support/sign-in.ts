import { expect, type Page } from '@playwright/test'
import { ROUTES } from '@sekisho/contract/routes'

/** Accounts of the local identity service, by the name its picker shows. */
export const ACCOUNTS = {
  member: '佐藤 花子',
  secondMember: '鈴木 一郎',
  withoutName: 'shared-account@sekisho.example',
  outsider: '田中 健（社外）',
  withoutEmail: 'メールアドレスのないアカウント',
} as const

export const loginButton = (page: Page) => page.getByRole('button', { name: 'Login with Google' })
export const logoutButton = (page: Page) => page.getByRole('button', { name: 'ログアウト', exact: true })

/** Presses the login button and chooses an account in the window that opens. */
export async function chooseAccount(page: Page, account: string): Promise<void> {
  const popup = page.waitForEvent('popup')
  await loginButton(page).click()
  const picker = await popup
  await picker.waitForLoadState() // before that no script of it hears a click
  await picker.getByRole('button', { name: account }).click()
}

/** Signs in by popup and waits until the requested page is there. */
export async function signInByPopup(page: Page, account: string = ACCOUNTS.member): Promise<void> {
  await chooseAccount(page, account)
  await expect(page.locator('.navbar')).toBeVisible()
}

/** Names of accounts at the local identity service. */
const SUBJECTS: Readonly<Record<string, string>> = {
  [ACCOUNTS.member]: 'google-1-sato-hanako',
  [ACCOUNTS.secondMember]: 'google-2-suzuki-ichiro',
}

/**
 * Opens a session as the login page does, without its two further windows, and waits until the requested page is there: for tests of
 * something else than signing in.
 */
export async function signIn(page: Page, account: string = ACCOUNTS.member): Promise<void> {
  const { origin } = new URL(page.url())
  const postBody = `providerId=google.com&id_token=${JSON.stringify({ sub: SUBJECTS[account] })}`
  const told = await page.request.post(
    `${origin}/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp?key=local`,
    { data: { requestUri: origin, returnSecureToken: true, postBody } },
  )
  const { idToken, refreshToken } = await told.json()
  const opened = await page.request.post(`${origin}${ROUTES.session.path}`, {
    headers: { origin },
    data: { idToken, refreshToken },
  })
  expect(opened.status(), await opened.text()).toBe(204)
  await page.reload()
  await expect(page.locator('.navbar')).toBeVisible()
}
