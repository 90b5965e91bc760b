import { existsSync } from 'node:fs'
import path from 'node:path'
import { chromium } from '@playwright/test'

/** A Chromium that can be started, and what it has to be started with. */
export interface Browser {
  readonly executablePath: string
  readonly args: string[]
}

const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'chrome.exe',
]
const WELL_KNOWN = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** Nothing the browser does on its own account may leave this machine or wait for a network that is not there. */
const QUIET = [
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--disable-dev-shm-usage',
]

/** Finds an installed Chromium or Chrome, else Playwright's own, else the one inside `@sparticuz/chromium`. */
export async function findBrowser(): Promise<Browser> {
  const args = [...QUIET, ...sandboxArgs()]
  const installed = installedBrowsers().find((file) => existsSync(file))
  if (installed !== undefined) return { executablePath: installed, args }
  const own = chromium.executablePath()
  if (existsSync(own)) return { executablePath: own, args }
  const { default: packaged } = await import('@sparticuz/chromium')
  return {
    executablePath: await packaged.executablePath(),
    args: [...QUIET, '--no-sandbox', '--headless=new'],
  }
}

function installedBrowsers(): string[] {
  const chosen = process.env.TEST_BROWSER
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  const onPath = folders.flatMap((folder) => NAMES.map((name) => path.join(folder, name)))
  return [...(chosen === undefined ? [] : [chosen]), ...onPath, ...WELL_KNOWN]
}

/** Chromium refuses its sandbox to root, which is who runs in most CI containers. */
function sandboxArgs(): string[] {
  return process.getuid?.() === 0 ? ['--no-sandbox'] : []
}
