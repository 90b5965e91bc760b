import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, type Page, test } from '@playwright/test'
import { startTestProvider, type TestProvider } from '@sekisho/server/identity/testing'
import { findFreePort, type Product, startProduct } from '../support/product.ts'

/** Two companies sign in: staff at a provider that behaves as Okta does, partners at one like Google. */
test.describe.configure({ timeout: 180_000 })

const SEKISHO = fileURLToPath(new URL('../../packages/sekisho/bin/sekisho.mjs', import.meta.url))
const PAGES = { staff: '/staff/roster.html', partner: '/partner/price.html', everyone: '/guide/' } as const
const page = (title: string) =>
  `<!doctype html><html lang="ja"><title>${title} | 手引き</title><main><h1>${title}</h1><p>${title}の説明です。</p></main></html>`
const FILES: Readonly<Record<string, string>> = {
  'html/index.html': page('はじめに'),
  'html/guide/index.html': page('手順'),
  'html/staff/roster.html': page('当番表'),
  'html/partner/price.html': page('仕切価格'),
  'policy.json': JSON.stringify({
    domains: ['sekisho.example'],
    groups: { staff: ['okta:staff'], partner: ['okta:staff', '@partner.example'] },
  }),
  'sekisho.editions.json': JSON.stringify({
    editions: [
      { name: 'staff', audiences: ['staff', 'partner'] },
      { name: 'partner', audiences: ['partner'] },
      { name: 'everyone', audiences: [] },
    ],
    paths: { 'staff/**': 'staff', 'partner/**': 'partner' },
  }),
}
const STAFF = { name: '佐藤 花子', email: 'hanako@sekisho.example', email_verified: true, groups: ['staff'] }
const ACCOUNTS = {
  hanako: STAFF,
  ken: { name: '田中 健', email: 'ken@sekisho.example', email_verified: true, groups: [] },
  many: {
    ...{ name: '山田 多', email: 'many@sekisho.example', email_verified: true },
    groups: ['staff', ...Array.from({ length: 99 }, (_, n) => `g${n}`)],
  },
}
const PARTNERS = {
  jiro: { name: '鈴木 二郎', email: 'jiro@partner.example', email_verified: true, hd: 'partner.example' },
  stray: { name: '迷 子', email: 'stray@partner.example', email_verified: true },
}

let folder: string
let product: Product
let okta: TestProvider
let google: TestProvider

async function packEditions(dataDir: string): Promise<void> {
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true })
    await writeFile(path.join(folder, name), text)
  }
  await promisify(execFile)(process.execPath, [SEKISHO, 'pack', 'html', '--data-dir', dataDir], {
    cwd: folder,
  })
}

test.beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sekisho-readers-'))
  const ports = [await findFreePort(), await findFreePort()]
  product = await startProduct({
    publish: packEditions,
    env: {
      SEKISHO_IDENTITY: 'oidc',
      SEKISHO_POLICY_FILE: path.join(folder, 'policy.json'),
      SEKISHO_REVALIDATION_INTERVAL: '2s',
      SEKISHO_OIDC_ISSUER: `http://localhost:${ports[0]}`,
      SEKISHO_OIDC_VENDOR: 'okta',
      SEKISHO_OIDC_LABEL: '社員番号',
      SEKISHO_OIDC_CLIENT_ID: 'portal',
      SEKISHO_OIDC_CLIENT_SECRET: 'client-secret',
      SEKISHO_OIDC_DOMAINS: 'sekisho.example',
      SEKISHO_OIDC_2_ISSUER: `http://localhost:${ports[1]}`,
      SEKISHO_OIDC_2_VENDOR: 'google',
      SEKISHO_OIDC_2_LABEL: 'Google',
      SEKISHO_OIDC_2_CLIENT_ID: 'portal',
      SEKISHO_OIDC_2_CLIENT_SECRET: 'client-secret',
      SEKISHO_OIDC_2_DOMAINS: 'partner.example',
    },
  })
  const start = (port: number | undefined, name: string) =>
    startTestProvider({
      port: port ?? 0,
      redirectUris: [`${product.origin}/__gate/sign-in/${name}/callback`],
      hasPages: true,
    })
  okta = await start(ports[0], 'okta')
  google = await start(ports[1], 'google')
})
test.beforeEach(() => {
  for (const [id, claims] of Object.entries(ACCOUNTS)) okta.accounts.set(id, claims)
  for (const [id, claims] of Object.entries(PARTNERS)) google.accounts.set(id, claims)
})
test.afterAll(async () => {
  await Promise.all([okta[Symbol.asyncDispose](), google[Symbol.asyncDispose]()])
  await product.stop()
  await rm(folder, { recursive: true })
})

