import { expect, test } from '../support/fixtures.ts'
import { openPage, waitUntilFetchedAhead } from '../support/open-page.ts'
import {
  chosen,
  countMarks,
  openSearch,
  options,
  searchButton,
  searchDialog,
  searchField,
} from '../support/search.ts'
import { loginButton, logoutButton, signIn, signInByPopup } from '../support/sign-in.ts'

test('opens by key and by click, closes with Esc, and gives the focus back', async ({ reader }) => {
  await openSearch(reader)
  await reader.keyboard.press('Escape')
  await expect(searchDialog(reader)).toHaveCount(0)
  for (const shortcut of ['Control+k', 'Meta+k']) {
    await reader.keyboard.press(shortcut)
    await expect(searchField(reader)).toBeFocused()
    await reader.keyboard.press('Escape')
    await expect(searchDialog(reader)).toHaveCount(0)
  }
  await searchButton(reader).click()
  await expect(searchField(reader)).toBeFocused()
  await reader.mouse.click(5, 300)
  await expect(searchDialog(reader)).toHaveCount(0)
  await expect(searchButton(reader)).toBeFocused()
})

test('opens by a key pressed while the page still loads its content', async ({ reader }) => {
  const { promise: isPressed, resolve } = Promise.withResolvers<void>()
  await reader.route(/\/assets\/js\/(?!main|runtime)/, async (route) => {
    await isPressed
    await route.continue()
  })
  await reader.goto('/docs/sekisho-overview', { waitUntil: 'domcontentloaded' })
  await expect(reader.locator('html')).toHaveAttribute('data-has-hydrated', 'false')
  await reader.waitForFunction(() => Object.keys(window).some((name) => /^\w+Chunk/.test(name))) // the first script has run
  await reader.keyboard.press('Control+k')
  resolve()
  await expect(searchField(reader)).toBeFocused()
})

test('loads the code of the dialog when idle, not with the page and not again', async ({ reader }) => {
  const path = '/docs/staging-env'
  const html = await (await reader.request.get(path)).text()
  const scripts: string[] = []
  reader.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname)
  })
  await openPage(reader, path)
  await expect.poll(() => scripts.filter((script) => !html.includes(script)).length).toBeGreaterThan(0)
  await waitUntilFetchedAhead(reader)
  const before = scripts.length
  await searchButton(reader).click()
  await expect(searchDialog(reader)).toBeVisible()
  expect(scripts.slice(before)).toEqual([])
})

test('loses no key that is pressed before the dialog is there', async ({ reader }) => {
  const path = '/docs/sekisho-overview'
  const html = await (await reader.request.get(path)).text()
  const { promise, resolve } = Promise.withResolvers<void>()
  await reader.route('**/assets/js/**', async (route) => {
    if (!html.includes(new URL(route.request().url()).pathname)) await promise
    await route.continue()
  })
  await openPage(reader, path)
  for (const key of '/docker') await reader.keyboard.press(key)
  await expect(searchDialog(reader)).toHaveCount(0)
  resolve()
  await expect(searchDialog(reader)).toBeVisible()
  await expect(searchField(reader)).toHaveValue('docker')
})

test('fetches the code of the first result before it is opened', async ({ reader }) => {
  const field = await openSearch(reader)
  await waitUntilFetchedAhead(reader)
  const fetched = reader.waitForRequest((request) => /\/assets\/.*\.js/.test(request.url()))
  await field.fill('MDX で読者が触れる')
  await expect(chosen(reader)).toContainText('MDX')
  await fetched
  expect(new URL(reader.url()).pathname).toBe('/docs/sekisho-overview')
})

test('finds pages with their sections, says how many, and keeps them until the next ones are there', async ({
  reader,
}) => {
  const field = await openSearch(reader)
  await field.fill('セッション')
  await expect(chosen(reader)).toHaveCount(1)
  await expect(field).toHaveAttribute('aria-expanded', 'true')
  const activeId = await field.getAttribute('aria-activedescendant')
  await expect(chosen(reader)).toHaveAttribute('id', activeId ?? '')
  const group = searchDialog(reader).getByRole('group', { name: '運用の基本' })
  await expect(group.getByRole('option', { name: 'セッションの期限' })).toBeVisible()
  await expect(group.locator('mark').first()).toHaveText('セッション')
  await expect(searchDialog(reader).getByRole('status')).toHaveText(/^\d+ ページ見つかりました$/)

  await reader.evaluate(`window.emptied = 0; new MutationObserver(() => {
    if (document.querySelectorAll('[role="option"]').length === 0) window.emptied += 1
  }).observe(document.querySelector('dialog'), { childList: true, subtree: true })`)
  await field.pressSequentially('の期限', { delay: 30 })
  await expect(chosen(reader)).toBeVisible()
  expect(await reader.evaluate('window.emptied')).toBe(0)
})

