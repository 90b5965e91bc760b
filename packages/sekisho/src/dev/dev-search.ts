import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { MAX_QUERY_CHARS, readFilters } from '@sekisho/contract/search-answer'
import { openIndex, type SearchEngine } from '@sekisho/search/query'

/** A writer saves many times in a minute; the index follows when they pause. */
const PAUSE_MS = 5_000
const PAGE_FILE = /\.mdx?$/
/** The pages of dependencies, and those that a build in the background writes. */
const MADE_HERE = /node_modules|sekisho-dev/

export interface DevSearchOptions {
  readonly siteDir: string
  /** Docusaurus' own program. */
  readonly docusaurus: string
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
    const watcher = watch(siteDir, { recursive: true, signal }, (_event, name) => {
      if (name !== null && PAGE_FILE.test(name) && !MADE_HERE.test(name)) edits += 1
    })
    watcher.on('error', () => undefined)
    for (let indexed = 0; !signal.aborted; ) {
      const seen = edits
      await wait(PAUSE_MS, null, { signal }).catch(() => undefined)
      if (seen === indexed || seen !== edits || signal.aborted) continue
      indexed = seen
      const file = await buildIndex(site, indexed)
      if (file === null) continue
      open(openIndex(file))
      site.print(indexed === 1 ? '検索できるようになりました。' : '検索に編集を反映しました。')
    }
  }
}

/** Builds the site beside the development server, whose generated files it leaves alone. Null when the site cannot be built now. */
async function buildIndex(
  { siteDir, docusaurus, env, signal }: DevSearchOptions,
  edition: number,
): Promise<string | null> {
  const cache = join('.cache', 'sekisho-dev')
  const outDir = join(siteDir, cache, 'build')
  await mkdir(join(siteDir, cache), { recursive: true })
  const child = spawn(process.execPath, [docusaurus, 'build', siteDir, '--out-dir', outDir], {
    cwd: siteDir,
    env: { ...env, NODE_ENV: 'production', DOCUSAURUS_GENERATED_FILES_DIR_NAME: join(cache, 'generated') },
    stdio: 'ignore',
    signal,
  })
  child.on('error', () => undefined)
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) return null
  // The next build clears its folder while this one's index is still being read.
  const file = join(siteDir, cache, `search-${edition % 2}.db`)
  await copyFile(join(outDir, '__sekisho', 'search.db'), file)
  return file
}
