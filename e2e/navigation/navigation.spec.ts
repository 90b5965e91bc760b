import type { Page, Route } from '@playwright/test'
import { expect, LONG, test } from '../support/fixtures.ts'
import { navbarLink, openPage, sidebarLink, waitUntilFetchedAhead } from '../support/open-page.ts'

const SCRIPTS = /\/assets\/js\/.*\.js$/
/** Chunks of single pages, and the route table that names them: a busy machine may load other parts at any time. */
const PAGE_CODE = /\/assets\/(?:js\/\d+\.|table\/)/

test('moving to another page goes to its top, and to the heading when there is one, not under the bar', async ({
  reader,
}) => {
  await reader.setViewportSize({ width: 1280, height: 600 })
  await openPage(reader, '/docs/sekisho-base/')
  await reader.evaluate(() => window.scrollTo(0, 2_000))
  await sidebarLink(reader, '環境構築').click()
  await expect(reader.locator('article h1')).toHaveText('環境構築')
  await expect(reader).toHaveURL(/environment-setup$/)
  await expect.poll(() => reader.evaluate(() => window.scrollY)).toBe(0)
  const entry = reader.locator('.table-of-contents a').last()
  const anchor = (await entry.getAttribute('href')) ?? ''
  await entry.click()
  await expect(reader.locator(`[id="${decodeURIComponent(anchor.slice(1))}"]`)).toBeInViewport()
  await expect.poll(() => reader.evaluate(() => window.scrollY)).toBeGreaterThan(0)

  await sidebarLink(reader, 'ステージング環境').click()
  await expect(reader.locator('article h1')).toContainText('ステージング')
  await reader.evaluate(() => {
    const link = document.createElement('a')
    link.href = `/docs/environment-setup#${encodeURIComponent('必要なもの')}`
    link.textContent = 'a link with a heading'
    document.querySelector('article')?.prepend(link)
  })
  await reader.getByRole('link', { name: 'a link with a heading' }).click()
  const heading = reader.getByRole('heading', { name: '必要なもの' })
  await expect(heading).toBeInViewport()
  const barHeight = (await reader.locator('.navbar').boundingBox())?.height ?? 0
  await expect.poll(async () => (await heading.boundingBox())?.y ?? 0).toBeGreaterThanOrEqual(barHeight)
})

for (const [what, files, answer] of [
  ['a page whose code cannot be loaded', SCRIPTS, (route: Route) => route.abort()],
  [
    'a page, all of whose files are answered with a fault,',
    /\/assets\//,
    (route: Route) => route.fulfill({ status: 500 }),
  ],
] as const) {
  test(`${what} is loaded as a whole`, async ({ reader }) => {
    await openPage(reader, '/docs/sekisho-overview')
    await waitUntilFetchedAhead(reader)
    await reader.evaluate(() => Object.assign(window, { sameDocument: true }))
    await reader.route(files, answer)
    const reloaded = reader.waitForEvent('load')
    await sidebarLink(reader, 'ステージング環境').click()
    await reloaded
    expect(await reader.evaluate(() => 'sameDocument' in window)).toBe(false)
    expect(new URL(reader.url()).pathname).toBe('/docs/staging-env')
    await expect(reader.locator('article h1')).toContainText('ステージング')
  })
}

test('the first stop of the Tab key leads past the navigation', async ({ reader }) => {
  await openPage(reader, '/docs/sekisho-overview')
  await reader.keyboard.press('Tab')
  const skip = reader.getByRole('link', { name: 'メインコンテンツまでスキップ' })
  await expect(skip).toBeFocused()
  await reader.keyboard.press('Enter')
  await expect(skip).not.toBeFocused()
  await reader.keyboard.press('Tab')
  expect(await reader.evaluate(() => document.activeElement?.closest('main, aside') !== null)).toBe(true)
  expect(await reader.evaluate(() => document.activeElement?.closest('.navbar') === null)).toBe(true)
})

