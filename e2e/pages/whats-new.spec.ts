import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { ROUTES } from '@sekisho/contract/routes'
import { packRelease } from '@sekisho/release/packing'
import type { AxeResults } from 'axe-core'
import { expect, test } from '../support/fixtures.ts'
import { openPage } from '../support/open-page.ts'
import { startProduct } from '../support/product.ts'
import { signIn } from '../support/sign-in.ts'

const BUILD = fileURLToPath(new URL('../../site/build', import.meta.url))
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const CHANGED = '/docs/github/commit-rule'

test.describe.configure({ timeout: 480_000 })

/** Findings of axe on the current page. */
async function findings(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: AXE })
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  )
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}

test('a reader who comes back sees what has changed, and that all is read after a click', async ({
  browser,
}, testInfo) => {
  const { outputDir } = testInfo
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

  await page.goto(ROUTES.whatsNew.path)
  await expect(page.getByRole('link', { name: '変更点を見る' })).toHaveCount(1)
  await openPage(page, '/docs/github/project-rule')
  const entry = page.locator(`.menu__link[href="${CHANGED}"]`)
  const mark = () => entry.evaluate((link) => getComputedStyle(link, '::after').content)
  await expect.poll(mark).toBe('"更新"')
  await entry.click()
  const note = page.getByRole('note').filter({ hasText: '前回の訪問から更新されています' })
  await expect(note).toBeVisible()
  await page.reload()
  await expect(note).toHaveCount(1)

  // Without the pages' policy, so that axe can be added to them.
  const looking = await browser.newContext({
    ...{ baseURL: product.origin, storageState: await context.storageState(), bypassCSP: true },
  })
  const look = await looking.newPage()
  const shown = [CHANGED, ROUTES.whatsNew.path, `${ROUTES.whatsNew.path}?page=${CHANGED}`]
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [390, 768, 1440]) {
      await look.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await look.setViewportSize({ width, height: 900 })
      for (const [at, address] of shown.entries()) {
        await look.goto(address)
        if (at === 0) await expect(look.getByRole('note')).toBeVisible()
        expect(await findings(look)).toEqual([])
        await look.screenshot({ path: path.join(outputDir, `${at}-${width}-${colorScheme}.png`) })
      }
    }
  await looking.close()
  await page.goto(shown.at(-1) ?? '')
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
