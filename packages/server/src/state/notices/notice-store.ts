import type { Account } from '../sessions/rows/session.ts'

/** A notice to be sent once. Its content is made when it is sent, and never kept. */
export interface Notice {
  /** Identifies it for ever: for other gates, and for those who receive it. */
  readonly key: string
  /** `webhook`, an owner's address, or an account of a reader as JSON. */
  readonly recipient: string
  readonly kind: 'publication' | 'digest' | 'owner' | 'watch'
  /** The release of a publication; of any other kind the day it is of. */
  readonly subject: string
  readonly createdAtMs: number
}

/** A notice that one gate may send now. */
export interface ClaimedNotice extends Notice {
  /** Names this attempt: no other one can settle it. */
  readonly claim: string
  /** Attempts so far, this one included. */
  readonly attempts: number
}

/** Outcome of an attempt: done, or when to try again. */
export type NoticeOutcome = { readonly state: 'sent' | 'dropped' } | { readonly retryAtMs: number }

/** Numbers of notices that are kept. */
export interface NoticeCounts {
  readonly waiting: number
  /** Of those, notices whose last attempt failed. */
  readonly failing: number
  /** Notices given up in the last hundred days. */
  readonly dropped: number
}

/** Folders of which a reader asked to be told. */
export interface Watch extends Account {
  readonly email: string
  /** Decoded paths, as in `/docs/payments/`. */
  readonly folders: readonly string[]
  readonly atMs: number
}

/** Waiting notices, and readers who asked for some. Every method fails when the store cannot be asked. */
export interface NoticeStore {
  /** Adds a notice; false if its key is known, also of one that was sent. */
  add(notice: Notice): Promise<boolean>
  /** Leases the notice that waits longest to one gate until `untilMs`; null where none is due. */
  claim(atMs: number, untilMs: number): Promise<ClaimedNotice | null>
  /** Records the outcome of an attempt; false if it is no longer that attempt's. */
  settle({ key, claim }: ClaimedNotice, outcome: NoticeOutcome, atMs: number): Promise<boolean>
  count(): Promise<NoticeCounts>
  findWatch(account: Account): Promise<Watch | null>
  /** Replaces the watch of an account; one without folders is deleted. */
  putWatch(watch: Watch): Promise<void>
  /** At most `limit` watches behind an account, in order; from the first one for null. */
  listWatches(after: Account | null, limit: number): Promise<readonly Watch[]>
}

/** Retention of settled notices: longer than any of them could be asked for again. */
export const KEEP_MS = 100 * 86_400_000
/** A watch ends this long after it was last saved. */
export const WATCH_MS = 400 * 86_400_000

/** Columns of either database, in the order of {@link valuesOf}. */
export const COLUMNS = 'key, kind, recipient, subject, created_at, due_at, claim, attempts, state'

export function valuesOf({
  key,
  kind,
  recipient,
  subject,
  createdAtMs,
}: Notice): readonly (string | number)[] {
  return [key, kind, recipient, subject, createdAtMs, createdAtMs, '', 0, 'waiting']
}

/** Values that an outcome gives the columns `state` and `due_at`. */
export const outcomeValues = (outcome: NoticeOutcome, atMs: number): readonly [string, number] =>
  'state' in outcome ? [outcome.state, atMs] : ['waiting', outcome.retryAtMs]

/** Columns of a query of either database that {@link readCounts} reads. */
export const COUNTS = `count(*) FILTER (WHERE state = 'waiting') AS waiting, count(*) FILTER (WHERE state = 'dropped') AS dropped,
  count(*) FILTER (WHERE state = 'waiting' AND attempts > 0 AND claim = '') AS failing`

export const readCounts = (row: Readonly<Record<string, unknown>> = {}): NoticeCounts => ({
  waiting: Number(row.waiting),
  failing: Number(row.failing),
  dropped: Number(row.dropped),
})

/** Reads a row of either database. */
export function readNotice(row: Readonly<Record<string, unknown>>): ClaimedNotice {
  const text = (name: string): string => String(row[name])
  return {
    key: text('key'),
    kind: text('kind') as Notice['kind'],
    recipient: text('recipient'), // a gate wrote it
    subject: text('subject'),
    createdAtMs: Number(row.created_at),
    claim: text('claim'),
    attempts: Number(row.attempts),
  }
}

/** Reads a row of either database. */
export function readWatch(row: Readonly<Record<string, unknown>>): Watch {
  const text = (name: string): string => String(row[name])
  const folders: readonly string[] = JSON.parse(text('folders'))
  return { issuer: text('issuer'), sub: text('sub'), email: text('email'), folders, atMs: Number(row.at) }
}
