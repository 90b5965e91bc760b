import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Task of a process for one engine: without queries, build; with them, open and answer. */
export interface EngineTask {
  readonly engine: string
  readonly corpus: string
  readonly folder: string
  readonly queries: readonly string[] | null
}

export interface Built {
  readonly buildMs: number
}

export interface Served {
  readonly found: readonly (readonly string[])[]
  readonly loadMs: number
  /** Milliseconds of each query, on the clock and of processor time. */
  readonly times: readonly number[]
  readonly cpuTimes: readonly number[]
  readonly addedMb: number
}

const PROCESS = fileURLToPath(new URL('./engine-process.ts', import.meta.url))

/** Builds an engine's index of a corpus. */
export const buildWith = (task: Omit<EngineTask, 'queries'>): Promise<Built> =>
  run({ ...task, queries: null })

/** Asks an engine the queries. */
export const askWith = (task: EngineTask & { queries: readonly string[] }): Promise<Served> => run(task)

async function run<Answer>(task: EngineTask): Promise<Answer> {
  // The young generation is as large as in the gate's thread; garbage in it says nothing of an engine.
  const execArgv = [
    '--max-old-space-size=6000',
    ...(task.queries === null ? [] : ['--max-semi-space-size=10']),
  ]
  const child = fork(PROCESS, { serialization: 'advanced', execArgv })
  child.send(task)
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(
      `${task.engine} ended with ${code} while ${task.queries === null ? 'indexing' : 'answering'}`,
    )
  })
  const [answer] = await Promise.race([once(child, 'message'), ended])
  ended.catch(() => undefined)
  return answer
}
