import { randomBytes } from 'node:crypto'
import { sealRow } from './genuine-rows.ts'
import type { HeldSessions } from './held-sessions.ts'
import type { Seal } from './seal.ts'
import type { Identity, Session, SessionRow } from './session.ts'
import type { SessionEnding } from './session-ending.ts'
import type { SessionFinder } from './session-finder.ts'
import { type SessionKey, sessionKeyOf } from './session-key.ts'
import type { InsertResult, SessionStore, SpentToken } from './session-store.ts'

/** A person signs in from a few browsers; more live sessions than this end the one unused longest. */
const MAX_SESSIONS_PER_ACCOUNT = 25

export interface SignInProof {
  readonly identity: Identity
  /** Null where the issuer gives none: then the session lives for `UNPROVABLE_MS`. */
  readonly refreshToken: string | null
  readonly spent: SpentToken
  /** Browser and system by name, and where from: what readers know their sessions by. */
  readonly device: string
  readonly address: string
}

/** What a session on a preview's host is made of: one of the main origin, and the ticket that names it. */
export interface HandOver {
  readonly parent: SessionKey
  /** By which the new session is known: of no use on another host. */
  readonly keyOf: (token: string) => SessionKey
  readonly spent: SpentToken
  readonly device: string
  readonly address: string
}

export type StartResult =
  | { readonly kind: 'started'; readonly token: string; readonly session: Session }
  | { readonly kind: Exclude<InsertResult, 'inserted'> }

/** Starts sessions. */
export interface SessionStart {
  start(proof: SignInProof): Promise<StartResult>
  /** Starts a session that lives as long as its parent does, at most, and ends with it. */
  handOver(ticket: HandOver): Promise<StartResult>
}

export interface StartOptions {
  readonly store: Pick<SessionStore, 'sessions'>
  readonly seal: Seal
  readonly held: HeldSessions
  readonly finder: SessionFinder
  readonly ending: SessionEnding
  readonly now: () => number
  readonly elapsed: () => number
}

/** What a session begins with beside whose it is: proven by a refresh token, or handed over from a parent. */
type Beginning = Omit<SignInProof, 'identity' | 'refreshToken'> & {
  readonly keyOf: (token: string) => SessionKey
  readonly provenAtMs: number
  readonly refreshToken: string | null
  readonly parent?: SessionKey
}

export function createStart(options: StartOptions): SessionStart {
  const { store, seal, held, finder, ending, now, elapsed } = options

  async function begin(identity: Identity, beginning: Beginning): Promise<StartResult> {
    const { keyOf, spent, device, address, provenAtMs, refreshToken, parent } = beginning
    const token = randomBytes(32).toString('base64url')
    const key = keyOf(token)
    const atMs = now()
    const times = { startedAtMs: atMs, lastSeenAtMs: atMs, provenAtMs }
    const id = randomBytes(9).toString('base64url')
    const from = parent === undefined ? {} : { parent }
    const isProvable = refreshToken !== null || parent !== undefined
    const plain = { key, id, ...identity, device, address, ...times, isProvable, ...from }
    const row: SessionRow = { ...plain, refresh: sealRow(seal, plain, refreshToken) }
    const readAtMs = elapsed()
    const kind = await store.sessions.insert(row, spent)
    if (kind !== 'inserted') return { kind }
    held.hold(row, readAtMs)
    // Counted apart, so that many previews never end a session that somebody signed in to.
    const alike = (await ending.ofAccount(row)).filter(
      (one) => (one.parent === undefined) === (parent === undefined),
    )
    await ending.endAll(alike.slice(MAX_SESSIONS_PER_ACCOUNT), () => 'replaced')
    return { kind: 'started', token, session: row }
  }

  return {
    start: ({ refreshToken, identity, ...proof }) =>
      begin(identity, { ...proof, keyOf: sessionKeyOf, provenAtMs: now(), refreshToken }),
    async handOver({ parent, keyOf, spent, device, address }) {
      const from = await finder.find(parent, false)
      const row = from === null ? null : await store.sessions.find(parent)
      if (row === null || row.parent !== undefined) return { kind: 'parent_ended' }
      const { issuer, sub, email, name, sid, vouched, provenAtMs } = row
      const beginning = { keyOf, spent, device, address, provenAtMs, refreshToken: null, parent }
      return begin({ issuer, sub, email, name, sid, vouched }, beginning)
    },
  }
}
