import { once } from 'node:events'
import { dirname } from 'node:path'
import type { SearchResponse } from '@sekisho/contract/search-response'
import type { EmbeddingEndpoint } from '@sekisho/search/embeddings'
import {
  IndexMismatchError,
  inspectIndex,
  openIndex,
  type SearchEngine,
  type SearchQuery,
} from '@sekisho/search/query'
import { createQuestionVectors } from './question-vectors.ts'

/** One question to the process; the index is named each time, so a new release needs no signal of its own. */
export interface SearchJob {
  readonly id: number
  readonly file: string
  readonly sha256: string
  /** The files of its pages, where the index is not one file. */
  readonly parts?: readonly { readonly file: string; readonly sha256: string }[]
  /** Null inspects an index before its first search. */
  readonly query: SearchQuery | null
}

/** The answer as JSON text, so that the request thread does not make it again. */
export interface SearchFound {
  readonly json: string
  readonly hits: number
  /** Paths of the pages found. */
  readonly pages: readonly string[]
}

export type SearchJobResult =
  | ({ readonly id: number; readonly ok: true } & SearchFound)
  | { readonly id: number; readonly ok: false; readonly message: string; readonly isOfIndex: boolean }

/** Something that an operator should know of, and no search fails for. */
export interface SearchProblem {
  readonly problem: string
}

/** The first message of the process: its code is loaded, and jobs are next. */
export interface SearchReady {
  readonly ready: true
}

/** The first message to the process. */
export interface SearchWorkerData {
  /** Of so many releases indexes stay open. */
  readonly maxReleases: number
  /** Endpoint for vectors of questions; null keeps them here. */
  readonly embeddings: EmbeddingEndpoint | null
}

/** A file that was refused is hashed again only after this time: it may be large and does not mend itself. */
const REFUSED_MS = 30_000

/** Searches after which the engine's code is compiled and the store's commonest pages are read; half a second of work. */
const WARM_UP_SEARCHES = 40

const [data]: unknown[] = await once(process, 'message')
const { maxReleases, embeddings } = data as SearchWorkerData // of the runner, which started this process
const questions =
  embeddings === null
    ? null
    : createQuestionVectors(embeddings, {
        onProblem: (problem) => send({ problem }),
      })
/** Open indexes, one for each locale, by SHA-256; by folder of their release, the one used last at the end. */
const open = new Map<string, Map<string, SearchEngine>>()
let refused: { readonly name: string; readonly atMs: number; readonly error: IndexMismatchError } | null =
  null

function engineFor({ file, sha256, parts = [] }: SearchJob): SearchEngine {
  const folder = dirname(file)
  const engines = open.get(folder) ?? new Map<string, SearchEngine>()
  const known = engines.get(sha256)
  if (known !== undefined) {
    open.delete(folder)
    open.set(folder, engines)
    return known
  }
  const name = `${sha256} ${file}`
  if (refused?.name === name && performance.now() - refused.atMs < REFUSED_MS) throw refused.error
  try {
    const engine = openIndex(file, { sha256, parts })
    open.delete(folder)
    open.set(folder, engines.set(sha256, engine))
    if (open.size > maxReleases) closeOldest()
    warmUp(engine, engine.examples(WARM_UP_SEARCHES))
    return engine
  } catch (error) {
    if (error instanceof IndexMismatchError) refused = { name, atMs: performance.now(), error }
    throw error
  }
}

function closeOldest(): void {
  for (const [folder, engines] of open) {
    for (const engine of engines.values()) engine.close()
    open.delete(folder)
    return
  }
}

/** One search at a turn of the event loop, so that a reader's own waits for one of them at most. */
function warmUp(engine: SearchEngine, titles: readonly string[]): void {
  const [title, ...others] = titles
  if (title === undefined) return
  setImmediate(() => {
    if (![...open.values()].some((engines) => [...engines.values()].includes(engine))) return
    try {
      engine.search({ q: title })
    } catch {
      return // whoever searches gets the error
    }
    warmUp(engine, others)
  })
}

async function run(job: SearchJob): Promise<SearchJobResult> {
  const { id, query } = job
  try {
    if (query === null) {
      inspectIndex(job.file, job)
      return { id, ok: true, json: '', hits: 0, pages: [] }
    }
    const model = questions === null ? null : engineFor(job).embeddings
    const vector = model === null ? null : ((await questions?.vectorOf(model, query.q)) ?? null)
    const answer: SearchResponse = engineFor(job).search(query, vector)
    const pages = answer.results.map(({ id }) => id)
    return { id, ok: true, json: JSON.stringify(answer), hits: pages.length, pages }
  } catch (error) {
    const isOfIndex = error instanceof IndexMismatchError
    const message = error instanceof Error ? error.message : String(error)
    return { id, ok: false, message: isOfIndex ? `${error.code}: ${message}` : message, isOfIndex }
  }
}

process.on('message', async (job: SearchJob) => {
  send(await run(job))
})
process.on('disconnect', () => process.exit()) // the gate ended
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {}) // it ends first, and this process with it
send({ ready: true })

function send(message: SearchJobResult | SearchProblem | SearchReady): void {
  process.send?.(message, undefined, {}, () => {}) // a gate that ended meanwhile wants none
}
