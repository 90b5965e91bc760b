import { devices } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { openPage } from '../support/open-page.ts'

const { userAgent: _, defaultBrowserType: __, ...PHONE } = devices['Pixel 7']

test.describe('on a phone', () => {
  test.use({ ...PHONE, viewport: { width: 390, height: 844 } })

  test('a wide table shows that it goes on, and scrolls by keyboard; code has a button that is seen', async ({
    reader,
  }) => {
    await openPage(reader, '/docs/environment-setup')
    const table = reader.locator('.sekisho-table--hidden-end').first()
    await table.scrollIntoViewIfNeeded()
    const cue = table.evaluate((element) => getComputedStyle(element, '::after').opacity)
    expect(await cue).toBe('1')
    const scroller = table.getByRole('group', { name: '表（横にスクロールできます）' })
    await scroller.focus()
    await expect(scroller).toBeFocused()
    await reader.keyboard.press('ArrowRight')
    await expect.poll(() => scroller.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0)
    await scroller.evaluate((element) => element.scrollTo({ left: element.scrollWidth, behavior: 'instant' }))
    await expect(reader.locator('.sekisho-table--hidden-start').first()).toBeVisible()
    const code = reader.locator('.theme-code-block').first()
    await expect(code.getByRole('button', { name: /コピー/ })).toHaveCSS('opacity', '0.85')
  })

  test('settings are blocks as wide as the text', async ({ reader }) => {
    await openPage(reader, '/docs/sekisho-pro/settings')
    await expect(reader.locator('.sekisho-table--hidden-end')).toHaveCount(0)
    await expect(reader.getByText('SEKISHO_ORIGIN', { exact: true }).first()).toBeVisible()
  })

  test('the menu takes the focus, holds it, and closes with Esc; its links lead to pages', async ({
    reader,
  }) => {
    await openPage(reader, '/docs/environment-setup')
    const toggle = reader.locator('.navbar__toggle')
    await toggle.click()
    await expect(reader.locator('.navbar-sidebar__close')).toBeFocused()
    for (let stop = 0; stop < 40; stop += 1) {
      await reader.keyboard.press('Tab')
      const isInside = await reader.evaluate(() => {
        const { activeElement } = document
        return activeElement === document.body || activeElement?.closest('.navbar-sidebar') != null
      })
      expect(isInside).toBe(true)
    }
    await reader.keyboard.press('Escape')
    await expect(reader.locator('.navbar-sidebar--show')).toHaveCount(0)
    await expect(toggle).toBeFocused()
    await expect(reader.locator('[inert]:not(.navbar-sidebar *)')).toHaveCount(0)
    await toggle.click()
    await reader.locator('.navbar-sidebar').getByRole('link', { name: 'ステージング環境' }).click()
    await expect(reader.locator('article h1')).toHaveText('ステージング環境')
    await expect(reader.locator('[inert]:not(.navbar-sidebar *)')).toHaveCount(0)
  })

  test('no key is offered, and the menu names the reader and folds the details of the account', async ({
    reader,
  }) => {
    await openPage(reader, '/')
    await expect(reader.locator('main .sekisho-search-field')).toBeVisible()
    await expect(reader.locator('.sekisho-search-field__key').filter({ visible: true })).toHaveCount(0)
    await reader.locator('.navbar__toggle').click()
    const menu = reader.locator('.navbar-sidebar')
    await expect(menu.getByText('佐藤 花子')).toBeVisible()
    await expect(menu.getByRole('button', { name: 'ログアウト', exact: true })).toBeVisible()
    const everywhere = reader.getByRole('button', { name: 'すべての端末からログアウト' })
    await expect(everywhere).toHaveCount(0)
    await reader.getByText('アカウントとログイン中の端末').click()
    await expect(everywhere).toBeVisible()
    await expect(reader.getByText('このブラウザー')).toBeVisible()
  })
})

test.describe('on a tablet of 768 px', () => {
  test.use({ viewport: { width: 768, height: 1024 } })

  test('the hero shows the gate, and the footer stands in one row', async ({ reader }) => {
    await openPage(reader, '/')
    const hero = reader.locator('main header')
    await expect(hero).toHaveCSS('background-image', /^url/)
    const links = reader.locator('.footer__link-item')
    const tops = await links.evaluateAll((all) =>
      all.map((link) => Math.round(link.getBoundingClientRect().top)),
    )
    expect(new Set(tops).size).toBe(1)
    await expect(reader.locator('.footer .text--center').first()).toHaveCSS('text-align', 'center')
  })
})
