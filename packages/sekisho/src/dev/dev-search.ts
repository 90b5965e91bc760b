import { watch } from 'node:fs'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { MAX_QUERY_CHARS, readFilters } from '@sekisho/contract/search-response'
import { openIndex, type SearchEngine } from '@sekisho/search/query'
import { runSiteBuild } from '../build/site-builder.ts'

/** A writer saves many times in a minute; the index follows when they pause. */
const PAUSE_MS = 5_000
const NOT_BUILT = 'このままではサイトを作れません。上に示したところを直すと、検索にも反映されます。'
const PAGE_FILE = /\.mdx?$/
/** The pages of dependencies, and those that a build in the background writes. */
const MADE_HERE = /node_modules|sekisho-dev/

export interface DevSearchOptions {
  readonly siteDir: string
  readonly env: NodeJS.ProcessEnv
  readonly print: (line: string) => void
  readonly signal: AbortSignal
}

/**
 * Search while writing: builds the site in the background, at the lowest priority and again after each pause in the
 * writer's edits, and answers from the newest index. Resolves to the address to which a development server passes searches on.
 */
export async function startDevSearch(options: DevSearchOptions): Promise<URL> {
  const { siteDir, signal } = options
  let engine: SearchEngine | null = null
  const server = createServer(({ url = '/' }, response) => {
    const { searchParams } = new URL(url, 'http://localhost')
    const q = searchParams.get('q')?.slice(0, MAX_QUERY_CHARS)
    const { section, ...filters } = readFilters(searchParams) ?? {}
    const isReady = engine !== null && q !== undefined
    const kind = section === undefined ? {} : { kind: section }
    response.writeHead(isReady ? 200 : 503, { 'Content-Type': 'application/json' })
    response.end(isReady ? JSON.stringify(engine?.search({ q, limit: 50, ...filters, ...kind })) : '{}')
  })
  await mkdir(dirname(join(siteDir, PROBLEMS_FILE)), { recursive: true })
  await writeFile(join(siteDir, PROBLEMS_FILE), '[]')
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  void followEdits(options, (opened) => {
    engine?.close()
    engine = opened
  })
  signal.addEventListener('abort', () => server.close())
  return new URL(`http://127.0.0.1:${port}`)

  async function followEdits(site: DevSearchOptions, open: (engine: SearchEngine) => void): Promise<void> {
    let edits = 1
    let told = ''
    const watcher = watch(siteDir, { recursive: true, signal }, (_event, name) => {
      if (name !== null && PAGE_FILE.test(name) && !MADE_HERE.test(name)) edits += 1
    })
    watcher.on('error', () => undefined)
    for (let indexed = 0; !signal.aborted; ) {
      const seen = edits
      await wait(PAUSE_MS, null, { signal }).catch(() => undefined)
      if (seen === indexed || seen !== edits || signal.aborted) continue
      indexed = seen
      const made = await buildIndex(site, indexed)
      if (made === null) continue
      if (made.found.join() !== told) for (const problem of made.found) site.print(`⚠ ${problem}`)
      told = made.found.join()
      if (made.file !== null) open(openIndex(made.file))
      site.print(
        made.file === null
          ? NOT_BUILT
          : indexed === 1
            ? '検索できるようになりました。'
            : '検索に編集を反映しました。',
      )
    }
  }
}

/** Where the development server finds what a build would say of the pages, relative to the site. */
export const PROBLEMS_FILE = join('.cache', 'sekisho-dev', 'problems.json')

/** What a build says of one line of a page. */
const OF_A_LINE = /^\s*\[WARNING\]\s+(\S+:\d+\s.*)$/

/**
 * Builds the site beside the development server, whose generated files it leaves alone, and notes what there is to mend.
 * Null when the site cannot be built now.
 */
async function buildIndex({ siteDir, env, signal }: DevSearchOptions, edition: number) {
  const cache = join('.cache', 'sekisho-dev')
  const outDir = join(siteDir, cache, 'build')
  const warnings: string[] = []
  const { outcome, problems, failure } = await runSiteBuild({
    siteDir,
    env,
    signal,
    options: ['--out-dir', outDir],
    variables: { NODE_ENV: 'production', DOCUSAURUS_GENERATED_FILES_DIR_NAME: join(cache, 'generated') },
    priority: constants.priority.PRIORITY_LOW,
    onLine: (line) => warnings.push(...(OF_A_LINE.exec(stripVTControlCharacters(line))?.slice(1) ?? [])),
  })
  if (signal.aborted) return null
  const unexplained = outcome !== null && problems.length === 0 ? [failure.join('\n')] : []
  const found = [...new Set([...problems, ...unexplained, ...warnings])]
  await writeFile(join(siteDir, PROBLEMS_FILE), JSON.stringify(found))
  if (outcome !== null) return { file: null, found }
  // The next build clears its folder while this one's index is still being read.
  const file = join(siteDir, cache, `search-${edition % 2}.db`)
  await copyFile(join(outDir, '__sekisho', 'search.db'), file)
  return { file, found }
}
