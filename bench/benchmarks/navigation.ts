import type { Browser, Page } from '@playwright/test'
import { launchBrowser } from '../browser/launch.ts'
import { median, type Row } from '../report.ts'
import { type Benchmark, type Options, OURS } from './benchmark.ts'
import { closeStands, openStands, type Stand } from './stands.ts'

/** From pressing a link to the next page's heading on the screen. */
export const navigation: Benchmark = {
  name: 'navigation',
  async run(options: Options) {
    const problems: string[] = []
    const browser = await launchBrowser()
    const stands = await openStands(browser, options, problems)
    const times = stands.map((): number[] => [])
    for (let run = 0; run <= options.runs; run += 1) {
      for (const [index, stand] of stands.entries()) {
        const ms = await navigate(browser, stand)
        if (run > 0) times[index]?.push(ms)
      }
    }
    await closeStands(browser, stands)
    const rows = stands.map(({ subject }, index): Row => {
      return { subject: subject.name, values: { 'click to new page': median(times[index] ?? []) } }
    })
    const about = `The next page of the pagination, pointed at for 200 ms, then clicked: milliseconds until its heading has been painted; median of ${options.runs}.`
    return { name: `navigation, ${options.size} pages`, about, ours: OURS, rows, problems }
  },
}

async function navigate(browser: Browser, { subject, url, signedIn }: Stand): Promise<number> {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 900 },
    ...(signedIn === undefined ? {} : { storageState: signedIn }),
  })
  page.setDefaultTimeout(120_000)
  await page.goto(url, { waitUntil: 'load' })
  await page.waitForFunction(subject.hydrated)
  const link = page.locator(subject.link).first()
  await link.scrollIntoViewIfNeeded()
  await page.waitForTimeout(1000)
  await link.hover()
  await page.waitForTimeout(200)
  const ms = await clickAndWait(page, subject.link)
  await page.close()
  return ms
}

/** A site without client navigation loads the next page whole: then it is the time until that was painted. */
async function clickAndWait(page: Page, link: string): Promise<number> {
  const before = page.url()
  try {
    return await page.evaluate<number>(CLICK_AND_WAIT.replace('SELECTOR', JSON.stringify(link)))
  } catch {
    await page.waitForURL((url) => url.href !== before, { waitUntil: 'load' })
    await page.waitForTimeout(300)
    return await page.evaluate<number>(FIRST_PAINT)
  }
}

/** Resolves with the time from the click to the frame after the heading changed. */
const CLICK_AND_WAIT = `new Promise((resolve) => {
  const before = document.querySelector('h1')?.textContent
  const startedAt = performance.now()
  const look = () => {
    const now = document.querySelector('h1')?.textContent
    if (now !== undefined && now !== before) requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - startedAt)))
    else setTimeout(look, 1)
  }
  document.querySelector(SELECTOR).click()
  look()
})`

const FIRST_PAINT = `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? performance.now()`
