import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { previewOrigin } from '@sekisho/contract/preview-host'
import { openPreviewStore, type Preview, previewReleasesDir } from '@sekisho/release'
import { packRelease } from '@sekisho/release/packing'
import { axeFindings } from '../support/axe.ts'
import { expect, test } from '../support/fixtures.ts'
import type { Product } from '../support/product.ts'
import { ACCOUNTS, chooseAccount, loginButton, logoutButton, signIn } from '../support/sign-in.ts'

const DAY_MS = 86_400_000
const PORTAL_PAGE = '/docs/sekisho-overview'

const HOSTILE: Readonly<Record<string, string>> = {
  'index.html':
    '<!doctype html><html lang="ja"><title>悪意 | Sekisho</title><body><main><h1>悪意のあるプレビュー</h1></main></body></html>',
  '404.html': '<!doctype html><title>見つかりません | Sekisho</title>',
  'worker.js': 'self.addEventListener("fetch", () => {})',
  '__sekisho/site.json': JSON.stringify({
    ...{ format: 1, title: 'Sekisho', tagline: '技術ドキュメントポータル', lang: 'ja', baseUrl: '/' },
    pages: [{ path: '/', file: 'index.html', title: '悪意 | Sekisho' }],
    ...{ redirects: [], notFound: '404.html' },
  }),
}

async function publishHostile(dataDir: string, name: string): Promise<void> {
  const buildDir = await mkdtemp(path.join(tmpdir(), 'sekisho-preview-'))
  for (const [file, text] of Object.entries(HOSTILE)) {
    await mkdir(path.dirname(path.join(buildDir, file)), { recursive: true })
    await writeFile(path.join(buildDir, file), text)
  }
  await packRelease({ buildDir, dataDir: path.dirname(previewReleasesDir(dataDir, name)), clock: Date.now })
  await rm(buildDir, { recursive: true })
}

/** Describes a preview whose releases are in place, and waits until the gate serves its host. */
async function addPreview(product: Product, name: string, changes: Partial<Preview> = {}): Promise<string> {
  const nowMs = Date.now()
  const times = { createdAtMs: nowMs, expiresAtMs: nowMs + 14 * DAY_MS }
  await openPreviewStore({ folder: product.dataDir }).describe({
    ...{ name, branch: 'feature/search', commit: '0123456789abcdef' },
    ...times,
    ...changes,
  })
  const origin = previewOrigin(name, new URL(product.origin))?.origin ?? ''
  await expect.poll(() => statusOf(product, origin)).toBe(401)
  return origin
}

/** As a stranger, with the Host that the address names. */
async function statusOf(product: Product, origin: string): Promise<number> {
  const { hostname, port } = new URL(product.origin)
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  request({ host: hostname, port, path: '/', headers: { Host: new URL(origin).host } }, (answer) => {
    answer.resume()
    resolve(answer.statusCode ?? 0)
  })
    .on('error', reject)
    .end()
  return promise
}

async function copySite(product: Product, name: string): Promise<void> {
  await cp(path.join(product.dataDir, 'releases'), previewReleasesDir(product.dataDir, name), {
    recursive: true,
  })
}

const banner = (page: Page) => page.getByRole('complementary', { name: 'プレビュー' })
const openButton = (page: Page) => page.getByRole('button', { name: '開く', exact: true })

