import type { Account } from '../sessions/rows/session.ts'
import type { Row, Sql } from '../sql/sql.ts'

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
const MAX_OF_ACCOUNT = 5_000

/** Confirmations of one page that are read at once: of one edition, but other editions may hold other texts. */
const MAX_REVIEWS = 20

/** Versions of confirmations of reviews, between the two: a space and what follows it. */
const REVIEW_VERSIONS = ['review ', 'review!'] as const

const COLUMNS = 'path, version, issuer, sub, email, page, text, release, at'
const KEY = 'path, version, issuer, sub'

/** Keeps acknowledgements on either database, whose key compares by its bytes. */
export function createAcknowledgementStore({ query, close }: Sql): AcknowledgementStore {
  return {
    async add({ path, version, issuer, sub, email, page, text, release, atMs }) {
      const added = await query(
        `INSERT INTO sekisho.acknowledgements (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         ON CONFLICT DO NOTHING RETURNING 1 AS one`,
        [path, version, issuer, sub, email, page, text, release, atMs],
      )
      return added.length > 0
    },
    async ofAccount({ issuer, sub }) {
      const text =
        'SELECT * FROM sekisho.acknowledgements WHERE issuer = $1 AND sub = $2 ORDER BY at DESC LIMIT $3'
      return (await query(text, [issuer, sub, MAX_OF_ACCOUNT])).map(readRow)
    },
    async reviews(paths) {
      const rows = await query(
        `SELECT ${COLUMNS} FROM (
           SELECT *, row_number() OVER (PARTITION BY path ORDER BY version DESC) AS place FROM sekisho.acknowledgements
           WHERE path IN (SELECT value COLLATE "C" FROM unnest($1::text[]) WITH ORDINALITY AS asked (value, key))
             AND version >= $2 AND version < $3
         ) AS found WHERE place <= $4 ORDER BY path, version DESC`,
        [paths, ...REVIEW_VERSIONS, MAX_REVIEWS],
      )
      return rows.map(readRow)
    },
    async compare({ path, version }, emails) {
      const of = 'FROM sekisho.acknowledgements WHERE path = $1 AND version = $2'
      const [counted] = await query(`SELECT count(*) AS done ${of}`, [path, version])
      const missing = await query(
        `SELECT value FROM unnest($3::text[]) WITH ORDINALITY AS asked (value, key) EXCEPT SELECT lower(email) ${of}`,
        [path, version, emails],
      )
      const isMissing = new Set(missing.map(({ value }) => value))
      return { done: Number(counted?.done), missing: emails.filter((email) => isMissing.has(email)) }
    },
    async list(after, limit) {
      const rows = await query(
        `SELECT * FROM sekisho.acknowledgements WHERE (${KEY}) > ($1, $2, $3, $4) ORDER BY ${KEY} LIMIT $5`,
        [after?.path ?? '', after?.version ?? '', after?.issuer ?? '', after?.sub ?? '', limit],
      )
      return rows.map(readRow)
    },
    close,
  }
}

function readRow(row: Row): Acknowledgement {
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