for (const [name, connection, fetches] of [
  ['an ordinary connection', { effectiveType: '4g', saveData: false }, true],
  ['a data-saver connection', { effectiveType: '4g', saveData: true }, false],
  ['a slow 2g connection', { effectiveType: 'slow-2g', saveData: false }, false],
] as const) {
  test(`on ${name} a page's code is ${fetches ? '' : 'not '}fetched before the click`, async ({ reader }) => {
    await reader.addInitScript((value) => {
      Object.defineProperty(navigator, 'connection', { value, configurable: true })
    }, connection)
    await openPage(reader, '/docs/sekisho-overview')
    await waitUntilFetchedAhead(reader)
    const fetched: string[] = []
    reader.on('request', (request) => fetched.push(new URL(request.url()).pathname))
    await sidebarLink(reader, '環境構築').hover()
    if (fetches) {
      await expect.poll(() => fetched.filter((path) => PAGE_CODE.test(path)).length).toBeGreaterThan(0)
      return
    }
    // Requested after the pointer came, answered after whatever the pointer had started.
    await reader.evaluate(() => fetch('/__gate/session').then((response) => response.text()))
    expect(fetched).toContain('/__gate/session')
    expect(fetched.filter((path) => PAGE_CODE.test(path))).toEqual([])
    await sidebarLink(reader, '環境構築').click()
    await expect(reader.locator('article h1')).toHaveText('環境構築')
  })
}

test('a category whose entries cannot be fetched says so, and shows them at the next try', async ({
  reader,
}) => {
  await openPage(reader, '/docs/sekisho-overview')
  const tables = '**/node.*.json'
  await reader.route(tables, (route) => route.abort())
  const category = reader.locator('aside .theme-doc-sidebar-item-category', { hasText: 'GitHub の規約' })
  await category.getByRole('button', { name: /GitHub の規約/ }).click()
  await expect(category.getByRole('alert')).toHaveText('項目を読み込めませんでした。')
  const retry = category.getByRole('button', { name: 'もう一度', exact: true })
  await retry.click()
  await expect(retry).toBeEnabled() // it failed again, and may be asked again
  await reader.unroute(tables)
  await retry.click()
  await expect(sidebarLink(reader, 'ブランチ')).toBeVisible()
  await expect(category.getByRole('alert')).toHaveCount(0)
})

test('a document ends with related pages, as delivered and after a client-side navigation', async ({
  reader,
}) => {
  const related = reader.getByRole('navigation', { name: '関連ページ' })
  const answers = related.getByRole('link', { name: '質問に答える', exact: true })
  const delivered = await reader.request.get('/docs/sekisho-pro/search-by-meaning')
  expect(await delivered.text()).toMatch(/<h2>関連ページ<\/h2>.*質問に答える<\/a>.*<\/nav>/)
  await openPage(reader, '/docs/sekisho-pro/search-by-meaning')
  await answers.click()
  await expect(reader.locator('article h1')).toHaveText('質問に答える')
  await related.getByRole('link', { name: '埋め込みモデルで探す', exact: true }).click()
  await expect(answers).toBeVisible()
})

test('the categories of Knowledge are a part of it, one after the other', async ({ reader }) => {
  await openPage(reader, '/docs/category/github-1')
  const active = reader.locator('.navbar__link--active')
  await expect(active).toHaveText('Knowledge')
  await expect(sidebarLink(reader, '強調が効かないとき')).toBeVisible()
  for (const next of ['sekisho-base-1', 'sekisho-pro-1']) {
    await reader.locator(`.pagination-nav__link--next[href$='/${next}']`).click()
    await expect(reader).toHaveURL(new RegExp(`/docs/category/${next}$`))
    await expect(active).toHaveText('Knowledge')
  }
  await sidebarLink(reader, 'ナレッジについて').click()
  await expect(reader).toHaveURL(/\/knowledge\/?$/)
  await expect(active).toHaveText('Knowledge')
})

test('a document opened from a category of Knowledge stays there, at its one address', async ({ reader }) => {
  const active = reader.locator('.navbar__link--active')
  const isInKnowledge = async () => {
    await expect(active).toHaveText('Knowledge')
    await expect(sidebarLink(reader, '強調が効かないとき')).toBeVisible()
  }
  await openPage(reader, '/docs/category/github-1')
  await reader
    .locator('main')
    .getByRole('link', { name: /ブランチ/ })
    .click()
  await expect(reader).toHaveURL(/\/docs\/github\/branch-rule$/)
  await expect(reader.locator('article h1')).toContainText('ブランチ')
  await isInKnowledge()
  await expect(reader.locator('.breadcrumbs')).toContainText('関連するドキュメント')
  await expect(sidebarLink(reader, 'ブランチ')).toHaveAttribute('aria-current', 'page')
  await expect(reader.locator('.pagination-nav__link--prev')).toHaveAttribute(
    'href',
    '/docs/category/github-1',
  )
  await reader.locator('.pagination-nav__link--next').click()
  await expect(reader).toHaveURL(/\/docs\/github\/commit-rule$/)
  await isInKnowledge()
  await reader.goBack()
  await expect(reader).toHaveURL(/branch-rule$/)
  await isInKnowledge()
  await reader.reload()
  await isInKnowledge()
  // Whoever comes by the navbar, by a search or by the address itself is in Docs.
  await navbarLink(reader, 'Docs').click()
  await expect(active).toHaveText('Docs')
  await sidebarLink(reader, 'GitHub の規約').click()
  await sidebarLink(reader, 'ブランチ').click()
  await expect(reader).toHaveURL(/branch-rule$/)
  await expect(active).toHaveText('Docs')
  await reader.goto('/docs/github/branch-rule')
  await expect(active).toHaveText('Docs')
})