test('a reader is handed over by way of the portal, and comes back to the very address', async ({
  page,
  product,
  context,
}) => {
  await copySite(product, 'pr-7')
  const preview = await addPreview(product, 'pr-7')
  const asked: { url: string; body: string | null }[] = []
  page.on('request', (request) => asked.push({ url: request.url(), body: request.postData() }))
  await page.goto(`${preview}${PORTAL_PAGE}?a=1#section`)
  await expect(loginButton(page)).toBeVisible()
  expect(new URL(page.url()).origin).toBe(product.origin)
  await chooseAccount(page, ACCOUNTS.member)
  await expect(page.getByRole('heading', { name: 'プレビューを開く: pr-7' })).toBeVisible()
  expect(await page.textContent('main')).toContain('feature/search')
  await openButton(page).click()
  await expect(page).toHaveURL(`${preview}${PORTAL_PAGE}?a=1#section`)
  await expect(page.locator('article h1').first()).toBeVisible()

  const [, ticket = ''] = /ticket=([\w-]+)/.exec(asked.map(({ body }) => body ?? '').join('\n')) ?? []
  expect(ticket.length).toBeGreaterThan(80)
  expect(asked.filter(({ url }) => url.includes(ticket))).toEqual([])
  const entries = await page.evaluate(() => navigation.entries().map(({ url }) => url))
  expect(entries.join()).not.toContain(ticket)
  expect(product.output()).not.toContain(ticket)
  const replay = await page.evaluate(async (spent) => {
    const headers = { 'Content-Type': 'application/json' }
    await fetch('/__gate/preview/begin', { method: 'POST', headers })
    const init = { method: 'POST', headers, body: JSON.stringify({ ticket: spent }) }
    return (await fetch('/__gate/preview/enter', init)).status
  }, ticket)
  expect(replay).toBe(401)

  const cookies = await context.cookies()
  const ofSession = cookies.filter(({ name }) => name === 'sekisho')
  expect(ofSession.map(({ domain }) => domain).sort()).toEqual(['localhost', 'pr-7--portal.localhost'])
  expect(new Set(ofSession.map(({ value }) => value)).size).toBe(2)
})

