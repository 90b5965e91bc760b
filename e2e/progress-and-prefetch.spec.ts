import type { Page } from '@playwright/test'
import { expect, test } from './support/fixtures.ts'

const SCRIPTS = /\/assets\/js\/.*\.js$/

/** Which scripts the page fetches from now on. */
function collectScripts(page: Page): string[] {
  const scripts: string[] = []
  page.on('request', (request) => {
    if (SCRIPTS.test(request.url())) scripts.push(request.url())
  })
  return scripts
}

async function openAndPointAtLink(page: Page): Promise<string[]> {
  await page.goto('/docs/sekisho-overview')
  await page.waitForLoadState('networkidle')
  await page.mouse.move(0, 0)
  const scripts = collectScripts(page)
  await page
    .locator('.menu')
    .getByRole('link', { name: /環境構築/ })
    .hover()
  await page.waitForTimeout(1_000)
  return scripts
}

for (const [name, connection, fetches] of [
  ['an ordinary connection', { effectiveType: '4g', saveData: false }, true],
  ['a data-saver connection', { effectiveType: '4g', saveData: true }, false],
  ['a 2g connection', { effectiveType: '2g', saveData: false }, false],
] as const) {
  test(`on ${name} a page's code is ${fetches ? '' : 'not '}fetched before the click`, async ({ reader }) => {
    await reader.addInitScript((value) => {
      Object.defineProperty(navigator, 'connection', { value, configurable: true })
    }, connection)
    expect((await openAndPointAtLink(reader)).length > 0).toBe(fetches)
  })
}

test('the progress bar starts at 8 per cent and creeps on while a page is slow', async ({ reader }) => {
  await reader.goto('/docs/sekisho-overview')
  await reader.waitForLoadState('networkidle')
  const release = Promise.withResolvers<void>()
  await reader.route(SCRIPTS, async (route) => {
    await release.promise
    await route.continue()
  })
  await reader
    .locator('.menu')
    .getByRole('link', { name: /環境構築/ })
    .evaluate((link: HTMLElement) => link.click())
  const bar = reader.locator('#nprogress .bar')
  await expect(bar).toBeAttached()
  const share = () =>
    bar.evaluate((element) => {
      const style = (element as HTMLElement).style
      const [, missing = '100'] = /translate(?:3d)?\((-?[\d.]+)%/.exec(style.transform) ?? []
      return { percent: 100 - Math.abs(Number(missing)), transition: style.transition }
    })
  const first = await share()
  expect(first.percent).toBeGreaterThanOrEqual(8)
  expect(first.transition).toContain('200ms')
  await expect.poll(async () => (await share()).percent).toBeGreaterThan(first.percent)
  release.resolve()
  await expect(reader.locator('#nprogress')).toHaveCount(0)
})
