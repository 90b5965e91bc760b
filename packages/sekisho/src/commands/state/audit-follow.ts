import { existsSync, readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ExplainedError } from '@sekisho/contract/explained-error'
import { isRecord } from '@sekisho/contract/json-shape'
import { createMessages } from '@sekisho/contract/language'
import { replaceDurably, syncFolder } from '@sekisho/release'
import { type AuditSource, type FollowPosition, readFollowing } from '@sekisho/server/audit'
import { type CommandIo, complainOf } from '../../command.ts'
import { TEXTS } from '../../texts/index.ts'

const messageOf = createMessages(TEXTS, 'reports')

const POLL_MS = 1_000

export interface FollowOptions {
  readonly source: AuditSource
  /** File with the last line of each chain that the output accepted; made at the first run. */
  readonly cursor: string
  /** File that lines are appended to; standard output where that is null. */
  readonly out: string | null
  /** Ends at the trail's present end. */
  readonly isOnce: boolean
  /** Changes whenever a line was added; null where asking for lines is as cheap. */
  readonly measure: (() => Promise<number>) | null
}

/**
 * Writes the trail as JSON lines, each at least once: the cursor moves only after the output has them (a file: on its disk). Ends at SIGINT
 * and SIGTERM; with 1 when the output fails, or with `isOnce` when lines were missing.
 */
export async function runFollow(options: FollowOptions, io: CommandIo): Promise<number> {
  const { source, cursor, isOnce, measure } = options
  const stop = new AbortController()
  const onSignal = () => stop.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal)
  const output = options.out === null ? writeToStdout : await openOutput(options.out)
  const kept = readCursor(cursor)
  const position = new Map(kept)
  let isFirst = kept === null
  let missing = 0
  let seen: number | null = null
  let isFailing = false
  try {
    while (!stop.signal.aborted) {
      const size = measure === null ? null : await measure()
      if (size === null || size !== seen) {
        try {
          for await (const { chain, lines, notices, head } of readFollowing(source, position, isFirst)) {
            await output(`${lines.join('\n')}\n`)
            position.set(chain, head)
            await writeCursor(cursor, position)
            missing += notices.length
            for (const notice of notices)
              complainOf('audit', messageOf(`follow_${notice}`, chain, head.seq), io)
            if (stop.signal.aborted) break
          }
          if (isFirst) await writeCursor(cursor, position)
          isFirst = false
          seen = size
          isFailing = false
        } catch (error) {
          if (isOnce || error instanceof OutputError || !isPassing(error)) throw error
          if (!isFailing) complainOf('audit', messageOf('follow_waits', codeOf(error)), io)
          isFailing = true
        }
      }
      if (isOnce) return missing === 0 ? 0 : 1
      await sleep(POLL_MS, undefined, { signal: stop.signal }).catch(() => {})
    }
    return 0
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal)
  }
}

/** The output takes no more lines. */
class OutputError extends ExplainedError {
  override readonly name = 'OutputError'
  readonly code = 'audit_output_failed'
}

/** A file that was trimmed while it was read, or a database that does not answer for now. */
const isPassing = (error: unknown): boolean =>
  codeOf(error) === 'ENOENT' || (error instanceof Error && error.name === 'UnavailableError')
const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error
    ? String(error.code)
    : error instanceof Error
      ? error.name
      : 'unknown'

type Output = (text: string) => Promise<void>

const writeToStdout: Output = (text) =>
  new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (error) reject(new OutputError(messageOf('follow_output', codeOf(error)), { cause: error }))
      else resolve()
    })
  })

/** Opens the file for each batch, so that it may be rotated; a line that a crash cut short is removed, and comes again. */
async function openOutput(file: string): Promise<Output> {
  const append = async (text: string, isStart: boolean) => {
    await using handle = await open(file, 'a+', 0o600)
    if (isStart) await handle.truncate(await findLastLineEnd(handle))
    await handle.writeFile(text)
    await handle.sync()
  }
  const explained = async (text: string, isStart = false) =>
    append(text, isStart).catch((error: unknown) => {
      throw new OutputError(messageOf('follow_output', codeOf(error)), { cause: error })
    })
  await explained('', true)
  await syncFolder(dirname(file))
  return (text) => explained(text)
}

const STEP_BYTES = 65_536

async function findLastLineEnd(handle: Awaited<ReturnType<typeof open>>): Promise<number> {
  const buffer = Buffer.alloc(STEP_BYTES)
  for (let end = (await handle.stat()).size; end > 0; ) {
    const start = Math.max(0, end - STEP_BYTES)
    const { bytesRead } = await handle.read(buffer, 0, end - start, start)
    const found = buffer.subarray(0, bytesRead).lastIndexOf(0x0a)
    if (found !== -1) return start + found + 1
    end = start
  }
  return 0
}

/** Null where there is none yet. Throws `ExplainedError` for a file that is no cursor: starting over would not be noticed. */
function readCursor(file: string): FollowPosition | null {
  if (!existsSync(file)) return null
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    const chains = isRecord(value) && isRecord(value.chains) ? Object.entries(value.chains) : null
    if (chains === null) throw new TypeError('no chains')
    return new Map(
      chains.map(([chain, head]) => {
        if (!isRecord(head) || !Number.isSafeInteger(head.seq) || typeof head.hash !== 'string')
          throw new TypeError('no head')
        return [chain, { seq: Number(head.seq), hash: head.hash }]
      }),
    )
  } catch (error) {
    throw new ExplainedError(messageOf('follow_no_cursor', file), { cause: error })
  }
}

async function writeCursor(file: string, position: FollowPosition): Promise<void> {
  await replaceDurably(file, Buffer.from(`${JSON.stringify({ chains: Object.fromEntries(position) })}\n`))
  await syncFolder(dirname(file))
}
