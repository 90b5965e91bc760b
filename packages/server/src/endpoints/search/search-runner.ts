import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { EmbeddingEndpoint } from '@sekisho/search/embeddings'
import type { SearchQuery } from '@sekisho/search/query'
import { UnavailableError } from '../../storage/unavailable-error.ts'
import type {
  SearchFound,
  SearchJob,
  SearchJobResult,
  SearchProblem,
  SearchReady,
  SearchWorkerData,
} from './search-worker.ts'

/**
 * Runs searches in a process of their own, so that a hard one delays searches and never pages. A thread would not do: `terminate()` waits
 * for SQLite to return, and so does the end of the gate (decisions/056).
 */
export interface SearchRunner {
  /** Throws `UnavailableError` for a queue too long, a stuck or a broken process, and an index that is not the named one. */
  run(job: SearchOf): Promise<SearchFound>
  /** Inspects an index before it is served; resolves to the problem, or null. A process that does not come back is the index's fault. */
  inspect(index: Omit<SearchOf, 'query'>): Promise<string | null>
  close(): Promise<void>
}

type SearchOf = Omit<SearchJob, 'id' | 'query'> & { readonly query: SearchQuery }

interface Waiting {
  settle(result: SearchJobResult | { readonly lost: string }): void
  timer: NodeJS.Timeout
}

const TIMEOUT_MS = 3_000
/** A new process hashes and opens the index before its first answer. */
const START_TIMEOUT_MS = 20_000
/** Loading the engine takes a second, and twenty on a machine with ten processes for each core: ending it then would only begin anew. */
const LOAD_TIMEOUT_MS = 120_000
const MAX_WAITING = 100
const CLOSING = 'the gate is closing'
const NOT_LOADED = 'the search process could not be loaded'

interface SearchRunnerOptions {
  readonly workerUrl?: URL
  /** Of so many releases indexes stay open, those used last. Default: 1. */
  readonly maxReleases?: number
  /** Endpoint for vectors of questions. Default: none. */
  readonly embeddings?: EmbeddingEndpoint | null
  readonly startTimeoutMs?: number
  readonly loadTimeoutMs?: number
  /** Told where the vectors of questions are missing, and why. */
  readonly onProblem?: (problem: string) => void
}

const WORKER = new URL('./search-worker.ts', import.meta.url)
/**
 * A search needs 40 MB of it. Without a limit V8 lets garbage grow to 130 MB before it looks; by a small one it looks at everything
 * at every 35th search, which takes more than the search does (decisions/050).
 */
const MEMORY = ['--max-semi-space-size=16', '--max-old-space-size=1024']
/** Settings of Node and of its allocator. Nothing of the gate's own is among them, above all no secret. */
const PASSED_ON = [
  'MALLOC_ARENA_MAX',
  'NODE_COMPILE_CACHE',
  'NODE_EXTRA_CA_CERTS',
  'NODE_USE_ENV_PROXY',
  'NO_PROXY',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'PATH',
  'SystemRoot',
  'TEMP',
  'TMPDIR',
  'TZ',
]

/** Starts the process at the first search, and a new one after a failure. */
export function createSearchRunner({
  workerUrl = WORKER,
  startTimeoutMs = START_TIMEOUT_MS,
  loadTimeoutMs = LOAD_TIMEOUT_MS,
  maxReleases = 1,
  embeddings = null,
  onProblem = () => {},
}: SearchRunnerOptions = {}): SearchRunner {
  const waiting = new Map<number, Waiting>()
  let running: ChildProcess | null = null
  let state: 'loading' | 'loaded' | 'answering' = 'loading'
  let isClosed = false
  let lastId = 0

  function start(): ChildProcess {
    const env = Object.fromEntries(
      PASSED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
    )
    const started = fork(fileURLToPath(workerUrl), {
      env,
      execArgv: MEMORY,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    started.send({ maxReleases, embeddings } satisfies SearchWorkerData)
    state = 'loading'
    started.unref()
    started.channel?.unref()
    started.on('message', (result: SearchJobResult | SearchProblem | SearchReady) => {
      if ('problem' in result) return onProblem(result.problem)
      if ('ready' in result) {
        if (state === 'loading') state = 'loaded'
        for (const one of waiting.values()) {
          clearTimeout(one.timer)
          one.timer = limit(started)
        }
        return
      }
      state = 'answering'
      take(result.id)?.settle(result)
    })
    started.on('error', (error) => abandon(started, `the search process failed: ${error.message}`))
    started.on('exit', (code, signal) => abandon(started, `the search process ended: ${signal ?? code}`))
    return started
  }
  /** Ends a process that does not load, or answer, in time. */
  function limit(asked: ChildProcess): NodeJS.Timeout {
    if (state === 'loading') return setTimeout(() => abandon(asked, NOT_LOADED), loadTimeoutMs)
    return setTimeout(
      () => abandon(asked, 'a search took too long'),
      state === 'answering' ? TIMEOUT_MS : startTimeoutMs,
    )
  }
  function take(id: number): Waiting | undefined {
    const one = waiting.get(id)
    waiting.delete(id)
    clearTimeout(one?.timer)
    return one
  }
  /** Answers all that the lost process was asked; the next search starts a new one. */
  function abandon(lost: ChildProcess, message: string): void {
    if (running !== lost) return
    running = null
    lost.kill('SIGKILL') // it may not come back from SQLite, and ignores what ends the gate
    for (const id of [...waiting.keys()]) take(id)?.settle({ lost: message })
  }
  function ask(job: Omit<SearchJob, 'id'>): Promise<SearchJobResult | { readonly lost: string }> {
    return new Promise((settle, reject) => {
      if (waiting.size >= MAX_WAITING) return reject(unavailable('too many searches at once'))
      if (isClosed) return reject(unavailable(CLOSING))
      running ??= start()
      const asked = running
      const id = ++lastId
      waiting.set(id, { settle, timer: limit(asked) })
      asked.send({ ...job, id } satisfies SearchJob)
    })
  }

  return {
    async run(job) {
      const result = await ask(job)
      if ('lost' in result) throw unavailable(result.lost)
      if (!result.ok) throw unavailable(`the search index cannot be used: ${result.message}`)
      const { json, hits, pages } = result
      return { json, hits, pages }
    },
    async inspect(index) {
      const result = await ask({ ...index, query: null })
      if ('lost' in result) {
        if (result.lost === CLOSING || result.lost === NOT_LOADED) throw unavailable(result.lost)
        return result.lost
      }
      if (!result.ok && !result.isOfIndex) throw unavailable(result.message)
      return result.ok ? null : result.message
    },
    /** Fails waiting requests at once: a timer left behind would delay the exit by a process's start timeout. */
    async close() {
      isClosed = true // a search asked for now would start a process that outlives the gate
      const last = running
      if (last === null) return
      const ended = once(last, 'exit')
      abandon(last, CLOSING)
      await ended
    },
  }
}

const unavailable = (message: string) => new UnavailableError('search_unavailable', message)
