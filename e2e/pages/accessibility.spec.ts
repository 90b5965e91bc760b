import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { AGENT_ROUTES, ROUTES } from '@sekisho/contract/routes'
import { axeFindings } from '../support/axe.ts'
import { expect, LONG, test } from '../support/fixtures.ts'
import { openPage } from '../support/open-page.ts'
import { options, searchField } from '../support/search.ts'
import { ACCOUNTS, loginButton, signIn } from '../support/sign-in.ts'

const DESKTOP = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 900 }
/** Rules that a change of colours alone may break. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']
/** Rules that a narrower window alone may break; features of phones are opened below. */
const OF_LAYOUT = ['scrollable-region-focusable', 'target-size']

test.describe.configure({ mode: 'parallel', timeout: 480_000 })
test.use({ viewport: DESKTOP })

type Mode = 'light' | 'dark'

const SITE = new URL('../../site/build/__sekisho/site.json', import.meta.url)
const PAGES: readonly string[] = JSON.parse(readFileSync(SITE, 'utf8')).pages.map(
  ({ path }: { path: string }) => path,
)

/** Storage key of the reader's colour mode. */
const [, THEME_KEY = ''] =
  /getItem\("(theme[\w-]*)"\)/.exec(
    readFileSync(new URL('../../site/build/index.html', import.meta.url), 'utf8'),
  ) ?? []

/** Another tab chooses the colours, and this one follows; the login page reads them when it starts, and the gate's own pages have those of the system. */
async function setColours(page: Page, mode: Mode): Promise<void> {
  await page.emulateMedia({ colorScheme: mode, reducedMotion: 'reduce' })
  await page.evaluate(
    ([key, newValue]) => {
      const { dataset } = document.documentElement
      if (dataset.theme === undefined) return
      localStorage.setItem(key, newValue)
      if (dataset.hasHydrated === undefined) dataset.theme = newValue
      else dispatchEvent(new StorageEvent('storage', { key, newValue, storageArea: localStorage }))
    },
    [THEME_KEY, mode] as const,
  )
  await expect(page.locator(`html:not([data-theme]), html[data-theme=${mode}]`)).toHaveCount(1)
  // Colours on their way from one to the other are nobody's.
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
}

/** Findings on the current page: in light colours, and in dark ones those that colours may cause. */
async function findingsInBothColours(page: Page): Promise<string[]> {
  await setColours(page, 'light')
  const light = await axeFindings(page)
  await setColours(page, 'dark')
  return [...light, ...(await axeFindings(page, OF_COLOURS)).map((line) => `dark ${line}`)]
}

/** Complaints of the browser: policy violations, script errors, hydration warnings. */
function collectComplaints(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return complaints
}

/** Pages that Docusaurus or a plugin makes alike; the first of each kind is opened here, and all in the long tests. */
const ALIKE = [
  /^\/api\/schemas\/./,
  /^\/api\/(?!schemas\/)./,
  /^\/blog\/(?:tags|authors)\/./,
  /^\/blog\/(?!(?:archive|authors|tags)$|(?:tags|authors)\/)./,
  /^\/docs\/category\//,
  /^\/(?:docs|knowledge)\/(?!category\/|sekisho-base\/$)./,
]
const firstOfKind = new Set(ALIKE.map((kind) => PAGES.find((path) => kind.test(path))))
const isOneOfMany = (path: string) => ALIKE.some((kind) => kind.test(path)) && !firstOfKind.has(path)

const pages = [...PAGES, '/no/such/page', `/search?${new URLSearchParams({ q: '検索' })}`]

for (const isLong of [false, true])
  test(`every page${isLong ? ' like another' : ''} opens without a complaint, passes axe and fits a phone`, {
    tag: isLong ? LONG : [],
  }, async ({ reader, product }) => {
    const chosen = pages.filter((path) => isOneOfMany(path) === isLong)
    expect(chosen.length).toBeGreaterThan(15)
    const found: Record<string, string[]> = {}
    const complaints = collectComplaints(reader)
    reader.on('request', (request) => {
      const { origin, protocol } = new URL(request.url())
      if (protocol.startsWith('http') && origin !== product.origin) complaints.push(request.url())
    })
    for (const path of chosen) {
      await reader.setViewportSize(DESKTOP)
      await openPage(reader, path)
      // The browser itself complains of the status of a page that is missing.
      const lines = complaints.splice(0).filter((line) => path !== '/no/such/page' || !line.includes('404'))
      lines.push(...(await findingsAtBothWidths(reader)))
      if (lines.length > 0) found[path] = lines
    }
    expect(found).toEqual({})
    expect(complaints).toEqual([])
    await reader.evaluate(
      "document.body.append(Object.assign(document.createElement('script'), { text: '1' }))",
    )
    await expect.poll(() => complaints.join()).toContain('script-src') // a violation would have been noticed
  })

/** Findings on an open page in both colours, and on phones what their width may cause. */
async function findingsAtBothWidths(page: Page): Promise<string[]> {
  const found = await findingsInBothColours(page)
  await page.setViewportSize(PHONE)
  await expect(page.locator('.navbar__toggle')).toBeVisible()
  await expect.poll(() => tablesWithoutKeyboard(page)).toBe(0)
  found.push(...(await axeFindings(page, OF_LAYOUT)).map((line) => `390 px ${line}`))
  for (const width of [390, 320]) {
    await page.setViewportSize({ ...PHONE, width })
    const wide = await page.evaluate(() => document.documentElement.scrollWidth)
    if (wide > width) found.push(`${wide} px wide on a phone of ${width} px`)
  }
  return found
}

