import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { ROUTES } from '@sekisho/contract/routes'
import { packRelease } from '@sekisho/release/packing'
import { axeFindings } from '../support/axe.ts'
import { expect, test } from '../support/fixtures.ts'
import { openPage } from '../support/open-page.ts'
import { startProduct } from '../support/product.ts'
import { signIn } from '../support/sign-in.ts'

const BUILD = fileURLToPath(new URL('../../site/build', import.meta.url))
const CHANGED = '/docs/github/commit-rule'

test.describe.configure({ timeout: 480_000 })

test('a reader who comes back sees what has changed, and that all is read after a click', async ({
  browser,
}) => {
  const buildDir = await mkdtemp(path.join(tmpdir(), 'sekisho-build-'))
  await cp(BUILD, buildDir, { recursive: true })
  const pack = (dataDir: string, clock: () => number) => packRelease({ buildDir, dataDir, clock })
  const product = await startProduct({
    publish: async (dataDir) => void (await pack(dataDir, () => Date.now() - 86_400_000)),
  })
  const context = await browser.newContext({ baseURL: product.origin })
  const page = await context.newPage()
  await page.goto(CHANGED)
  await signIn(page)
  await openPage(page, CHANGED)
  await expect(page.getByRole('note')).toHaveCount(0)

  const file = path.join(buildDir, `${CHANGED}/index.html`)
  const html = await readFile(file, 'utf8')
  await writeFile(file, html.replace(/(<article[\s\S]*?<p>)/, '$1この段落は新しい規約です。'))
  await pack(product.dataDir, Date.now)

  await expect(async () => {
    await page.goto(ROUTES.whatsNew.path) // gates serve a release within two seconds
    await expect(page.getByRole('link', { name: '変更点を見る' })).toHaveCount(1, { timeout: 2_000 })
  }).toPass()
  await openPage(page, '/docs/github/project-rule')
  const entry = page.locator(`.menu__link[href="${CHANGED}"]`)
  const mark = () => entry.evaluate((link) => getComputedStyle(link, '::after').content)
  await expect.poll(mark).toBe('"更新"')
  await entry.click()
  const note = page.getByRole('note').filter({ hasText: '前回の訪問から更新されています' })
  await expect(note).toBeVisible()
  await page.reload()
  await expect(note).toHaveCount(1)

  const shown = [CHANGED, ROUTES.whatsNew.path, `${ROUTES.whatsNew.path}?page=${CHANGED}`]
  for (const [at, address] of shown.entries()) {
    await page.goto(address)
    if (at === 0) await expect(note).toBeVisible()
    for (const [width, colorScheme] of [
      [390, 'dark'],
      [1440, 'light'],
    ] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 900 })
      expect(await axeFindings(page)).toEqual([])
    }
  }
  await expect(page.locator('ins')).toHaveText('この段落は新しい規約です。')
  await page.goto(ROUTES.whatsNew.path)
  await page.getByRole('button', { name: 'すべて確認済みにする' }).click()
  await expect(page.getByRole('link', { name: '変更点を見る' })).toHaveCount(0)
  await openPage(page, CHANGED)
  await expect(note).toHaveCount(0)
  await context.close()
  await product.stop()
  await rm(buildDir, { recursive: true })
})
