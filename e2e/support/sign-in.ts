import { expect, type Page } from '@playwright/test'

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
export async function signIn(page: Page, account: string = ACCOUNTS.member): Promise<void> {
  await chooseAccount(page, account)
  await expect(page.locator('.navbar')).toBeVisible()
}
