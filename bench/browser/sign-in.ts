import type { Browser } from '@playwright/test'
import { createLocalIdentity } from '@sekisho/server/local-identity'
import type { SignedIn } from './measure-load.ts'
import type { Service } from './serve-folder.ts'

/** The identity service of the generated site that hides itself in the browser. */
export function startIdentity(origin: string): Promise<Service> {
  const env = { ...process.env, NODE_ENV: 'test' }
  return createLocalIdentity({ projectId: 'demo-bench', origin, env, onWarning: () => {} })
}

/** Signs in once, as a reader does on the first day; every later visit starts from what the browser kept. */
export async function signIn(browser: Browser, url: string, shown: string): Promise<SignedIn> {
  const context = await browser.newContext({ locale: 'ja-JP' })
  const page = await context.newPage()
  await page.goto(url, { waitUntil: 'commit', timeout: 120_000 })
  await page.getByRole('button', { name: 'Login with Google' }).click({ timeout: 120_000 })
  await page.waitForFunction(shown, null, { timeout: 120_000 })
  const state = await context.storageState({ indexedDB: true })
  await context.close()
  return state
}
