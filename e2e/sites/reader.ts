import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test'
import { ACCOUNTS, signInByPopup } from '../support/sign-in.ts'
import type { Fixture, Visit } from './fixture.ts'

/** Responses of other hosts: nothing leaves this machine, and results do not depend on the day. */
const ELSEWHERE: Readonly<Record<string, { readonly contentType: string; readonly body: string }>> = {
  image: {
    contentType: 'image/svg+xml',
    body: '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"/>',
  },
  script: { contentType: 'text/javascript', body: '' },
  stylesheet: { contentType: 'text/css', body: '' },
  document: { contentType: 'text/html', body: '<p>elsewhere</p>' },
}

/** For what never comes, not for what is slow: a busy machine may take long over anything. */
const MAX_WAIT_MS = 60_000

/**
 * A reader's browser that reaches one origin.
 * @param scripts files that other hosts answer with, by address
 */
export async function openContext(
  browser: Browser,
  origin: string,
  scripts: Readonly<Record<string, string>>,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    locale: 'en-GB',
    timezoneId: 'Asia/Tokyo',
    viewport: { width: 1280, height: 900 },
  })
  await context.route(
    (url) => /^https?:$/.test(url.protocol) && url.origin !== origin,
    (route) => {
      const answer = ELSEWHERE[route.request().resourceType()] ?? {
        contentType: 'application/json',
        body: '{}',
      }
      const path = scripts[route.request().url()]
      return route.fulfill({
        ...(path === undefined ? answer : { path, contentType: 'text/javascript' }),
        headers: { 'access-control-allow-origin': '*' },
      })
    },
  )
  return context
}

/**
 * Opens a page and waits until it has come to rest; what it told the console meanwhile.
 * @param hydrates whether it says when Docusaurus has taken it over
 */
export async function openPage(
  page: Page,
  address: string,
  { hydrates = true }: { readonly hydrates?: boolean } = {},
): Promise<readonly string[]> {
  const messages: string[] = []
  const { origin } = new URL(address)
  const tell = (text: string) => messages.push(text.replaceAll(origin, '').replace(/\s+/g, ' ').slice(0, 240))
  const onConsole = (message: { type(): string; text(): string; location(): { url: string } }) => {
    if (/error|warning/.test(message.type()))
      tell(`${message.type()} ${message.text()} ${message.location().url}`)
  }
  const onError = (error: Error) => tell(`uncaught ${error.message}`)
  page.on('console', onConsole)
  page.on('pageerror', onError)
  await page.goto(address, { waitUntil: 'load' })
  await page.waitForLoadState('networkidle')
  if (hydrates)
    await expect(page.locator('html[data-has-hydrated=true]')).toHaveCount(1, { timeout: MAX_WAIT_MS })
  await scrollThrough(page)
  page.off('console', onConsole)
  page.off('pageerror', onError)
  return messages
}

/** Pictures and diagrams may wait until they are seen. */
async function scrollThrough(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let y = 0; y < Math.min(document.body.scrollHeight, 20_000); y += 800) {
      scrollTo(0, y)
      await new Promise((resolve) => setTimeout(resolve, 60))
    }
    scrollTo(0, 0)
  })
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 400)))
}

/** Signs in as a person does, and stays on the site. */
export async function enter(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await signInByPopup(page, ACCOUNTS.member)
}

export function visitOf(page: Page, origin: string, { baseUrl = '/', trailingSlash }: Fixture): Visit {
  const link = (path: string, fragment = '') =>
    baseUrl + path + (trailingSlash === true && path !== '' ? '/' : '') + fragment
  return {
    page,
    origin,
    link,
    async open(path) {
      await openPage(page, origin + link(path))
    },
    async search(words) {
      await page.keyboard.press('Control+k')
      const answered = page.waitForResponse(
        (response) => new URL(response.url()).searchParams.get('q') === words && response.status() === 200,
      )
      await page.getByRole('dialog').getByRole('combobox').fill(words)
      await answered
      const options = page.getByRole('dialog').locator('[role=option][href]')
      await expect(options.first()).toBeVisible({ timeout: MAX_WAIT_MS })
      const links = await options.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
      await page.keyboard.press('Escape')
      return links
    },
  }
}