/** Tables that scroll now and take no focus: a table measures itself with the frame after it became narrower. */
function tablesWithoutKeyboard(page: Page): Promise<number> {
  return page.evaluate(() => {
    const unfocused = [...document.querySelectorAll('.sekisho-table__scroller:not([tabindex])')]
    return unfocused.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1).length
  })
}

for (const size of [PHONE, DESKTOP]) {
  test.describe(`at ${size.width} px`, { tag: size === PHONE ? LONG : [] }, () => {
    test.use({ viewport: size })

    test('what opens over a page passes axe', async ({ reader }) => {
      await openPage(reader, '/') // where a phone's menu is the main one
      await reader.keyboard.press('/')
      await expect(searchField(reader)).toBeFocused()
      expect(await findingsInBothColours(reader)).toEqual([])
      await searchField(reader).fill('リリース')
      await expect(options(reader).first()).toBeVisible()
      expect(await findingsInBothColours(reader)).toEqual([])
      await searchField(reader).fill('ぬぬぬぬ')
      await expect(options(reader)).toHaveCount(0)
      expect(await findingsInBothColours(reader)).toEqual([])
      await reader.keyboard.press('Escape')
      if (size === PHONE) {
        await reader.locator('.navbar__toggle').click()
        await reader.getByText('アカウントとログイン中の端末').click()
      } else await reader.getByRole('button', { name: ACCOUNTS.member }).click()
      await expect(reader.getByRole('listitem').filter({ hasText: 'このブラウザー' }).last()).toBeVisible()
      expect(await findingsInBothColours(reader)).toEqual([])
      await reader.getByRole('button', { name: 'すべての端末からログアウト' }).click()
      expect(await findingsInBothColours(reader)).toEqual([])
    })

    test('what comes later on a page passes axe', async ({ reader }) => {
      await openPage(reader, '/docs/sekisho-base/')
      await reader.locator('summary[aria-label="このページの操作"]').press('Enter')
      await expect(reader.locator('.sekisho-head-menu__panel')).toBeVisible()
      expect(await findingsInBothColours(reader)).toEqual([])
      await reader.keyboard.press('Escape')
      await reader.getByRole('button', { name: 'いいえ', exact: true }).click()
      await expect(reader.getByRole('textbox', { name: /一言/ })).toBeVisible()
      expect(await findingsInBothColours(reader)).toEqual([])
      await reader.getByAltText(/カーテンとゲートの違い/).scrollIntoViewIfNeeded()
      await reader.getByRole('button', { name: /カーテンとゲートの違い.*拡大する/ }).click()
      await expect(reader.getByRole('dialog')).toBeVisible()
      expect(await findingsInBothColours(reader)).toEqual([])
      await reader.keyboard.press('Escape')

      await openPage(reader, encodeURI('/api/検索/search'))
      const panel = reader.getByRole('region', { name: '試してみる' })
      await panel.getByRole('textbox', { name: 'q（必須）' }).fill('ステージング環境')
      await reader.keyboard.press('Enter')
      await expect(panel.getByRole('status')).toHaveText(/^ステータス 200（/)
      expect(await findingsInBothColours(reader)).toEqual([])

      let changes: object = { isSignInConfigured: false }
      await reader.route('**/__gate/session', async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...(await response.json()), ...changes } })
      })
      await openPage(reader, '/docs/environment-setup')
      await expect(reader.getByRole('alert')).toContainText('認証サービスの設定エラー')
      changes = { isSignInConfigured: false, release: 'another' }
      await reader.evaluate(() => void window.dispatchEvent(new Event('focus')))
      await expect(reader.getByText(/新しい版があります|読めるページが変わりました/)).toBeVisible({
        timeout: 70_000,
      })
      expect(await findingsInBothColours(reader)).toEqual([])
    })

    test('the pages of the gate itself pass axe', async ({ reader }) => {
      const asked = {
        ...{ response_type: 'code', state: 'one', scope: 'docs:read' },
        client_id: 'https://claude.ai/oauth/claude-code-client-metadata',
        redirect_uri: 'http://localhost:53123/callback',
        ...{ code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' },
      }
      for (const path of [
        ROUTES.account.path,
        `${ROUTES.searchPage.path}?${new URLSearchParams({ q: '検索' })}`,
        `${AGENT_ROUTES.authorize.path}?${new URLSearchParams(asked)}`,
        `${AGENT_ROUTES.authorize.path}?${new URLSearchParams({ ...asked, client_id: 'nobody' })}`,
        `${ROUTES.handOver.path}?${new URLSearchParams({ preview: 'none' })}`,
      ]) {
        await reader.goto(path)
        await expect(reader.getByRole('heading', { level: 1 })).toBeVisible()
        expect(await findingsInBothColours(reader), path).toEqual([])
      }
    })

    test('the login page passes axe, and says why a session has ended', async ({
      page,
      browser,
      product,
    }) => {
      await page.goto('/')
      await expect(loginButton(page)).toBeVisible()
      expect(await findingsInBothColours(page)).toEqual([])
      // An account of nobody else's here: all its sessions end.
      await signIn(page, ACCOUNTS.secondMember)
      await page.goto('/markdown-page')
      const far = await browser.newContext({ baseURL: product.origin })
      const other = await far.newPage()
      await other.goto('/markdown-page')
      await signIn(other, ACCOUNTS.secondMember)
      const headers = { origin: product.origin }
      const ended = await far.request.delete(ROUTES.sessions.path, { headers })
      expect(ended.ok()).toBe(true)
      await far.close()
      // The page may be leaving by itself already.
      await page.evaluate(() => void window.dispatchEvent(new Event('focus'))).catch(() => undefined)
      await expect(page.getByText('ほかのブラウザーからの操作で')).toBeVisible({ timeout: 90_000 })
      expect(await findingsInBothColours(page)).toEqual([])
    })
  })
}
