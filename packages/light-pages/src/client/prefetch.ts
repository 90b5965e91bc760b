import { pathKey } from '../wire.ts'
import { listScripts, openPage, peekPage } from './page-store.ts'

const asked = new Set<string>()

/** Takes over `window.docusaurus`, through which links ask for pages: in sight, then under the pointer. */
export function installPrefetch(): void {
  window.docusaurus = { prefetch, preload } as unknown as typeof window.docusaurus
}

/** A link came into sight: its page's scripts are fetched, when idle, but nothing is run. */
function prefetch(path: string): false | Promise<unknown> {
  const key = toKey(path)
  if (isSlow() || asked.has(key) || peekPage(key) !== null) return false
  asked.add(key)
  return whenIdle().then(async () => {
    const scripts = await listScripts(key).catch(() => [])
    return scripts.map(addPrefetchLink)
  })
}

/** A link is under the pointer: its page is made ready. */
function preload(path: string): false | Promise<unknown> {
  const key = toKey(path)
  if (isSlow() || peekPage(key) !== null) return false
  // A failure here is a failure of the click to come, which reloads.
  return openPage(key).then(
    () => [],
    () => [],
  )
}

function toKey(path: string): string {
  return pathKey(new URL(path, window.location.href).pathname)
}

interface Connection {
  effectiveType?: string
  saveData?: boolean
}

/** Prefetching is left out on slow connections and where the reader saves data. */
function isSlow(): boolean {
  const { connection } = navigator as Navigator & { connection?: Connection }
  return connection?.effectiveType?.includes('2g') === true || connection?.saveData === true
}

let idle: Promise<void> | null = null

/** After the page has loaded and the browser has nothing to do. */
function whenIdle(): Promise<void> {
  idle ??= new Promise((resolve) => {
    const wait = () => (window.requestIdleCallback ?? setTimeout)(() => resolve())
    if (document.readyState === 'complete') wait()
    else window.addEventListener('load', wait, { once: true })
  })
  return idle
}

function addPrefetchLink(href: string): void {
  if (document.querySelector(`link[href="${href}"], script[src="${href}"]`) !== null) return
  const link = Object.assign(document.createElement('link'), { rel: 'prefetch', as: 'script', href })
  document.head.append(link)
}
