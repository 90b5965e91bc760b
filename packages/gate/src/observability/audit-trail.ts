import { mkdirSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { UnavailableError } from '../http/boundary.ts'
import { CHAIN_START, type ChainHead, listAuditFiles, readLink } from './audit-chain.ts'
import { repairEnd } from './audit-file-end.ts'
import { createAuditQueue } from './audit-queue.ts'
import { isoTime } from './iso-time.ts'

/** What is recorded; who it was and where it happened are fields, and no field holds a token or a cookie. */
export type AuditEvent =
  | 'gate_started'
  | 'audit_repaired'
  | 'signed_in'
  | 'sign_in_refused'
  | 'signed_out'
  | 'session_expired'
  | 'session_revoked'
  | 'access_refused'
  | 'page_read'

export type AuditFields = Readonly<Record<string, string | number | null>>

/** A page that a reader was given. */
export interface Reading {
  readonly reader: {
    readonly email: string
    readonly sub: string /** Of the session. */
    readonly id: string
  }
  readonly path: string
  readonly release: string | null
  /** Id of the request, as in the log. */
  readonly request: string
}

/** The append-only record of who was let in and what they read. */
export interface AuditTrail {
  /** Throws `UnavailableError` once too much waits for a disk that does not take it: then nobody is served. */
  record(event: Exclude<AuditEvent, 'page_read'>, fields: AuditFields): void
  /** Records that a page was read, on a line of its own; throws as `record` does. */
  recordReading(reading: Reading): void
  /** Resolves when everything recorded so far is on disk. */
  flush(): Promise<void>
  /** The last line on disk: noted elsewhere, it shows later whether lines were cut from the end. */
  head(): ChainHead
}

export interface AuditOptions {
  readonly folder: string
  readonly now: () => number
  readonly onFailure: (error: unknown) => void
  /** Told of every event, to count it. */
  readonly onRecord?: (event: AuditEvent) => void
}

const MAX_WAITING = 10_000
/** Readings that arrive together are written together: opening and closing the file costs more than a line. */
const GATHER_MS = 20

/** Opens the trail and continues its chain. A last line cut short by a crash is removed, and that is recorded. */
export function openAuditTrail({ folder, now, onFailure, onRecord }: AuditOptions): AuditTrail {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { head: found, dropped } = continueChain(folder)
  const waiting = createAuditQueue(found)
  let head = found
  let writing: Promise<void> | null = null
  let isDue = false
  let gathering: NodeJS.Timeout | null = null

  /** Writes what waits; what is recorded meanwhile may gather until it is due in turn. */
  async function write(): Promise<void> {
    try {
      while (isDue) {
        isDue = false
        for (let batches = waiting.batches; batches > 0; batches -= 1) await writeFirst()
      }
    } catch (error) {
      onFailure(error)
    } finally {
      writing = null // in the same moment as the last look at what is due
    }
  }
  async function writeFirst(): Promise<void> {
    const batch = waiting.first()
    if (batch === null) return
    await appendWhole(join(folder, `${batch.month}.jsonl`), batch.lines.join(''))
    head = batch.head
    waiting.drop()
  }
  function startWriting(): Promise<void> {
    if (gathering !== null) clearTimeout(gathering)
    gathering = null
    isDue = waiting.size > 0
    if (isDue) writing ??= write()
    return writing ?? Promise.resolve()
  }
  function add(event: AuditEvent, fields: AuditFields): void {
    refuseTooMany()
    waiting.add({ at: isoTime(now()), event, ...fields })
    onRecord?.(event)
  }
  function refuseTooMany(): void {
    if (waiting.size < MAX_WAITING) return
    void startWriting()
    throw new UnavailableError('unavailable', 'the audit trail cannot be written')
  }
  function record(event: Exclude<AuditEvent, 'page_read'>, fields: AuditFields): void {
    add(event, fields)
    void startWriting()
  }

  if (dropped > 0) record('audit_repaired', { droppedBytes: dropped })
  return {
    record,
    recordReading({ reader: { email, sub, id }, path, release, request }) {
      add('page_read', { email, sub, session: id, path, release, request })
      if (waiting.size < MAX_WAITING / 2) gathering ??= setTimeout(startWriting, GATHER_MS)
      else void startWriting()
    },
    head: () => head,
    async flush() {
      while (writing !== null) await writing
      if (waiting.size > 0) await startWriting()
    },
  }
}

/** Adds whole lines or nothing: half a batch left by a full disk would be written twice by the next attempt. */
async function appendWhole(file: string, lines: string): Promise<void> {
  const handle = await open(file, 'a', 0o600)
  try {
    const { size } = await handle.stat()
    await handle.appendFile(lines).catch(async (error: unknown) => {
      await handle.truncate(size)
      throw error
    })
  } finally {
    await handle.close()
  }
}

/**
 * Finds the last link. A last line that is altered leaves no head to continue from: the chain starts anew behind
 * it, and `sekisho audit verify` names the altered line.
 */
function continueChain(folder: string): { readonly head: ChainHead; readonly dropped: number } {
  let dropped = 0
  for (const name of [...listAuditFiles(folder)].reverse()) {
    const { lastLine, cutBytes } = repairEnd(join(folder, name))
    dropped += cutBytes
    if (lastLine !== '') return { head: readLink(lastLine) ?? CHAIN_START, dropped }
  }
  return { head: CHAIN_START, dropped }
}
