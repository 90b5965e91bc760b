import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { type Product, startProduct } from './product.ts'
import { signIn } from './sign-in.ts'

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>

/** Tag of tests that take minutes: `npm run test:long` runs them, `npm test` does not. */
export const LONG = '@long'

interface WorkerFixtures {
  /** One running product for all tests of a worker. */
  readonly product: Product
  /** The cookies of a reader who has signed in once, for tests that are not about signing in. */
  readonly readerCookies: Cookies
}

interface TestFixtures {
  /** A page of a reader who is signed in, not yet anywhere. */
  readonly reader: Page
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a function needs from this pattern
    async ({}, use) => {
      const product = await startProduct({ env: { SEKISHO_NETWORKS: '手元=127.0.0.0/8' } })
      await use(product)
      await product.stop()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  readerCookies: [
    async ({ browser, product }, use) => {
      const context = await browser.newContext({ baseURL: product.origin })
      const page = await context.newPage()
      await page.goto('/markdown-page')
      await signIn(page)
      await use(await context.cookies())
      await context.close()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: async ({ product }, use) => use(product.origin),
  reader: async ({ context, page, readerCookies }, use) => {
    await context.addCookies(readerCookies)
    await use(page)
  },
})

export { expect }