test('pages of a preview say so, on a phone too, and readers can search it', async ({ reader, product }) => {
  await copySite(product, 'pr-6')
  const preview = await addPreview(product, 'pr-6')
  await reader.setViewportSize({ width: 390, height: 844 })
  await reader.goto(`${preview}${PORTAL_PAGE}`)
  await openButton(reader).click()
  await expect(banner(reader)).toBeInViewport({ ratio: 1 })
  await expect(banner(reader)).toContainText('プレビュー pr-6（ブランチ feature/search、コミット 012345678、')
  await expect(banner(reader).getByRole('link', { name: 'ポータルへ' })).toHaveAttribute(
    'href',
    `${product.origin}/`,
  )
  const box = await reader.locator('[data-sekisho-notices]').boundingBox()
  expect(box).toMatchObject({ x: 0, width: 390 })
  expect(await reader.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  expect(await axeFindings(reader)).toEqual([])

  await reader.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  const covers = await reader.evaluate(() => {
    const [footer, bar] = ['footer', '[data-sekisho-notices]'].map((name) => document.querySelector(name))
    if (!footer || !bar) throw new Error('no footer or banner')
    return footer.getBoundingClientRect().bottom > bar.getBoundingClientRect().top + 1
  })
  expect(covers).toBe(false)
  const found = await reader.evaluate(async () => (await fetch('/__gate/search?q=環境')).json())
  expect(found.results.length).toBeGreaterThan(0)

  await reader.goto(`${preview}${encodeURI('/api/検索/search')}`)
  await expect(reader.getByText('プレビューでは試せません。')).toBeVisible()
})

test('a hostile preview reads nothing of the portal and cannot use its session', async ({
  reader,
  product,
  context,
}) => {
  await publishHostile(product.dataDir, 'evil')
  const preview = await addPreview(product, 'evil')
  await reader.goto(`${preview}/`)
  await openButton(reader).click()
  await expect(reader.getByRole('heading', { name: '悪意のあるプレビュー' })).toBeVisible()
  const secret = (await context.cookies(product.origin)).find(({ name }) => name === 'sekisho')?.value ?? ''
  expect(secret).toMatch(/^[\w-]{43}$/)
  const signedIn = async () => (await context.request.get(`${product.origin}/__gate/session`)).status()
  expect(await signedIn()).toBe(200)

  const got = await reader.evaluate(
    async ({ portal, page }) => {
      const attempt = async (run: () => unknown) => {
        try {
          return String(await run())
        } catch (error) {
          return `refused: ${(error as Error).name}`
        }
      }
      const read = (address: string, init: RequestInit) =>
        attempt(async () => (await fetch(portal + address, { credentials: 'include', ...init })).text())
      const frame = document.createElement('iframe')
      frame.src = portal + page
      document.body.append(frame)
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      return {
        cookies: document.cookie,
        storage: JSON.stringify({ ...localStorage, ...sessionStorage }),
        page: await read(page, {}),
        opaque: await read(page, { mode: 'no-cors' }),
        session: await read('/__gate/session', {}),
        search: await read('/__gate/search?q=環境', {}),
        signOut: await read('/__gate/sessions', { method: 'DELETE' }),
        ticket: await read('/__gate/hand-over?to=evil&challenge=x', { method: 'POST' }),
        frame: await attempt(() => frame.contentDocument?.body.textContent ?? 'refused: nothing'),
        worker: await attempt(async () => {
          await navigator.serviceWorker.register('/worker.js')
          return 'registered'
        }),
        popup: await attempt(async () => {
          const opened = window.open(portal + page)
          await new Promise((resolve) => setTimeout(resolve, 3_000))
          return opened === null || opened.closed ? 'refused: closed' : opened.document.body.textContent
        }),
      }
    },
    { portal: product.origin, page: PORTAL_PAGE },
  )
  const { cookies, storage, ...attempts } = got
  expect(cookies + storage).not.toContain(secret)
  for (const [name, text] of Object.entries(attempts)) expect(text, name).toMatch(/^refused|^$/)
  expect(await signedIn()).toBe(200)

  // With the preview's own cookie, under the portal's address and as the portal's.
  const own = (await context.cookies(preview)).find(({ name }) => name === 'sekisho')?.value ?? ''
  const answer = await fetch(`${product.origin}${PORTAL_PAGE}`, { headers: { cookie: `sekisho=${own}` } })
  expect(answer.status).toBe(401)
  // Its reader goes there by a link of the preview: the portal opens, and cannot be reached from where they came.
  await reader.evaluate((address) => {
    const link = document.createElement('a')
    link.href = address
    link.target = '_blank'
    link.rel = 'opener'
    link.textContent = 'リンク'
    document.body.prepend(link)
  }, `${product.origin}${PORTAL_PAGE}`)
  const opened = context.waitForEvent('page')
  await reader.getByRole('link', { name: 'リンク' }).click()
  const portalTab = await opened
  await expect(portalTab.locator('article h1').first()).toBeVisible()
  expect(await portalTab.evaluate(() => window.opener)).toBeNull()
  // A hand-over to another preview stops at the portal, which asks.
  await addPreview(product, 'pr-7')
  const challenge = 'A'.repeat(43)
  await reader.goto(`${product.origin}/__gate/hand-over?to=pr-7&challenge=${challenge}`)
  await expect(openButton(reader)).toBeVisible()
  expect(new URL(reader.url()).origin).toBe(product.origin)
})

test('who may not read a preview is told that there is none', async ({ page, product }) => {
  await publishHostile(product.dataDir, 'few')
  const readers = { domains: [], emails: ['nobody@sekisho.example'] }
  const preview = await addPreview(product, 'few', { readers })
  await page.goto(`${preview}/`)
  await chooseAccount(page, ACCOUNTS.secondMember)
  await expect(page.getByText('このプレビューはありません')).toBeVisible()
  await expect(openButton(page)).toHaveCount(0)
})

test('signing out of the portal ends the preview, whose pages are then refused', async ({
  page,
  product,
}) => {
  await copySite(product, 'pr-8')
  const preview = await addPreview(product, 'pr-8')
  await page.goto('/markdown-page')
  await signIn(page)
  await page.goto(`${preview}${PORTAL_PAGE}`)
  await openButton(page).click()
  await expect(banner(page)).toBeVisible()
  await page.goto('/markdown-page')
  await logoutButton(page).click()
  await expect(loginButton(page)).toBeVisible()
  await page.goto(`${preview}${PORTAL_PAGE}`)
  await expect(loginButton(page)).toBeVisible()
  expect(new URL(page.url()).origin).toBe(product.origin)
})

test('a preview that was removed, or has expired, is an unknown host', async ({ product }) => {
  const unknown = await statusOf(product, 'http://nobody--portal.localhost')
  for (const name of ['gone', 'over']) {
    await publishHostile(product.dataDir, name)
    const origin = await addPreview(product, name)
    if (name === 'gone') await openPreviewStore({ folder: product.dataDir }).remove(name)
    else {
      const nowMs = Date.now()
      const preview = {
        name,
        branch: 'main',
        commit: 'fffffff',
        createdAtMs: nowMs,
        expiresAtMs: nowMs + 2_500,
      }
      await openPreviewStore({ folder: product.dataDir }).describe(preview)
    }
    await expect.poll(() => statusOf(product, origin)).toBe(unknown)
    await expect
      .poll(async () => (await openPreviewStore({ folder: product.dataDir }).list()).map((one) => one.name))
      .not.toContain(name)
  }
})