test('shows the first result without waiting for anything but the answer', async ({ reader }) => {
  await reader.clock.install()
  const field = await openSearch(reader)
  await reader.clock.pauseAt(Date.now() + 3_600_000) // a result that waited for a timer would never come
  const asked: string[] = []
  reader.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/__gate/search') asked.push(searchParams.get('q') ?? '')
  })
  await field.fill('検索')
  await expect(searchDialog(reader).locator('[role="option"] mark').first()).toHaveText('検索')
  expect(asked).toEqual(['検索'])
})

test('follows a conversion without confirming anything by itself', async ({ reader, context }) => {
  const field = await openSearch(reader)
  const ime = await context.newCDPSession(reader)
  const compose = (text: string) =>
    ime.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
  for (const text of ['k', 'か', 'かん', 'かんきょう', 'かんきょうこうちく']) await compose(text)
  await expect(chosen(reader)).toContainText('環境構築')
  await compose('環境構築')
  await expect(chosen(reader)).toContainText('環境構築')

  // What browsers send for the Enter that confirms: a key of the conversion, then the end of it.
  await ime.send('Input.dispatchKeyEvent', {
    type: 'rawKeyDown',
    key: 'Enter',
    code: 'Enter',
    windowsVirtualKeyCode: 229,
  })
  await ime.send('Input.insertText', { text: '環境構築' })
  await ime.send('Input.dispatchKeyEvent', {
    type: 'keyUp',
    key: 'Enter',
    code: 'Enter',
    windowsVirtualKeyCode: 13,
  })
  await expect(field).toHaveValue('環境構築')
  await expect(searchDialog(reader)).toBeVisible()
  expect(new URL(reader.url()).pathname).toBe('/docs/sekisho-overview')

  await reader.keyboard.press('Enter')
  await expect(reader).toHaveURL(/\/docs\/environment-setup$/)
})

test('goes through results by arrow keys, opens the section and marks the words there', async ({
  reader,
}) => {
  const field = await openSearch(reader)
  await field.fill('セッションの期限')
  // The section whose heading is the query is where Enter leads at once.
  await expect(chosen(reader)).toContainText('セッションの期限')
  await reader.keyboard.press('ArrowUp')
  await expect(chosen(reader)).toContainText('運用')
  await reader.keyboard.press('ArrowUp')
  await expect(options(reader).last()).toHaveAttribute('aria-selected', 'true')
  await reader.keyboard.press('ArrowDown')
  await reader.keyboard.press('ArrowDown')
  await expect(chosen(reader)).toContainText('セッションの期限')
  await reader.keyboard.press('Enter')
  await expect(searchDialog(reader)).toHaveCount(0)
  const heading = reader.getByRole('heading', { name: 'セッションの期限' })
  await expect(heading).toBeInViewport()
  expect(decodeURIComponent(new URL(reader.url()).hash)).toBe('#セッションの期限')
  await expect.poll(() => countMarks(reader)).toBeGreaterThan(0)
  await reader.keyboard.press('Escape')
  await expect.poll(() => countMarks(reader)).toBe(0)
})

test('offers what tells the found pages apart, and takes it off again', async ({ reader }) => {
  const field = await openSearch(reader)
  await field.fill('ログ')
  const chip = searchDialog(reader).getByRole('button', { name: '運用する', exact: true })
  await expect(chip).toHaveAttribute('aria-pressed', 'false')
  const elsewhere = searchDialog(reader).locator('.sekisho-search__way').filter({ hasNotText: '運用する' })
  await expect(elsewhere.first()).toBeVisible()
  await chip.click()
  await expect(chip).toHaveAttribute('aria-pressed', 'true')
  await expect(elsewhere).toHaveCount(0)
  await expect(options(reader).first()).toBeVisible()
  await searchDialog(reader).getByRole('button', { name: 'すべての結果を見る' }).click()
  await expect(reader).toHaveURL(/\/search\?q=%E3%83%AD%E3%82%B0&folder=%2Fdocs%2F/)
  const kept = reader.getByRole('group', { name: '絞り込み' }).getByRole('button', { pressed: true })
  await kept.click()
  await expect(reader).toHaveURL(/\/search\?q=%E3%83%AD%E3%82%B0$/)
})

test('Ctrl+Enter opens a new tab, with the words marked there', async ({ reader, context }) => {
  const field = await openSearch(reader)
  await field.fill('ブランチ')
  await expect(chosen(reader)).toBeVisible()
  const opened = context.waitForEvent('page')
  await reader.keyboard.press('Control+Enter')
  const tab = await opened
  await expect(tab).toHaveURL(/\/docs\/github\/branch-rule/)
  await expect.poll(() => countMarks(tab)).toBeGreaterThan(0)
  await expect(searchDialog(reader)).toBeVisible()
})

test('filters by area', async ({ reader }) => {
  const field = await openSearch(reader)
  await field.fill('検索')
  await expect(options(reader).first()).toBeVisible()
  await searchDialog(reader).getByRole('button', { name: 'Blog' }).click()
  await expect(chosen(reader)).toContainText('Blog')
  const ways = await searchDialog(reader).locator('.sekisho-search__way').allTextContents()
  expect(ways.filter((way) => !way.startsWith('Blog'))).toEqual([])
  await searchDialog(reader).getByRole('button', { name: 'Knowledge' }).click()
  await field.fill('ようこそ')
  await searchDialog(reader).getByRole('button', { name: '絞り込みを外して検索する' }).click()
  await expect(chosen(reader)).toContainText('Sekisho へようこそ')
})

