import type { Page } from '@playwright/test'
import { expect, LONG, test } from '../support/fixtures.ts'
import { startProduct } from '../support/product.ts'
import { ACCOUNTS, chooseAccount, loginButton, signIn } from '../support/sign-in.ts'

/** Closes every alert and keeps its text; an open alert would block the page. */
function collectAlerts(page: Page): string[] {
  const alerts: string[] = []
  page.on('dialog', async (dialog) => {
    alerts.push(dialog.message())
    await dialog.accept()
  })
  return alerts
}

function collectLog(page: Page): string[] {
  const lines: string[] = []
  page.on('console', (message) => lines.push(message.text()))
  return lines
}

test('an invalid identity configuration shows the box, above the content of who is in, admits no account and is named in the log', async ({
  page,
  browser,
}) => {
  let product = await startProduct()
  try {
    const context = await browser.newContext({ baseURL: product.origin })
    const reader = await context.newPage()
    await reader.goto('/docs/staging-env')
    await signIn(reader)
    await expect(reader.locator('article h1')).toBeVisible()
    await product.pause()
    product = await startProduct({ env: { FIREBASE_API_KEY: 'undefined' }, continues: product })
    await reader.goto('/docs/staging-env')
    const box = reader.getByRole('alert').filter({ hasText: '認証サービスの設定エラー' })
    await expect(box).toContainText('環境変数とコンソールログを確認してください。')
    const article = reader.locator('article h1')
    await expect(article).toBeVisible()
    const [boxAt, articleAt] = [await box.boundingBox(), await article.boundingBox()]
    expect((boxAt?.y ?? 0) + (boxAt?.height ?? 0)).toBeLessThan(articleAt?.y ?? 0)
    await context.close()

    const alerts = collectAlerts(page)
    const response = await page.goto(`${product.origin}/docs/staging-env`)
    expect(response?.status()).toBe(401)
    await expect(page.getByRole('heading', { name: '認証サービスの設定エラー' })).toBeVisible()
    await expect(page.getByText('環境変数とコンソールログを確認してください。')).toBeVisible()
    await loginButton(page).click()
    await expect.poll(() => alerts).toEqual([expect.stringContaining('管理者に連絡してください')])
    expect(product.output()).toContain('FIREBASE_API_KEY')
    const session = await page.request.post(`${product.origin}/__gate/session`, {
      data: { idToken: 'a.b.c', refreshToken: 'r' },
      headers: { origin: product.origin },
    })
    expect(session.status()).toBe(503)
  } finally {
    await product.stop()
  }
})

test('a popup that fails is logged and becomes a redirect; a redirect that fails is said', async ({
  page,
}) => {
  const alerts = collectAlerts(page)
  const log = collectLog(page)
  await page.addInitScript(() => {
    window.open = () => null
  })
  await page.route('**/emulator/auth/handler*', (route) => route.fulfill({ status: 204 })) // the page stays
  await page.goto('/docs/staging-env')
  await loginButton(page).click()
  await expect.poll(() => alerts).toEqual([expect.stringMatching(/^認証に失敗しました: ./)])
  expect(log.some((line) => line.includes('Popup sign-in failed'))).toBe(true)
  await expect(loginButton(page)).toBeEnabled()
})

test('a redirect result that cannot be read is logged and nothing else', async ({ page }) => {
  const alerts = collectAlerts(page)
  const log = collectLog(page)
  await page.route('**/emulator/auth/iframe*', (route) => route.abort())
  await page.addInitScript(() => {
    sessionStorage.setItem('firebase:pendingRedirect:local:[DEFAULT]', '"true"')
  })
  await page.goto('/docs/staging-env')
  await expect(loginButton(page)).toBeEnabled()
  expect(alerts).toEqual([])
  expect(log.join('\n')).toMatch(/redirect/i)
})

test('a sign-in that is refused is explained in Japanese, and can be tried again', async ({ page }) => {
  await page.goto('/docs/staging-env')
  for (const [status, code, text] of [
    [429, 'too_many_requests', 'ログインの回数が多すぎます'],
    [503, 'identity_unavailable', '一時的に利用できません'],
    [401, 'rejected', 'ログイン情報を確認できませんでした'],
  ] as const) {
    const body = JSON.stringify({ type: 'about:blank', title: code, status, code })
    const answer = { status, contentType: 'application/problem+json', body }
    await page.route('**/__gate/session', (route) => route.fulfill(answer))
    await chooseAccount(page, ACCOUNTS.member)
    await expect(page.getByText(text)).toBeVisible()
    await expect(loginButton(page)).toBeEnabled()
  }
})

test('a portal whose operator chose English speaks English before sign-in', { tag: LONG }, async ({
  page,
}) => {
  const product = await startProduct({ env: { SEKISHO_LOGIN_LANG: 'en', SEKISHO_TAGLINE: 'Handbook' } })
  try {
    await page.goto(`${product.origin}/docs/staging-env`)
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await expect(page).toHaveTitle(/^Log in \| /)
    await expect(page.getByRole('heading', { name: 'Please log in' })).toBeVisible()
    await chooseAccount(page, ACCOUNTS.outsider)
    await expect(page.getByRole('alert')).toHaveText(
      /This account has no access.*is not allowed to see this site/,
    )
    await expect(page.locator('main')).not.toHaveText(/[ぁ-んァ-ヶ]/)
  } finally {
    await product.stop()
  }
})
