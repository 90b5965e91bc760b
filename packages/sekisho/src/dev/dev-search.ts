import { watch } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { createMessages, type Message } from '@sekisho/contract/language'
import { DEV_PROBLEMS_PATH } from '@sekisho/contract/paths'
import { MAX_QUERY_CHARS, readFilters } from '@sekisho/contract/search-response'
import { openIndex, type SearchEngine } from '@sekisho/search/query'
import { sayTo } from '../language.ts'
import { TEXTS } from '../texts/index.ts'
import { createSiteReading } from './read-site.ts'
import { ROUTES_FILE } from './site-notes.ts'

const messageOf = createMessages(TEXTS, 'site')

/** An editor saves in several steps, and Docusaurus notes a page after another. */
const PAUSE_MS = 250
const READY: Message = messageOf('ready')
const PAGE_FILE = /\.mdx?$|\.problem\.txt$/
const FOREIGN = /node_modules|[\\/]\.cache[\\/].*\.db/

export interface DevSearchOptions {
  readonly siteDir: string
  readonly env: NodeJS.ProcessEnv
  readonly print: (line: string) => void
  readonly signal: AbortSignal
}

/**
 * What writers have beside the development server: search over the pages as they are in their files, and what there is to mend
 * in them, both anew after each edit (decisions/203). Resolves to the address to which the development server passes both on.
 */
export async function startDevSearch(options: DevSearchOptions): Promise<URL> {
  const { signal } = options
  let engine: SearchEngine | null = null
  let problems: readonly string[] = []
  const listeners = new Set<ServerResponse>()
  const tell = (listener: ServerResponse) => listener.write(`data: ${JSON.stringify(problems)}\n\n`)

  const server = createServer(({ url = '/' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    if (pathname === DEV_PROBLEMS_PATH) {
      response.writeHead(200, EVENTS)
      listeners.add(response)
      response.on('close', () => listeners.delete(response))
      tell(response)
    } else answerSearch(engine, searchParams, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  void followEdits(options, (opened, found) => {
    engine?.close()
    engine = opened
    problems = found
    for (const listener of listeners) tell(listener)
  })
  signal.addEventListener('abort', () => {
    server.close()
    server.closeAllConnections()
  })
  return new URL(`http://127.0.0.1:${port}`)
}

/** Events, which nothing on the way may hold back to compress them. */
const EVENTS = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache, no-transform' }

function answerSearch(
  engine: SearchEngine | null,
  parameters: URLSearchParams,
  response: ServerResponse,
): void {
  const q = parameters.get('q')?.slice(0, MAX_QUERY_CHARS)
  const { section, ...filters } = readFilters(parameters) ?? {}
  const isReady = engine !== null && q !== undefined
  const kind = section === undefined ? {} : { kind: section }
  response.writeHead(isReady ? 200 : 503, { 'Content-Type': 'application/json' })
  response.end(isReady ? JSON.stringify(engine?.search({ q, limit: 50, ...filters, ...kind })) : '{}')
}

/** Reads the site anew after each edit, and once Docusaurus has noted what came of it. */
async function followEdits(
  { siteDir, env, print, signal }: DevSearchOptions,
  open: (engine: SearchEngine, problems: readonly string[]) => void,
): Promise<void> {
  let edits = 1
  let told: readonly string[] = []
  const readSite = createSiteReading(siteDir)
  const watcher = watch(siteDir, { recursive: true, signal }, (_event, name) => {
    if (name !== null && (PAGE_FILE.test(name) || name === ROUTES_FILE) && !FOREIGN.test(name)) edits += 1
  })
  watcher.on('error', () => undefined)
  for (let [read, isFirst] = [0, true]; !signal.aborted; ) {
    const seen = edits
    await wait(PAUSE_MS, null, { signal }).catch(() => undefined)
    if (seen === read || seen !== edits || signal.aborted) continue
    read = seen
    const site = await readSite()
    if (site === null) continue
    open(openIndex(site.index), site.problems)
    for (const problem of site.problems) if (!told.includes(problem)) print(`⚠ ${problem}`)
    told = site.problems
    if (isFirst) print(sayTo({ env }, READY))
    isFirst = false
  }
}
