import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { findBrowser } from '../../e2e/support/browser.ts'
import { startProduct } from '../../e2e/support/product.ts'
import { openSearch, searchDialog } from '../../e2e/support/search.ts'
import { signIn } from '../../e2e/support/sign-in.ts'
import { median } from '../report.ts'
import { type Benchmark, OURS } from './benchmark.ts'

const RELEASE = join(import.meta.dirname, '../../.sekisho/releases/current')
const KEYS = '検環運規表文記公開章設定画像用語構築変数手順'

/** From a key in the search's field to the first result in the document, with the built portal on loopback. */
export const searchKey: Benchmark = {
  name: 'search-key',
  async run() {
    if (!existsSync(RELEASE)) throw new Error('There is no release: run npm run build first')
    const product = await startProduct()
    const browser = await chromium.launch(await findBrowser())
    try {
      const page = await browser.newPage({ baseURL: product.origin })
      await page.goto('/markdown-page')
      await signIn(page)
      const field = await openSearch(page)
      const times: number[] = []
      for (const key of KEYS) {
        await field.fill('')
        await searchDialog(page).locator('[role="option"] mark').first().waitFor({ state: 'detached' })
        await page.waitForTimeout(100)
        times.push(await typeAndWait(page, key))
      }
      const values = {
        'median ms': median(times),
        'fastest ms': Math.min(...times),
        'slowest ms': Math.max(...times),
      }
      const about = `${times.length} keys, each into an empty field: milliseconds until its first result is in the document.`
      return { name: 'search-key', about, ours: OURS, rows: [{ subject: OURS, values }], problems: [] }
    } finally {
      await browser.close()
      await product.stop()
    }
  },
}

async function typeAndWait(page: Page, key: string): Promise<number> {
  await page.evaluate(WATCH)
  await page.keyboard.insertText(key)
  return page.evaluate<number>('window.firstResult')
}

/** Measured inside the page, from the input event to the change of the document. */
const WATCH = `window.firstResult = new Promise((resolve) => {
  let startedMs = Number.NaN
  const dialog = document.querySelector('dialog')
  dialog.addEventListener('input', () => { startedMs = performance.now() }, { once: true, capture: true })
  const observer = new MutationObserver(() => {
    if (dialog.querySelector('[role="option"] mark') === null) return
    observer.disconnect()
    resolve(performance.now() - startedMs)
  })
  observer.observe(dialog, { childList: true, subtree: true })
}); undefined`
