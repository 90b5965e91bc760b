import { rmSync, watch } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createMessages, type Message } from '@sekisho/contract/language'
import { DEV_EDITIONS_PATH, DEV_PROBLEMS_PATH, type DevEditions } from '@sekisho/contract/paths'
import { MAX_QUERY_CHARS, readFilters } from '@sekisho/contract/search-response'
import { openIndex, type SearchEngine } from '@sekisho/search/query'
import { sayTo } from '../../language.ts'
import { TEXTS } from '../../texts/index.ts'
import { GENERATED } from '../follow-edits.ts'
import { createSiteReading } from './read-site.ts'
import { ROUTES_FILE } from './site-notes.ts'

const messageOf = createMessages(TEXTS, 'site')

/** An editor saves in several steps, and Docusaurus notes a page after another. */
const PAUSE_MS = 250
const READY: Message = messageOf('ready')
const PAGE_FILE = /\.mdx?$|\.problem\.txt$/
const FOREIGN = /node_modules|[\\/]\.cache[\\/].*\.db/

interface DevSearchOptions {
  readonly siteDir: string
  readonly env: NodeJS.ProcessEnv
  readonly print: (line: string) => void
  readonly signal: AbortSignal
  /** Null on a site that does not tell its readers apart. */
  readonly editions: DevEditionChoice | null
}

interface DevEditionChoice {
  describe(address: string): DevEditions
  /** Shows the edition of this name; all pages for null. */
  choose(name: string | null): void
}

interface DevSearch {
  /** Upstream of the development server for paths it does not serve itself. */
  readonly url: URL
  /** Reports obstacles to dividing the site into its editions. */
  tellEditions(problems: readonly string[]): void
  /** Shows what keeps Docusaurus from taking over an edit, until the next one. */
  tellFailures(problems: readonly string[]): void
}

/**
 * Starts a writer's companion of the development server: search over the pages in their files, and their problems, both renewed after each
 * edit (decisions/203).
 */
export async function startDevSearch(options: DevSearchOptions): Promise<DevSearch> {
  const { signal, editions, siteDir } = options
  // Notes of a build are of its last language, with other addresses; Docusaurus writes them anew once it has loaded the site.
  rmSync(join(siteDir, ROUTES_FILE), { force: true })
  let engine: SearchEngine | null = null
  let problems: readonly string[] = []
  let ofEditions: readonly string[] = []
  let failures: readonly string[] = []
  const listeners = new Set<ServerResponse>()
  const tell = (listener: ServerResponse) =>
    listener.write(`data: ${JSON.stringify([...failures, ...ofEditions, ...problems])}\n\n`)
  const tellAll = () => {
    for (const listener of listeners) tell(listener)
  }
  const tellFailures = (found: readonly string[]) => {
    if (failures.length + found.length === 0) return
    failures = found
    tellAll()
  }

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === DEV_PROBLEMS_PATH) {
      response.writeHead(200, EVENTS)
      listeners.add(response)
      response.on('close', () => listeners.delete(response))
      tell(response)
    } else if (pathname === DEV_EDITIONS_PATH && editions !== null)
      answerEditions(editions, request, searchParams, response)
    else answerSearch(engine, searchParams, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  void followEdits({ ...options, onEdit: () => tellFailures([]) }, (opened, found) => {
    engine?.close()
    engine = opened
    problems = found
    tellAll()
  })
  signal.addEventListener('abort', () => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: new URL(`http://127.0.0.1:${port}`),
    tellEditions(found) {
      for (const problem of found) if (!ofEditions.includes(problem)) options.print(`⚠ ${problem}`)
      ofEditions = found
      tellAll()
    },
    tellFailures,
  }
}

/** Says which editions hold a page, or shows another one. A page of another site shows nothing else. */
function answerEditions(
  editions: DevEditionChoice,
  { method, headers }: IncomingMessage,
  parameters: URLSearchParams,
  response: ServerResponse,
): void {
  const { 'sec-fetch-site': from = 'same-origin' } = headers
  const described = editions.describe(parameters.get('page') ?? '')
  const name = parameters.get('edition') || null
  const isKnown = name === null || described.editions.some((one) => one.name === name)
  const isChoice = method === 'POST'
  const isRefused = isChoice && (from !== 'same-origin' || !isKnown)
  response.writeHead(isRefused ? 403 : 200, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
  })
  response.end(isRefused ? '{}' : JSON.stringify(described))
  if (isChoice && !isRefused) editions.choose(name)
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
  { siteDir, env, print, signal, onEdit }: DevSearchOptions & { readonly onEdit: () => void },
  open: (engine: SearchEngine, problems: readonly string[]) => void,
): Promise<void> {
  let edits = 1
  let told: readonly string[] = []
  const readSite = createSiteReading(siteDir)
  const watcher = watch(siteDir, { recursive: true, signal }, (_event, name) => {
    if (name === null || FOREIGN.test(name)) return
    if (PAGE_FILE.test(name) || name === ROUTES_FILE) edits += 1
    if (!GENERATED.test(name)) onEdit()
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
