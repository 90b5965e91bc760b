import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { openPage } from '../support/open-page.ts'

interface Motion {
  readonly durationMs: number
  readonly easing: string
  /** The height the section has when it is open. */
  readonly height: number
}

/** Opens a section of the sidebar whose entries have come before, and says how its height moves. */
async function watchSection(page: Page): Promise<Motion> {
  const category = page.locator('aside .theme-doc-sidebar-item-category', { hasText: 'GitHub' }).first()
  const list = category.locator('ul').first()
  const caret = category.locator('.menu__caret, .menu__link--sublist').last()
  if (!(await list.isVisible())) await caret.click()
  await expect(list.getByRole('link').first()).toBeVisible()
  await caret.click()
  await expect(list).toBeHidden()
  await page.evaluate(() => {
    const motion = Promise.withResolvers<Motion>()
    Object.assign(window, { motion: motion.promise })
    document.addEventListener('transitionrun', (event) => {
      if (event.propertyName !== 'height' || !(event.target instanceof HTMLElement)) return
      const { transitionDuration, transitionTimingFunction } = getComputedStyle(event.target)
      motion.resolve({
        durationMs: Number.parseFloat(transitionDuration) * 1_000,
        easing: transitionTimingFunction,
        height: event.target.scrollHeight,
      })
    })
  })
  await caret.click()
  await expect(list).toBeVisible()
  return page.evaluate(() => (window as unknown as { motion: Promise<Motion> }).motion)
}

test('sections open gently, for a time that follows from their height, or within 1 ms', async ({
  reader,
}) => {
  await openPage(reader, '/docs/sekisho-overview')
  await reader.emulateMedia({ reducedMotion: 'no-preference' })
  const { durationMs, easing, height } = await watchSection(reader)
  const constant = height / 36
  expect(easing).toBe('ease-in-out')
  expect(durationMs).toBeCloseTo(Math.round((4 + 15 * constant ** 0.25 + constant / 5) * 10))

  await reader.emulateMedia({ reducedMotion: 'reduce' })
  const reduced = await watchSection(reader)
  expect(reduced.easing).toBe('ease-in-out')
  expect(reduced.durationMs).toBeCloseTo(1)
})
