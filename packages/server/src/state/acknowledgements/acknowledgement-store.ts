import type { Account } from '../sessions/rows/session.ts'

/** One reader's acknowledgement of one version of a page. */
export interface Acknowledgement {
  readonly issuer: string
  readonly sub: string
  readonly email: string
  /** Decoded canonical path of the page. */
  readonly path: string
  /** Version that was acknowledged: a revision, or the hash of the text. */
  readonly version: string
  /** SHA-256 of the page as it was served to the session. */
  readonly page: string
  /** SHA-256 of the text of the page. */
  readonly text: string
  readonly release: string
  readonly atMs: number
}

/** Position in the list of acknowledgements, which is ordered by these fields. */
export type AcknowledgementKey = Pick<Acknowledgement, 'path' | 'version' | 'issuer' | 'sub'>

/** Acknowledgements of one version, against those who are asked. */
export interface Comparison {
  readonly done: number
  /** In the order in which they were given. */
  readonly missing: readonly string[]
}

/** Acknowledgements of pages. Every method fails when the store cannot be asked. */
export interface AcknowledgementStore {
  /** Adds an acknowledgement; false if the account has acknowledged this version before. */
  add(acknowledgement: Acknowledgement): Promise<boolean>
  /** Acknowledgements of an account, of every version, newest first. */
  ofAccount(account: Account): Promise<readonly Acknowledgement[]>
  /** The last confirmations of reviews of these pages, at most {@link MAX_REVIEWS} of each, the newest first. */
  reviews(paths: readonly string[]): Promise<readonly Acknowledgement[]>
  /** Counts acknowledgements of a version, and finds those of these addresses, in lower case, that have none. */
  compare(version: Pick<Acknowledgement, 'path' | 'version'>, emails: readonly string[]): Promise<Comparison>
  /** At most `limit` acknowledgements behind a position, in order; from the first one for null. */
  list(after: AcknowledgementKey | null, limit: number): Promise<readonly Acknowledgement[]>
  close(): Promise<void>
}

/** Acknowledgements of one account that are read at once: far more than a team has policies. */
export const MAX_OF_ACCOUNT = 5_000

/** Confirmations of one page that are read at once: of one edition, but other editions may hold other texts. */
export const MAX_REVIEWS = 20

/** Versions of confirmations of reviews, between the two: a space and what follows it. */
export const REVIEW_VERSIONS = ['review ', 'review!'] as const

/** Columns of either database, in the order of {@link valuesOf}. */
export const COLUMNS = 'path, version, issuer, sub, email, page, text, release, at'

export function valuesOf(one: Acknowledgement): readonly (string | number)[] {
  const { path, version, issuer, sub, email, page, text, release, atMs } = one
  return [path, version, issuer, sub, email, page, text, release, atMs]
}

/** Reads a row of either database. */
export function readRow(row: Readonly<Record<string, unknown>>): Acknowledgement {
  const text = (name: string): string => String(row[name])
  return {
    path: text('path'),
    version: text('version'),
    issuer: text('issuer'),
    sub: text('sub'),
    email: text('email'),
    page: text('page'),
    text: text('text'),
    release: text('release'),
    atMs: Number(row.at),
  }
}

/** All acknowledgements in the order of the list, a page of them in memory at a time. */
export async function* readAll(store: Pick<AcknowledgementStore, 'list'>): AsyncGenerator<Acknowledgement> {
  const limit = 1_000
  for (let after: AcknowledgementKey | null = null; ; ) {
    const page: readonly Acknowledgement[] = await store.list(after, limit)
    yield* page
    after = page.at(-1) ?? null
    if (page.length < limit) return
  }
}
