import type { Page } from '@playwright/test'
import { launchBrowser } from '../browser/launch.ts'
import { serveFolder } from '../browser/serve-folder.ts'
import { median, type Row } from '../report.ts'
import { type Benchmark, ensureBuilt, type Options, OURS, pickSubjects } from './benchmark.ts'

/** From pressing a link to the next page's heading on the screen. */
export const navigation: Benchmark = {
  name: 'navigation',
  async run(options: Options) {
    const problems: string[] = []
    const rows: Row[] = []
    const browser = await launchBrowser()
    for (const subject of pickSubjects(options)) {
      const site = await ensureBuilt(subject, options, problems)
      if (site === null) continue
      const server = await serveFolder(site.outDir)
      const times: number[] = []
      for (let run = 0; run <= options.runs; run += 1) {
        const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
        await page.goto(server.origin + encodeURI(site.page), { waitUntil: 'load' })
        await page.waitForFunction(subject.hydrated)
        const link = page.locator(subject.link).first()
        await link.scrollIntoViewIfNeeded()
        await page.waitForTimeout(1000)
        await link.hover()
        await page.waitForTimeout(200)
        const ms = await clickAndWait(page, subject.link)
        if (run > 0) times.push(ms)
        await page.close()
      }
      await server.close()
      rows.push({ subject: subject.name, values: { 'click to new page': median(times) } })
    }
    await browser.close()
    const about = `The next page of the pagination, pointed at for 200 ms, then clicked: milliseconds until its heading has been painted; median of ${options.runs}.`
    return { name: `navigation, ${options.size} pages`, about, ours: OURS, rows, problems }
  },
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
