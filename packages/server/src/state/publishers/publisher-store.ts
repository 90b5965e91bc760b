import { hash } from 'node:crypto'
import type { PublisherRight } from '@sekisho/contract/publishing'

/** A publish token as it is kept: its digest opens nothing. */
export interface PublishToken {
  readonly id: string
  /** The operator's name for it. */
  readonly name: string
  readonly may: readonly PublisherRight[]
  readonly createdAtMs: number
  readonly expiresAtMs: number
}

/** Stored publishers. Every method fails when the store is unavailable. */
export interface PublisherStore {
  /** Spends a token that counts once; false when it was spent before. */
  spend(digest: string, expiresAtMs: number): Promise<boolean>
  forgetSpent(beforeMs: number): Promise<void>
  findToken(digest: string): Promise<PublishToken | null>
  /** Tells if a token still exists. */
  hasToken(id: string): Promise<boolean>

  /** For operators. */
  addToken(digest: string, token: PublishToken): Promise<void>
  listTokens(): Promise<readonly PublishToken[]>
  removeToken(id: string): Promise<boolean>
  close(): Promise<void>
}

type Row = Readonly<Record<string, unknown>>

/** A row of either database. */
export function readTokenRow(row: Row): PublishToken {
  return {
    id: String(row.id),
    name: String(row.name),
    may: String(row.may).split(',') as PublisherRight[], // written from that type only
    createdAtMs: Number(row.created_at),
    expiresAtMs: Number(row.expires_at),
  }
}

/** Digest of a token, which is all that is stored: a leaked store cannot publish. */
export function digestOf(token: string): string {
  return hash('sha256', token, 'base64url')
}
