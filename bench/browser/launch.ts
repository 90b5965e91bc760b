import { existsSync } from 'node:fs'
import { type Browser, chromium } from '@playwright/test'

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
]

/** An installed Chromium or Chrome (`CHROMIUM_PATH` names another), else Playwright's own, else the packaged one. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ args: ['--no-sandbox'], executablePath: await findChromium() })
}

async function findChromium(): Promise<string> {
  const { CHROMIUM_PATH } = process.env
  if (CHROMIUM_PATH !== undefined) return CHROMIUM_PATH
  const installed = [...INSTALLED, chromium.executablePath()].find((path) => existsSync(path))
  if (installed !== undefined) return installed
  const { default: packaged } = await import('@sparticuz/chromium')
  return packaged.executablePath()
}
