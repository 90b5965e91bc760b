import { parentPort, workerData } from 'node:worker_threads'
import type { SessionContext } from '../session-store.ts'
import { openEngine, type SqliteEngine } from './engine.ts'

/** What a thread is started with. */
export interface ThreadData {
  readonly file: string
  readonly context: SessionContext | null
  readonly lockTimeoutMs: number
}

/** One call of a method of the engine. */
export interface ThreadCall {
  readonly id: number
  readonly part: keyof SqliteEngine
  readonly method: string
  readonly args: readonly unknown[]
}

/** What came of it; id 0 says that the store is open, or why it is not. */
export type ThreadAnswer =
  | { readonly id: number; readonly ok: true; readonly result: unknown }
  | { readonly id: number; readonly ok: false; readonly message: string; readonly code: string | null }

function answerOf(id: number, run: () => unknown): ThreadAnswer {
  try {
    return { id, ok: true, result: run() }
  } catch (error) {
    const code =
      error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
    return { id, ok: false, message: error instanceof Error ? error.message : String(error), code }
  }
}

/** The method that a call names: our own client makes them, by the types of the engine. */
function methodOf(
  engine: SqliteEngine,
  { part, method }: ThreadCall,
): (...args: readonly unknown[]) => unknown {
  return Reflect.get(engine[part], method)
}

const { file, context, lockTimeoutMs }: ThreadData = workerData
let engine: SqliteEngine | null = null
const opened = answerOf(0, () => {
  engine = openEngine(file, { context, lockTimeoutMs })
})
parentPort?.postMessage(opened)
parentPort?.on('message', (call: ThreadCall) => {
  parentPort?.postMessage(
    answerOf(call.id, () => {
      if (engine === null) throw new Error('the session store is not open')
      return methodOf(engine, call)(...call.args)
    }),
  )
  if (call.part === 'connection') parentPort?.close()
})
