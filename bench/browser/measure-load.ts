import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { Browser, BrowserContextOptions, CDPSession, Page } from '@playwright/test'

/** Speed of loading a page: the machine's, or that of a reader's slow line and phone. */
export type Conditions = 'plain' | 'throttled'

/** One load of one page. Sizes in bytes as transferred, times in milliseconds since navigation. */
export interface Load {
  htmlBytes: number
  cssBytes: number
  jsBytes: number
  otherBytes: number
  requests: number
  firstPaintMs: number
  largestPaintMs: number
  blockingMs: number
  hydratedMs: number
  problems: string[]
}

/** 1.6 Mbit/s, 150 ms, a processor a quarter as fast. */
const THROTTLE = { latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750, offline: false }

/** Says in the page when it answers clicks; each generator tells it differently. */
interface Hydration {
  /** An expression that is true once the page is hydrated. */
  hydrated: string
}

/** Browser storage of a signed-in reader. */
export type SignedIn = Exclude<BrowserContextOptions['storageState'], string | undefined>

/** Loads an address in a fresh context (empty cache) and measures until it is hydrated and quiet. */
export async function measureLoad(
  browser: Browser,
  url: string,
  options: Hydration & { conditions: Conditions; signedIn?: SignedIn | undefined },
): Promise<Load> {
  const { signedIn } = options
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'ja-JP',
    ...(signedIn === undefined ? {} : { storageState: signedIn }),
  })
  try {
    const page = await context.newPage()
    const problems = collectProblems(page)
    const session = await context.newCDPSession(page)
    if (options.conditions === 'throttled') await throttle(session)
    const transfers = await watchTransfers(session)
    await page.addInitScript({ content: OBSERVER.replaceAll('HYDRATED', () => options.hydrated) })
    // A cold server compresses whole bundles first, which takes a busy machine longer than Playwright waits.
    await page.goto(url, { waitUntil: 'commit', timeout: PATIENCE_MS })
    await waitUntilHydrated(session)
    await setTimeout(options.conditions === 'throttled' ? 1500 : 300)
    const { startedAtMs, isLoaded: _, ...seen } = await observe(session)
    return { ...transfers.sum(startedAtMs + seen.hydratedMs), ...seen, problems }
  } finally {
    await context.close()
  }
}

type Observed = Pick<Load, 'firstPaintMs' | 'largestPaintMs' | 'blockingMs' | 'hydratedMs'>

const OBSERVER = readFileSync(new URL('./observe.js', import.meta.url), 'utf8')

/**
 * Asks the page without Playwright's own `waitForFunction` and `evaluate`: the library they put into the page
 * first takes 50 to 100 ms of a throttled processor, just when the page is being hydrated.
 */
async function observe(session: CDPSession): Promise<State> {
  const { result } = await session.send('Runtime.evaluate', { expression: STATE })
  return JSON.parse(result.value) as State
}

type State = Observed & { startedAtMs: number; isLoaded: boolean }

const STATE = `JSON.stringify({
  ...window.__bench,
  startedAtMs: performance.timeOrigin,
  isLoaded: document.readyState === 'complete',
})`

const PATIENCE_MS = 120_000

async function waitUntilHydrated(session: CDPSession): Promise<void> {
  for (const startedAtMs = Date.now(); Date.now() - startedAtMs < PATIENCE_MS; await setTimeout(100)) {
    const { hydratedMs, isLoaded } = await observe(session)
    if (hydratedMs > 0 && isLoaded) return
  }
  throw new Error(`Not hydrated within ${PATIENCE_MS / 1000} s`)
}

async function throttle(session: CDPSession): Promise<void> {
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', THROTTLE)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
}

interface Transfers {
  sum(until: number): Pick<Load, 'htmlBytes' | 'cssBytes' | 'jsBytes' | 'otherBytes' | 'requests'>
}

/** Adds up what was requested before the page was hydrated; what a page prefetches for later is not part of it. */
async function watchTransfers(session: CDPSession): Promise<Transfers> {
  const requests = new Map<string, { type: string; bytes: number; sentAt: number; prefetch: boolean }>()
  await session.send('Network.enable')
  session.on('Network.requestWillBeSent', ({ requestId, type = 'Other', request, wallTime }) => {
    const purpose = JSON.stringify(request.headers)
    const prefetch =
      type === 'Prefetch' ||
      /"(?:Sec-)?Purpose":\s*"prefetch/i.test(purpose) ||
      request.initialPriority === 'VeryLow'
    requests.set(requestId, { type, bytes: 0, sentAt: wallTime * 1000, prefetch })
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const request = requests.get(requestId)
    if (request !== undefined) request.bytes = encodedDataLength
  })
  return {
    sum(until) {
      const counted = [...requests.values()].filter(({ prefetch, sentAt }) => !prefetch && sentAt <= until)
      const of = (...types: string[]) =>
        counted.filter(({ type }) => types.includes(type)).reduce((sum, { bytes }) => sum + bytes, 0)
      const [htmlBytes, cssBytes, jsBytes] = [of('Document'), of('Stylesheet'), of('Script')]
      const all = counted.reduce((sum, { bytes }) => sum + bytes, 0)
      return {
        htmlBytes,
        cssBytes,
        jsBytes,
        otherBytes: all - htmlBytes - cssBytes - jsBytes,
        requests: counted.length,
      }
    },
  }
}

function collectProblems(page: Page): string[] {
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text().slice(0, 300))
  })
  page.on('pageerror', (error) => problems.push(error.message.slice(0, 300)))
  return problems
}