const loginButton = (reader: Page, label: string) =>
  reader.getByRole('button', { name: `${label} でログイン` })

async function signIn(reader: Page, label: string, name: string, address = '/'): Promise<void> {
  await reader.goto(product.origin + address)
  for (const each of ['社員番号', 'Google']) await expect(loginButton(reader, each)).toBeVisible()
  await loginButton(reader, label).click()
  await reader.getByRole('link', { name }).click()
}

/** Statuses of a reader for the page of each audience. */
async function statusesOf(reader: Page): Promise<readonly number[]> {
  const answers = Object.values(PAGES).map((address) => reader.request.get(product.origin + address))
  return (await Promise.all(answers)).map((answer) => answer.status())
}

for (const [who, label, name, statuses] of [
  ['staff read everything', '社員番号', '佐藤 花子', [200, 200, 200]],
  ['a partner reads what partners may', 'Google', '鈴木 二郎', [404, 200, 200]],
  ['whoever is in no group reads what everybody may', '社員番号', '田中 健', [404, 404, 200]],
] as const) {
  test(`two providers are two buttons of one page, and ${who}`, async ({ page: reader }) => {
    await signIn(reader, label, name, PAGES.everyone)
    await expect(reader.getByRole('heading', { name: '手順' })).toBeVisible()
    expect(await statusesOf(reader)).toEqual(statuses)
  })
}

test('a group that its provider took away is gone with the next proof', async ({ page: reader }) => {
  await signIn(reader, '社員番号', '佐藤 花子', PAGES.staff)
  await expect(reader.getByRole('heading', { name: '当番表' })).toBeVisible()
  okta.accounts.set('hanako', { ...STAFF, groups: [] })
  await expect.poll(() => statusesOf(reader), { timeout: 60_000 }).toEqual([404, 404, 200])
})

test('groups that were cut are none, and the reader is told', async ({ page: reader }) => {
  await signIn(reader, '社員番号', '山田 多', PAGES.everyone)
  await expect(reader.getByRole('heading', { name: '手順' })).toBeVisible()
  expect(await statusesOf(reader)).toEqual([404, 404, 200])
  await reader.goto(`${product.origin}/__gate/account`)
  await expect(reader.getByText('管理者に連絡してください')).toBeVisible()
})

test('an account of no company of ours is told so', async ({ page: reader }) => {
  await signIn(reader, 'Google', '迷 子', PAGES.everyone)
  await expect(reader.getByText('このサイトで使える組織のアカウントではありません')).toBeVisible()
})

test('a disabled account is out with the next proof, and asked for again', async ({ page: reader }) => {
  await signIn(reader, '社員番号', '佐藤 花子', PAGES.staff)
  await expect(reader.getByRole('heading', { name: '当番表' })).toBeVisible()
  okta.accounts.delete('hanako')
  await expect.poll(() => statusesOf(reader), { timeout: 60_000 }).toEqual([401, 401, 401])

  await reader.goto(product.origin + PAGES.staff)
  await expect(loginButton(reader, '社員番号')).toBeVisible()
  await expect(loginButton(reader, 'Google')).toBeVisible()
})

test('what came back from a provider counts once, and in the browser that asked', async ({
  page: reader,
  browser,
}) => {
  const callback = reader.waitForRequest((request) => request.url().includes('/__gate/sign-in/okta/callback'))
  await signIn(reader, '社員番号', '佐藤 花子', PAGES.staff)
  await expect(reader.getByRole('heading', { name: '当番表' })).toBeVisible()
  const address = (await callback).url()
  const other = await browser.newPage()
  for (const again of [reader, other]) {
    await again.context().clearCookies()
    await again.goto(address)
    await expect(again.getByText('別のブラウザーで続けられました')).toBeVisible()
  }
  await other.close()
})

test('a provider that signs with new keys signs readers in, half a minute later at most', async ({
  page: reader,
}) => {
  await okta.rotateKeys()
  await expect(async () => {
    await reader.context().clearCookies() // the provider's, too, which would ask for nobody
    await signIn(reader, '社員番号', '佐藤 花子', PAGES.staff)
    await expect(reader.getByRole('heading', { name: '当番表' })).toBeVisible({ timeout: 5_000 })
  }).toPass({ timeout: 90_000 })
})
