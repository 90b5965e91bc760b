import { expect, type Page, type Request, test } from '@playwright/test'
import { startTestProvider, type TestProvider } from '@sekisho/server/identity/testing'
import { findFreePort, type Product, startProduct } from '../support/product.ts'

/** A page with a heading that is asked for by name. */
const ADDRESS = '/docs/staging-env?from=mail#%E7%AB%8B%E3%81%A6%E6%96%B9'
const MAX_LOGIN_BYTES = 25_000

let product: Product
let provider: TestProvider

test.beforeAll(async () => {
  const port = await findFreePort()
  product = await startProduct({
    env: {
      SEKISHO_IDENTITY: 'oidc',
      SEKISHO_OIDC_ISSUER: `http://localhost:${port}`,
      SEKISHO_OIDC_CLIENT_ID: 'portal',
      SEKISHO_OIDC_CLIENT_SECRET: 'client-secret',
      SEKISHO_OIDC_LABEL: '社員番号',
      SEKISHO_REVALIDATION_INTERVAL: '2s',
    },
  })
  const redirectUris = [`${product.origin}/__gate/sign-in/oidc/callback`]
  provider = await startTestProvider({ port, redirectUris, hasPages: true })
  const claims = { name: '佐藤 花子', email: 'hanako@sekisho.example', email_verified: true }
  provider.accounts.set('hanako', claims)
  provider.accounts.set('ken', { name: '田中 健', email: 'ken@elsewhere.example', email_verified: true })
})
test.afterAll(async () => {
  await provider[Symbol.asyncDispose]()
  await product.stop()
})

const loginButton = (page: Page) => page.getByRole('button', { name: '社員番号 でログイン' })

async function signIn(page: Page, name: string): Promise<void> {
  await loginButton(page).click()
  await page.getByRole('link', { name }).click()
}

test('a reader signs in at the provider and is back at the very address', async ({ page }) => {
  const finished: Request[] = []
  page.on('requestfinished', (request) => finished.push(request))
  const response = await page.goto(product.origin + ADDRESS)
  expect(response?.status()).toBe(401)
  await expect(loginButton(page)).toBeVisible()
  await expect(page.getByText('社員番号 アカウントでのログインが必要です')).toBeVisible()
  await page.waitForLoadState('networkidle')
  const sizes = await Promise.all([...finished].map((request) => request.sizes()))
  expect(sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)).toBeLessThan(MAX_LOGIN_BYTES)
  expect(finished.map((request) => request.url()).filter((url) => /firebase|google/i.test(url))).toEqual([])

  await signIn(page, '佐藤 花子')
  await expect(page.locator('.navbar')).toBeVisible()
  expect(page.url()).toBe(product.origin + ADDRESS)
})

test('an account that is not admitted is named, and the next one is asked for', async ({ page }) => {
  await page.goto(product.origin + ADDRESS)
  await signIn(page, '田中 健')
  await expect(page.getByRole('heading', { name: 'このアカウントでは閲覧できません' })).toBeVisible()
  await expect(page.getByText('ken@elsewhere.example')).toBeVisible()
  expect(page.url()).toBe(product.origin + ADDRESS)
  const asked = page.waitForRequest((request) => request.url().includes('prompt=select_account'))
  await loginButton(page).click()
  await asked
})

test('a session that cannot be proven any more begins anew without a page of the provider', async ({
  page,
}) => {
  const claims = provider.accounts.get('hanako') ?? {}
  await page.goto(product.origin + ADDRESS)
  await signIn(page, '佐藤 花子')
  await expect(page.locator('.navbar')).toBeVisible()
  await page.goto('about:blank') // an open tab would begin by itself
  provider.accounts.delete('hanako')
  const session = `${product.origin}/__gate/session`
  await expect.poll(async () => (await page.request.get(session)).status(), { timeout: 60_000 }).toBe(401)
  provider.accounts.set('hanako', claims)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(product.origin + ADDRESS)
  await expect(page.locator('.navbar')).toBeVisible()
  expect(page.url()).toBe(product.origin + ADDRESS)
  expect(asked.filter((url) => url.includes('prompt=none'))).toHaveLength(1)
  expect(asked.filter((url) => url.includes('/interaction/'))).toEqual([])
})

test('the provider signs a reader out', async ({ page, request }) => {
  await page.goto(product.origin + ADDRESS)
  await signIn(page, '佐藤 花子')
  await expect(page.locator('.navbar')).toBeVisible()
  await page.goto('about:blank') // an open tab would reload by itself
  const now = Math.floor(Date.now() / 1_000)
  const token = await provider.sign({
    ...{ iss: provider.issuer, aud: provider.clientId, iat: now, exp: now + 60, jti: crypto.randomUUID() },
    ...{ sub: 'hanako', events: { 'http://schemas.openid.net/event/backchannel-logout': {} } },
  })
  const told = await request.post(`${product.origin}/__gate/sign-in/oidc/backchannel-logout`, {
    form: { logout_token: token },
  })
  expect(told.status()).toBe(204)
  expect((await page.goto(product.origin + ADDRESS))?.status()).toBe(401)
  await expect(loginButton(page)).toBeVisible()
})
