import type { Browser } from '@playwright/test'
import { createLocalIdentity } from '@sekisho/server/local-identity'
import type { Load, SignedIn } from '../browser/measure-load.ts'
import { type FolderServer, type Service, serveFolder } from '../browser/serve-folder.ts'
import type { Subject } from '../subjects/subject.ts'
import { ensureBuilt, type Options, pickSubjects } from './benchmark.ts'

/** A subject's built site, being served, and what has been measured on it. */
export interface Stand {
  subject: Subject
  server: FolderServer
  /** Address of the page that is measured. */
  url: string
  signedIn: SignedIn | undefined
  loads: Load[]
}

/** Builds where needed and serves every subject of this run. */
export async function openStands(browser: Browser, options: Options, problems: string[]): Promise<Stand[]> {
  const stands: Stand[] = []
  for (const subject of pickSubjects(options)) {
    const site = await ensureBuilt(subject, options, problems)
    if (site === null) continue
    const server = await serveFolder(site.outDir, subject.signsIn ? startIdentity : undefined)
    const url = server.origin + encodeURI(site.page)
    const signedIn = subject.signsIn ? await signIn(browser, url, subject.hydrated) : undefined
    stands.push({ subject, server, url, signedIn, loads: [] })
  }
  return stands
}

/** Stops the servers and the browser. */
export async function closeStands(browser: Browser, stands: readonly Stand[]): Promise<void> {
  await Promise.all(stands.map(({ server }) => server.close()))
  await browser.close()
}

/** The identity service of the generated site that hides itself in the browser. */
function startIdentity(origin: string): Promise<Service> {
  const env = { ...process.env, NODE_ENV: 'test' }
  return createLocalIdentity({ projectId: 'demo-bench', origin, env, onWarning: () => {} })
}

/** Signs in once, as a reader does on the first day; every later visit starts from what the browser kept. */
async function signIn(browser: Browser, url: string, shown: string): Promise<SignedIn> {
  const context = await browser.newContext({ locale: 'ja-JP' })
  const page = await context.newPage()
  await page.goto(url, { waitUntil: 'commit', timeout: 120_000 })
  await page.getByRole('button', { name: 'Login with Google' }).click({ timeout: 120_000 })
  await page.waitForFunction(shown, null, { timeout: 120_000 })
  const state = await context.storageState({ indexedDB: true })
  await context.close()
  return state
}
