import { expect, test } from './support/fixtures.ts'

const theme = () => document.documentElement.dataset.theme

test('the colour mode starts light, whatever the system prefers', async ({ reader }) => {
  await reader.emulateMedia({ colorScheme: 'dark' })
  await reader.goto('/docs/sekisho-overview')
  expect(await reader.evaluate(theme)).toBe('light')
})

test('the colour mode that is chosen lasts, and reaches the other tab', async ({ reader, context }) => {
  await reader.goto('/docs/sekisho-overview')
  const second = await context.newPage()
  await second.goto('/blog')
  const toggle = reader.getByRole('button', { name: /配色を切り替える/ }).first()
  for (let press = 0; press < 3 && (await reader.evaluate(theme)) !== 'dark'; press += 1) await toggle.click()
  expect(await reader.evaluate(theme)).toBe('dark')
  await expect.poll(() => second.evaluate(theme)).toBe('dark')
  await reader.reload()
  expect(await reader.evaluate(theme)).toBe('dark')
})

test('the announcement stays closed once it was closed', async ({ reader }) => {
  await reader.goto('/')
  const bar = reader.locator('.theme-announcement-bar')
  await expect(bar).toBeVisible()
  await bar.getByRole('button').click()
  await expect(bar).toHaveCount(0)
  await reader.reload()
  await expect(bar).toBeHidden()
})

test('a new announcement is shown although the last one was closed', async ({ reader }) => {
  await reader.goto('/')
  await reader.locator('.theme-announcement-bar').getByRole('button').click()
  await reader.evaluate(() => {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith('docusaurus.announcement.id'))
    if (keys.length !== 1) throw new Error(`expected one key that names the announcement, found ${keys}`)
    for (const key of keys) localStorage.setItem(key, 'an-older-one')
  })
  await reader.reload()
  await expect(reader.locator('.theme-announcement-bar')).toBeVisible()
})

test('a phone has the sidebar behind a button, and it closes at 996 px', async ({ reader }) => {
  await reader.setViewportSize({ width: 390, height: 844 })
  await reader.goto('/docs/sekisho-overview')
  await reader.locator('.navbar__toggle').click()
  await expect(reader.locator('.navbar-sidebar')).toBeVisible()
  await expect(reader.locator('.navbar-sidebar--show')).toHaveCount(1)
  await reader.setViewportSize({ width: 997, height: 844 })
  await expect(reader.locator('.navbar-sidebar--show')).toHaveCount(0)
  await expect(reader.locator('.navbar__toggle')).toBeHidden()
})

for (const [width, isDesktop] of [
  [996, false],
  [997, true],
] as const) {
  test(`at ${width} px the layout is ${isDesktop ? 'the desktop one' : 'the narrow one'}`, async ({
    reader,
  }) => {
    await reader.setViewportSize({ width, height: 800 })
    await reader.goto('/docs/sekisho-overview')
    await expect(reader.locator('.navbar__toggle')).toBeVisible({ visible: !isDesktop })
    await expect(reader.locator('aside .menu').first()).toBeVisible({ visible: isDesktop })
  })
}

