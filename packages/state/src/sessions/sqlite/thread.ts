import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { SessionContext } from '../session-store.ts'
import { openEngine, type SqliteEngine } from './engine.ts'

/** What a thread is started with. */
export interface ThreadData {
  readonly file: string
  readonly context: SessionContext | null
  readonly lockTimeoutMs: number
  /** Whether calls that come together share one sync: for the thread that writes. */
  readonly isWriter: boolean
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

/** So many calls share a sync at most. */
const MAX_TOGETHER = 100

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

const { file, context, lockTimeoutMs, isWriter }: ThreadData = workerData
let engine: SqliteEngine | null = null
const opened = answerOf(0, () => {
  engine = openEngine(file, { context, lockTimeoutMs })
})
parentPort?.postMessage(opened)
parentPort?.on('message', (first: ThreadCall) => {
  const calls = [first, ...(isWriter ? waitingCalls() : [])]
  for (const answer of calls.length === 1 ? calls.map(answerCall) : answerTogether(calls))
    parentPort?.postMessage(answer)
  if (calls.some(isClose)) {
    engine?.connection.close()
    parentPort?.close()
  }
})

/** What came while the disk was busy. */
function waitingCalls(): readonly ThreadCall[] {
  const calls: ThreadCall[] = []
  while (parentPort !== null && calls.length < MAX_TOGETHER) {
    const received: { readonly message: ThreadCall } | undefined = receiveMessageOnPort(parentPort)
    if (received === undefined) break
    calls.push(received.message)
  }
  return calls
}

/** The thread closes behind the calls that were sent before. */
function isClose({ part }: ThreadCall): boolean {
  return part === 'connection'
}

function answerCall(call: ThreadCall): ThreadAnswer {
  return answerOf(call.id, () => {
    if (engine === null) throw new Error('the session store is not open')
    return isClose(call) ? undefined : methodOf(engine, call)(...call.args)
  })
}

/** One sync for all: sign-ins that come together cost a slow disk no more than one. None is answered before it is there. */
function answerTogether(calls: readonly ThreadCall[]): readonly ThreadAnswer[] {
  let answers: readonly ThreadAnswer[] = []
  const all = answerOf(0, () => {
    if (engine === null) throw new Error('the session store is not open')
    engine.connection.group(() => {
      answers = calls.map(answerCall)
    })
  })
  return all.ok ? answers : calls.map(({ id }) => ({ ...all, id }))
}
