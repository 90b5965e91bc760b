import { expect, test } from '../support/fixtures.ts'
import { openPage } from '../support/open-page.ts'

const BAR = '.theme-announcement-bar'

test('the announcement stays closed once it was closed, and a new one is shown', async ({ reader }) => {
  await openPage(reader, '/')
  await expect(reader.locator(BAR)).toBeVisible()
  await reader.locator(BAR).getByRole('button', { name: '閉じる' }).click()
  await expect(reader.locator(BAR)).toHaveCount(0)
  await openPage(reader, '/blog')
  await expect(reader.locator(BAR)).toBeHidden()
  await reader.evaluate(() => {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith('docusaurus.announcement.id'))
    if (keys.length !== 1) throw new Error(`expected one key that names the announcement, found ${keys}`)
    for (const key of keys) localStorage.setItem(key, 'an-older-one')
  })
  await openPage(reader, '/')
  await expect(reader.locator(BAR)).toBeVisible()
})