test('no page is wider than a phone', async ({ reader }) => {
  await reader.setViewportSize({ width: 390, height: 844 })
  for (const path of ['/', '/docs/sekisho-base/', '/docs/sekisho-pro/', '/blog', '/blog/mdx-blog-post']) {
    await reader.goto(path)
    expect(await reader.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(390)
  }
})

test('moving to another page goes to its top, and to the heading when there is one', async ({ reader }) => {
  await reader.setViewportSize({ width: 1280, height: 600 })
  await reader.goto('/docs/sekisho-base/')
  await reader.evaluate(() => window.scrollTo(0, 2_000))
  await reader
    .locator('.menu')
    .getByRole('link', { name: /環境構築/ })
    .click()
  await expect(reader).toHaveURL(/environment-setup$/)
  await expect.poll(() => reader.evaluate(() => window.scrollY)).toBe(0)
  const entry = reader.locator('.table-of-contents a').last()
  const anchor = (await entry.getAttribute('href')) ?? ''
  await entry.click()
  await expect(reader.locator(`[id="${decodeURIComponent(anchor.slice(1))}"]`)).toBeInViewport()
  expect(await reader.evaluate(() => window.scrollY)).toBeGreaterThan(0)
})

test('the table of contents holds the headings of level 2 and 3, and no other', async ({ reader }) => {
  const seen = new Set<string>()
  for (const path of [
    '/docs/sekisho-base/',
    '/docs/environment-setup',
    '/docs/sekisho-pro/',
    '/blog/long-blog-post',
  ]) {
    await reader.goto(path)
    const listed = await reader
      .locator('.table-of-contents a')
      .evaluateAll((links) =>
        links.map((link) => decodeURIComponent((link as HTMLAnchorElement).hash.slice(1))),
      )
    const headings = await reader
      .locator(':is(article, main) :is(h2, h3)[id]:not(.sr-only)')
      .evaluateAll((all) => all.map((heading) => [heading.id, heading.tagName] as const))
    expect(listed, path).toEqual(headings.map(([id]) => id))
    for (const [, level] of headings) seen.add(level)
  }
  expect([...seen].sort()).toEqual(['H2', 'H3'])
})

test('a slow page shows the progress bar after 200 ms, a quick one never', async ({ reader }) => {
  await reader.goto('/docs/sekisho-overview')
  const release = Promise.withResolvers<void>()
  await reader.route(/\/assets\/js\/.*\.js$/, async (route) => {
    await release.promise
    await route.continue()
  })
  await reader.evaluate(() => {
    const seen: { startedMs: number; shownMs: number | null } = { startedMs: 0, shownMs: null }
    Object.assign(window, { seen })
    new MutationObserver(() => {
      if (seen.shownMs === null && document.querySelector('#nprogress')) seen.shownMs = performance.now()
    }).observe(document.documentElement, { childList: true, subtree: true })
    document.addEventListener('click', () => (seen.startedMs = performance.now()), {
      capture: true,
      once: true,
    })
  })
  await reader
    .locator('.navbar')
    .getByRole('link', { name: /ブログ|Blog/ })
    .first()
    .click()
  await expect(reader.locator('#nprogress .bar')).toBeAttached()
  await expect(reader.locator('#nprogress .spinner')).toHaveCount(0)
  release.resolve()
  const waitedMs = await reader.evaluate(() => {
    const { seen } = window as unknown as { seen: { startedMs: number; shownMs: number } }
    return seen.shownMs - seen.startedMs
  })
  expect(waitedMs).toBeGreaterThanOrEqual(195)
  await expect(reader).toHaveURL(/\/blog$/)
  await expect(reader.locator('#nprogress')).toHaveCount(0)
})

test('a page whose code cannot be loaded is loaded as a whole', async ({ reader }) => {
  await reader.goto('/docs/sekisho-overview')
  await reader.waitForLoadState('networkidle')
  await reader.evaluate(() => Object.assign(window, { sameDocument: true }))
  await reader.route(/\/assets\/js\/.*\.js$/, (route) => route.abort())
  const reloaded = reader.waitForEvent('load')
  await reader
    .locator('.menu')
    .getByRole('link', { name: /ステージング/ })
    .click()
  await reloaded
  expect(await reader.evaluate(() => 'sameDocument' in window)).toBe(false)
  expect(new URL(reader.url()).pathname).toBe('/docs/staging-env')
})

test('the first stop of the Tab key leads past the navigation', async ({ reader }) => {
  await reader.goto('/docs/sekisho-overview')
  await reader.keyboard.press('Tab')
  const skip = reader.getByRole('link', { name: 'メインコンテンツまでスキップ' })
  await expect(skip).toBeFocused()
  await reader.keyboard.press('Enter')
  await reader.keyboard.press('Tab')
  expect(await reader.evaluate(() => document.activeElement?.closest('main, aside') !== null)).toBe(true)
  expect(await reader.evaluate(() => document.activeElement?.closest('.navbar') === null)).toBe(true)
})

test('sections open without movement for those who asked for less', async ({ reader }) => {
  await reader.emulateMedia({ reducedMotion: 'reduce' })
  await reader.goto('/docs/sekisho-overview')
  const category = reader.locator('.theme-doc-sidebar-item-category', { hasText: 'GitHub' }).first()
  const list = category.locator('ul').first()
  const isOpen = await list.isVisible()
  await reader.evaluate(() => {
    const durations: string[] = []
    Object.assign(window, { durations })
    document.addEventListener('transitionrun', (event) => {
      if (event.propertyName === 'height')
        durations.push(getComputedStyle(event.target as Element).transitionDuration)
    })
  })
  await category.locator('.menu__caret, .menu__link--sublist').last().click()
  await expect(list).toBeVisible({ visible: !isOpen })
  const durations = await reader.evaluate(() => (window as unknown as { durations: string[] }).durations)
  for (const duration of durations) expect(duration).toBe('0.001s')
})

test('the footer bears the year of the specification', async ({ reader }) => {
  await reader.goto('/')
  await expect(reader.locator('.footer')).toContainText('2025')
})

test('a page that crashes says so in Japanese and can be tried again', async ({ reader }) => {
  await reader.goto('/docs/sekisho-overview')
  await reader.waitForLoadState('networkidle')
  await reader.evaluate(() => {
    const real = Intl.DateTimeFormat
    Object.assign(window, { mend: () => Object.assign(Intl, { DateTimeFormat: real }) })
    Object.assign(Intl, {
      DateTimeFormat: class {
        constructor() {
          throw new Error('broken on purpose')
        }
      },
    })
  })
  await reader
    .locator('.navbar')
    .getByRole('link', { name: /ブログ|Blog/ })
    .first()
    .click()
  await expect(reader.getByRole('heading', { name: /クラッシュ|エラー/ })).toBeVisible()
  await expect(reader.getByText('broken on purpose')).toBeVisible()
  await reader.evaluate(() => (window as unknown as { mend(): void }).mend())
  await reader.getByRole('button', { name: 'もう一度試す' }).click()
  await expect(reader.locator('article').first()).toBeVisible()
})
