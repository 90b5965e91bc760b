import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { openEngine } from '../sessions/sqlite/engine.ts'
import { openSqlEngine } from '../sql/sqlite.ts'
import { runCall } from '../threads/engine.ts'
import type { ThreadAnswer, ThreadCall, ThreadData } from '../threads/engine-thread.ts'

/** So many calls share a sync at most. */
const MAX_TOGETHER = 100

function answerOf(id: number, run: () => unknown): ThreadAnswer {
  try {
    return { id, ok: true, result: run() }
  } catch (error) {
    const code =
      error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
    const errcode =
      error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : null
    return { id, ok: false, message: error instanceof Error ? error.message : String(error), code, errcode }
  }
}

/** An engine with its parts by name; calls come in the order in which they were sent. */
interface Engine {
  readonly parts: object
  close(): void
  /** Runs calls with one sync for all; null where each has its own. */
  readonly group: ((run: () => void) => void) | null
}

function open(data: ThreadData): Engine {
  if (data.kind !== 'sessions') return { ...openSqlEngine(data), group: null }
  const { connection, ...parts } = openEngine(data.file, data)
  return { parts, close: connection.close, group: data.isWriter ? connection.group : null }
}

const data: ThreadData = workerData
let engine: Engine | null = null
const opened = answerOf(0, () => {
  engine = open(data)
})
parentPort?.postMessage(opened)
parentPort?.on('message', (first: ThreadCall) => {
  const calls = [first, ...(engine?.group == null ? [] : waitingCalls())]
  for (const answer of calls.length === 1 ? calls.map(answerCall) : answerTogether(calls))
    parentPort?.postMessage(answer)
  if (calls.some(isClose)) {
    engine?.close()
    parentPort?.close()
  }
})

/** Calls that arrived while the disk was busy. */
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
    if (engine === null) throw new Error('the store is not open')
    return isClose(call) ? undefined : runCall(engine.parts, call)
  })
}

/** One sync for all: sign-ins that come together cost a slow disk no more than one. None is answered before it is there. */
function answerTogether(calls: readonly ThreadCall[]): readonly ThreadAnswer[] {
  let answers: readonly ThreadAnswer[] = []
  const all = answerOf(0, () => {
    engine?.group?.(() => {
      answers = calls.map(answerCall)
    })
  })
  return all.ok ? answers : calls.map(({ id }) => ({ ...all, id }))
}
