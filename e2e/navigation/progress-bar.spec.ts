import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { navbarLink, openPage } from '../support/open-page.ts'

const HOUR_MS = 3_600_000

/** Opens a page whose clock stands still from then on, and whose code for other pages stays under way until released. */
async function openWithStoppedClock(page: Page): Promise<() => void> {
  await page.clock.install()
  await openPage(page, '/docs/sekisho-overview')
  await page.waitForLoadState('networkidle')
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\/assets\/js\/.*\.js$/, async (route) => {
    await promise
    await route.continue()
  })
  await page.clock.pauseAt(Date.now() + HOUR_MS)
  return resolve
}

/** Titles that only the list of posts has. */
const postTitles = (page: Page) => page.locator('article header h2')

/** Progress of the bar in per cent, and its animation. */
const readBar = (page: Page) =>
  page.locator('#nprogress .bar').evaluate((element) => {
    const { transform, transition } = (element as HTMLElement).style
    const [, missing = '100'] = /translate(?:3d)?\((-?[\d.]+)%/.exec(transform) ?? []
    return { percent: 100 - Math.abs(Number(missing)), transition }
  })

test('the progress bar waits for 200 ms, starts at 8 per cent and creeps on every 800 ms', async ({
  reader,
}) => {
  const release = await openWithStoppedClock(reader)
  const bar = reader.locator('#nprogress')
  await navbarLink(reader, 'Blog').click()
  await expect(reader).toHaveURL(/\/blog$/)
  await reader.clock.runFor(199)
  await expect(bar).toHaveCount(0)
  await reader.clock.runFor(1)
  await expect(bar).toHaveCount(1)
  await expect(bar.locator('.spinner')).toHaveCount(0)
  const first = await readBar(reader)
  expect(first.percent).toBeCloseTo(8)
  expect(first.transition).toContain('200ms')
  await reader.clock.runFor(799)
  expect((await readBar(reader)).percent).toBe(first.percent)
  await reader.clock.runFor(1)
  expect((await readBar(reader)).percent).toBeGreaterThan(first.percent)

  release()
  await expect(postTitles(reader).first()).toBeVisible()
  await reader.clock.runFor(2_000)
  await expect(bar).toHaveCount(0)
})

test('a page that is there in less than 200 ms shows no progress bar', async ({ reader }) => {
  const release = await openWithStoppedClock(reader)
  await navbarLink(reader, 'Blog').click()
  await expect(reader).toHaveURL(/\/blog$/)
  await reader.clock.runFor(199)
  release()
  await expect(postTitles(reader).first()).toBeVisible()
  await reader.clock.runFor(2_000)
  await expect(reader.locator('#nprogress')).toHaveCount(0)
})