test('Back leads to where a page was left, at its end too, where tools come later', async ({ reader }) => {
  await openPage(reader, '/docs/github/branch-rule')
  const tools = reader.getByRole('region', { name: 'このページについて' })
  await expect(tools).toBeVisible()
  await reader.waitForLoadState('networkidle')
  await reader.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  const place = () => reader.evaluate(() => Math.round(window.scrollY))
  // A page may still move before the click, and is left where it is then.
  await reader.evaluate(() =>
    document.addEventListener('pointerdown', () => sessionStorage.setItem('left', String(window.scrollY))),
  )
  await reader.getByRole('link', { name: /^次へ/ }).click()
  await expect(reader).toHaveURL(/commit-rule$/)
  await expect.poll(place).toBe(0)
  const left = await reader.evaluate(() => Math.round(Number(sessionStorage.getItem('left'))))
  await reader.goBack()
  await expect(tools).toBeVisible()
  await expect.poll(place).toBe(left)
})

test('the same page can be opened beside the other sidebar', async ({ reader }) => {
  const active = reader.locator('.navbar__link--active')
  await openPage(reader, '/docs/category/github-1')
  await sidebarLink(reader, '概要').click()
  await expect(reader.getByRole('heading', { level: 1 })).toHaveText('Sekisho の概要')
  await expect(active).toHaveText('Knowledge')
  await navbarLink(reader, 'Docs').click()
  await expect(active).toHaveText('Docs')
  await expect(sidebarLink(reader, '環境構築')).toBeVisible()
  await reader.goBack()
  await expect(active).toHaveText('Knowledge')
})

test('the overview stands at the top of each sidebar', async ({ reader }) => {
  for (const path of ['/docs/environment-setup', '/knowledge/example', '/docs/category/github-1']) {
    const html = await (await reader.request.get(path)).text()
    const [, first] = /<aside.*?theme-doc-sidebar-menu.*?<a [^>]*?href="?([^"\s>]*)/s.exec(html) ?? []
    expect(first, path).toBe('/docs/sekisho-overview')
  }
})

/** Notes every title the tab has had since the document began. */
async function watchTitles(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const seen: string[] = []
    Object.assign(window, { seenTitles: seen })
    new MutationObserver(() => seen.push(document.title)).observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
    })
  })
  return async () => {
    const seen = await page.evaluate(() => ('seenTitles' in window ? (window.seenTitles as string[]) : []))
    return [...new Set(seen.filter((title) => title !== ''))].sort()
  }
}

test('the title of the tab is never the bare name of the site', async ({ reader }) => {
  const seenTitles = await watchTitles(reader)
  // A slow line shows best what stands there until the page's own code has come.
  await reader.route(PAGE_CODE, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500))
    await route.continue()
  })
  await openPage(reader, '/docs/environment-setup')
  await reader.waitForLoadState('networkidle')
  await sidebarLink(reader, 'ステージング環境').click()
  await expect(reader).toHaveTitle(/ステージング環境/)
  expect(await seenTitles()).toEqual(['ステージング環境 | Sekisho', '環境構築 | Sekisho'])
})

test('nor is it while a slow machine hydrates the page', { tag: LONG }, async ({ reader, context }) => {
  test.setTimeout(120_000)
  const seenTitles = await watchTitles(reader)
  const session = await context.newCDPSession(reader)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  for (let load = 0; load < 16; load += 1) {
    await openPage(reader, '/docs/environment-setup')
    expect(await seenTitles()).toEqual(['環境構築 | Sekisho'])
  }
})