test('offers what was searched and read lately, until the reader signs out', async ({ page }) => {
  await page.goto('/docs/staging-env')
  await signIn(page)
  const field = await openSearch(page, '/docs/staging-env')
  await field.fill('コミット')
  await expect(chosen(page)).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/commit-rule/)
  await expect.poll(() => page.evaluate("localStorage.getItem('sekisho.search')")).toContain('commit-rule')
  await expect(searchDialog(page)).toHaveCount(0) // while it closes, it still takes the key
  await page.keyboard.press('/')
  const queries = searchDialog(page).getByRole('group', { name: '最近の検索' })
  const pages = searchDialog(page).getByRole('group', { name: '最近読んだページ' })
  await expect(pages.getByRole('option', { name: 'コミット規約' })).toBeVisible()
  await queries.getByRole('option', { name: 'コミット' }).click()
  await expect(searchField(page)).toHaveValue('コミット')
  await page.keyboard.press('Escape')
  await logoutButton(page).click()
  await expect(loginButton(page)).toBeVisible()
  const kept = await page.evaluate(
    "Object.keys(localStorage).filter((key) => key.startsWith('sekisho.search'))",
  )
  expect(kept).toEqual([])
})

test('says when nothing is found, what may have been meant, and when the search is out of order', async ({
  reader,
}) => {
  const field = await openSearch(reader)
  await field.fill('qzxjvwkk')
  await expect(searchDialog(reader)).toContainText('「qzxjvwkk」に一致するページは見つかりませんでした')
  await field.fill('Merkdown')
  await expect(searchDialog(reader).getByText('もしかして')).toBeVisible()
  await expect(chosen(reader)).toBeVisible()

  await reader.route('**/__gate/search?*', (route) =>
    route.fulfill({ status: 503, json: { code: 'search_unavailable' } }),
  )
  await field.fill('環境構築')
  await expect(searchDialog(reader).getByRole('alert')).toContainText('検索を利用できません')
  await reader.unroute('**/__gate/search?*')
  await searchDialog(reader).getByRole('button', { name: 'もう一度検索する' }).click()
  await expect(chosen(reader)).toContainText('環境構築')
})

test('says when the server cannot be reached, and goes on when it can', async ({ reader, context }) => {
  const field = await openSearch(reader)
  await field.fill('環境')
  await expect(chosen(reader)).toBeVisible()
  await context.setOffline(true)
  await field.fill('環境構築')
  await expect(searchDialog(reader).getByRole('alert')).toContainText('サーバーに接続できません')
  await expect(field).toHaveAttribute('aria-expanded', 'false')
  await reader.keyboard.press('Enter') // opens nothing that is not on the screen
  await expect(searchDialog(reader)).toBeVisible()
  await context.setOffline(false)
  await expect(chosen(reader)).toContainText('環境構築')
})

test('an expired session leads to the login page at the same address, and back', async ({
  reader: page,
  context,
}) => {
  await openSearch(page, '/docs/staging-env')
  await context.clearCookies()
  await page.keyboard.insertText('環境') // into no field: a request under way may have found the end before
  await expect(loginButton(page)).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/docs/staging-env')
  await signInByPopup(page)
  await expect(page.locator('article h1')).toBeVisible()
})

test('fills the screen of a phone', async ({ reader }) => {
  await reader.setViewportSize({ width: 390, height: 780 })
  await openPage(reader, '/docs/sekisho-overview')
  await searchButton(reader).click()
  await searchField(reader).fill('ろぐいん')
  await expect(chosen(reader)).toBeVisible()
  expect(await searchDialog(reader).locator('.sekisho-search__panel').boundingBox()).toMatchObject({
    x: 0,
    y: 0,
    width: 390,
    height: 780,
  })
  expect(await reader.evaluate('document.documentElement.scrollWidth')).toBe(390)
  await searchDialog(reader).getByRole('button', { name: '閉じる' }).click()
  await expect(searchDialog(reader)).toHaveCount(0)
})

test('the focus goes to the heading of a page that was opened by keyboard', async ({ reader }) => {
  await openPage(reader, '/')
  await reader.keyboard.press('/')
  await searchField(reader).fill('環境構築')
  await expect(reader.getByRole('option').first()).toBeVisible()
  await reader.keyboard.press('Enter')
  await expect(reader).toHaveURL(/\/docs\/environment-setup/)
  await expect(reader.locator('main h1')).toBeFocused()
  await reader.goto(`/search?${new URLSearchParams({ q: '必要なもの' })}`)
  const section = reader
    .locator('.sekisho-search-page__pages')
    .getByRole('link', { name: '必要なもの' })
    .first()
  await section.press('Enter')
  await expect(reader).toHaveURL(/#/)
  await expect(reader.getByRole('heading', { name: '必要なもの' })).toBeFocused()
})
