import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import { ROUTES } from '@sekisho/contract/routes'
import type { AxeResults } from 'axe-core'
import { expect, test } from './support/fixtures.ts'
import { openPage } from './support/open-page.ts'
import { options, searchField } from './support/search.ts'
import { ACCOUNTS, loginButton } from './support/sign-in.ts'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

test.describe.configure({ timeout: 480_000 })

/** What axe finds on the page as it is now, one line for each element. */
async function findings(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.addScriptTag({ path: AXE })
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  )
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}

const SITE = new URL('../site/build/__sekisho/site.json', import.meta.url)
const PAGES: readonly string[] = JSON.parse(readFileSync(SITE, 'utf8')).pages.map(
  ({ path }: { path: string }) => path,
)

/** Where the built site keeps the reader's colour mode. */
const [, THEME_KEY = ''] =
  /getItem\("(theme[\w-]*)"\)/.exec(
    readFileSync(new URL('../site/build/index.html', import.meta.url), 'utf8'),
  ) ?? []

const MODES = [
  ['light', 390],
  ['light', 1440],
  ['dark', 390],
  ['dark', 1440],
] as const

for (const [mode, width] of MODES) {
  test.describe(`${mode}, ${width} px`, () => {
    test.use({ viewport: { width, height: 900 }, bypassCSP: true })
    test.beforeEach(async ({ context }) => {
      await context.addInitScript(([key, theme]) => localStorage.setItem(key, theme), [
        THEME_KEY,
        mode,
      ] as const)
    })

    test('every page passes axe', async ({ reader }) => {
      const pages = [...PAGES, '/no/such/page', `/search?${new URLSearchParams({ q: '検索' })}`]
      expect(pages.length).toBeGreaterThan(30)
      const found: Record<string, string[]> = {}
      for (const path of pages) {
        await openPage(reader, path)
        await expect(reader.locator('html')).toHaveAttribute('data-theme', mode)
        const lines = await findings(reader)
        if (lines.length > 0) found[path] = lines
      }
      expect(found).toEqual({})
    })

    test('what opens over a page passes axe', async ({ reader }) => {
      await openPage(reader, '/') // where a phone's menu is the main one
      await reader.keyboard.press('/')
      await expect(searchField(reader)).toBeFocused()
      expect(await findings(reader)).toEqual([])
      await searchField(reader).fill('リリース')
      await expect(options(reader).first()).toBeVisible()
      expect(await findings(reader)).toEqual([])
      await reader.keyboard.press('Escape')
      if (width < 996) {
        await reader.locator('.navbar__toggle').click()
        await reader.getByText('アカウントとログイン中の端末').click()
      } else await reader.getByRole('button', { name: ACCOUNTS.member }).click()
      await expect(reader.getByRole('listitem').filter({ hasText: 'このブラウザー' }).last()).toBeVisible()
      expect(await findings(reader)).toEqual([])
      await reader.getByRole('button', { name: 'すべての端末からログアウト' }).click()
      expect(await findings(reader)).toEqual([])
    })

    test('what comes later on a page passes axe', async ({ reader }) => {
      await openPage(reader, '/docs/sekisho-base/')
      await reader.getByRole('button', { name: 'いいえ', exact: true }).click()
      await expect(reader.getByRole('textbox', { name: /一言/ })).toBeVisible()
      expect(await findings(reader)).toEqual([])
      await reader.getByAltText(/カーテンとゲートの違い/).scrollIntoViewIfNeeded()
      await reader.getByRole('button', { name: /カーテンとゲートの違い.*拡大する/ }).click()
      await expect(reader.getByRole('dialog')).toBeVisible()
      expect(await findings(reader)).toEqual([])
      await reader.keyboard.press('Escape')

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
      expect(await findings(reader)).toEqual([])
    })

    test('the pages of the gate itself pass axe', async ({ reader }) => {
      await reader.emulateMedia({ colorScheme: mode })
      for (const path of [
        ROUTES.account.path,
        `${ROUTES.searchPage.path}?${new URLSearchParams({ q: '検索' })}`,
      ]) {
        await reader.goto(path)
        await expect(reader.getByRole('heading', { level: 1 })).toBeVisible()
        expect(await findings(reader), path).toEqual([])
      }
    })

    test('the login page passes axe', async ({ page }) => {
      await page.goto('/')
      await expect(loginButton(page)).toBeVisible()
      expect(await findings(page)).toEqual([])
    })
  })
}
