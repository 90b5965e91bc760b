import { expect, test } from './support/fixtures.ts'
import { openPage } from './support/open-page.ts'

test('styles that a script adds come after the sheet of the site', async ({ reader }) => {
  await openPage(reader, '/docs/sekisho-overview')
  const sheets: string[] = []
  reader.on('response', (response) => {
    if (new URL(response.url()).pathname.endsWith('.css')) sheets.push(response.url())
  })
  await reader.evaluate(() => {
    const style = document.createElement('style')
    style.textContent = '.navbar { background-color: rgb(1, 2, 3) }'
    document.head.append(style)
  })
  await expect(reader.locator('.navbar')).toHaveCSS('background-color', 'rgb(1, 2, 3)')
  await expect(reader.locator('body > link[rel=stylesheet]')).toHaveCount(0)
  expect(await reader.locator('head > link[rel=stylesheet]:not([data-rh])').count()).toBe(1)
  expect(sheets, 'asked for again').toEqual([])
})
