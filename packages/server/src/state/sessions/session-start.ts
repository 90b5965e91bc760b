import { randomBytes } from 'node:crypto'
import type { HeldSessions } from './held/held-sessions.ts'
import { openRow, sealRow } from './rows/genuine-rows.ts'
import type { Seal } from './rows/seal.ts'
import type { Identity, SessionRow } from './rows/session.ts'
import { type SessionKey, sessionKeyOf } from './rows/session-key.ts'
import type { InsertResult, SessionStore, SpentToken } from './rows/session-store.ts'
import type { SessionEnding } from './session-ending.ts'
import type { SessionFinder } from './session-finder.ts'

/** A person signs in from a few browsers; more live sessions than this end the one unused longest. */
const MAX_SESSIONS_PER_ACCOUNT = 25
/** A session that was replaced by one that hangs on an offline session cannot be so again. */
const STAND_MS = 600_000

interface SignInProof {
  readonly identity: Identity
  /** Null where the issuer gives none: then the session lives for `UNPROVABLE_MS`. */
  readonly refreshToken: string | null
  readonly spent: SpentToken
  /** Browser and system by name, and where from: what readers know their sessions by. */
  readonly device: string
  readonly address: string
}

/** Source of a preview session: a session of the main origin, and the ticket that names it. */
interface HandOver {
  readonly parent: SessionKey
  /** By which the new session is known: of no use on another host. */
  readonly keyOf: (token: string) => SessionKey
  readonly spent: SpentToken
  readonly device: string
  readonly address: string
}

interface StartedSession {
  readonly kind: 'started'
  readonly token: string
  readonly session: SessionRow
}

export type StartResult = StartedSession | { readonly kind: Exclude<InsertResult, 'inserted'> }

/** Starts sessions. */
export interface SessionStart {
  start(proof: SignInProof): Promise<StartResult>
  /** Starts a session that lives as long as its parent does, at most, and ends with it. */
  handOver(ticket: HandOver): Promise<StartResult>
  /**
   * Moves an account's revalidation out of a browser's session, so that dependants outlive it. A refresh token may be valid once, so it has
   * one place: the browser gets another session of the same age on the same offline session.
   */
  createOfflineSession(key: SessionKey): Promise<OfflineSessionResult>
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

/** Beginning of a session apart from its owner: validated by a refresh token, or dependent on a parent. */
type Beginning = Omit<SignInProof, 'identity' | 'refreshToken'> & {
  readonly keyOf: (token: string) => SessionKey
  readonly provenAtMs: number
  readonly refreshToken: string | null
  readonly parent?: string
  readonly kind?: 'standing'
  readonly startedAtMs?: number
}

/** Offline session of agents' grants; `renewed` where the browser's session was replaced by a dependent one. */
type OfflineSessionResult =
  | { readonly kind: 'offline'; readonly key: string; readonly renewed: StartedSession | null }
  | { readonly kind: Exclude<InsertResult, 'inserted'> }

export function createStart(options: StartOptions): SessionStart {
  const { store, seal, held, finder, ending, now, elapsed } = options

  async function begin(identity: Identity, beginning: Beginning): Promise<StartResult> {
    const { keyOf, spent, device, address, provenAtMs, refreshToken, parent, kind } = beginning
    const token = randomBytes(32).toString('base64url')
    const key = keyOf(token)
    const atMs = now()
    const times = { startedAtMs: beginning.startedAtMs ?? atMs, lastSeenAtMs: atMs, provenAtMs }
    const id = randomBytes(9).toString('base64url')
    const from = { ...(parent !== undefined && { parent }), ...(kind !== undefined && { kind }) }
    const isProvable = refreshToken !== null || parent !== undefined
    const plain = { key, id, ...identity, device, address, ...times, isProvable, ...from }
    const row: SessionRow = { ...plain, refresh: sealRow(seal, plain, refreshToken) }
    const readAtMs = elapsed()
    const result = await store.sessions.insert(row, spent)
    if (result !== 'inserted') return { kind: result }
    held.hold(row, readAtMs)
    const alike = likeThis(row, await ending.ofAccount(row))
    await ending.endAll(alike.slice(MAX_SESSIONS_PER_ACCOUNT), () => 'replaced')
    return { kind: 'started', token, session: row }
  }

  return {
    start: ({ refreshToken, identity, ...proof }) =>
      begin(identity, { ...proof, keyOf: sessionKeyOf, provenAtMs: now(), refreshToken }),
    async handOver({ parent, keyOf, spent, device, address }) {
      const from = await finder.find(parent, false)
      const row = from === null ? null : await store.sessions.find(parent)
      if (from === null || row === null || !(await isSignedIn(row))) return { kind: 'parent_ended' }
      const { issuer, sub, email, name, sid, provenAtMs } = row
      const { vouched } = from
      const beginning = { keyOf, spent, device, address, provenAtMs, refreshToken: null, parent }
      return begin({ issuer, sub, email, name, sid, vouched }, beginning)
    },
    async createOfflineSession(key) {
      const row = (await finder.find(key, false)) === null ? null : await store.sessions.find(key)
      if (row === null || !(await isSignedIn(row))) return { kind: 'parent_ended' }
      if (row.parent !== undefined) return { kind: 'offline', key: row.parent, renewed: null }
      const { issuer, sub, email, name, sid, vouched, provenAtMs, device, address, startedAtMs } = row
      const identity = { issuer, sub, email, name, sid, vouched }
      const common = { keyOf: sessionKeyOf, provenAtMs, startedAtMs }
      const spend = (what: string) => ({ digest: `${what} ${key}`, expiresAtMs: now() + STAND_MS })
      const standing = await begin(identity, {
        ...common,
        startedAtMs: now(),
        spent: spend('standing'),
        device: '',
        address: '',
        refreshToken: openRow(seal, row, now()) || null,
        kind: 'standing',
      })
      if (standing.kind !== 'started') return standing
      const parent = standing.session.key
      const renewed = await begin(identity, {
        ...common,
        spent: spend('renewed'),
        device,
        address,
        refreshToken: null,
        parent,
      })
      if (renewed.kind !== 'started') return renewed
      await ending.end(key, 'one', () => 'replaced')
      return { kind: 'offline', key: parent, renewed }
    },
  }

  /** Tells if a session began with a sign-in, as opposed to a hand-over. */
  async function isSignedIn({ parent }: SessionRow): Promise<boolean> {
    return parent === undefined || (await store.sessions.find(parent))?.kind === 'standing'
  }
}

/** Sessions of the same kind, counted separately, so that many previews never end one with a sign-in. */
function likeThis(row: SessionRow, all: readonly SessionRow[]): readonly SessionRow[] {
  const standing = new Set(all.filter(({ kind }) => kind === 'standing').map(({ key }) => key))
  const sortOf = ({ kind, parent }: SessionRow) =>
    kind ?? (parent === undefined || standing.has(parent) ? 'signed in' : 'handed over')
  return all.filter((one) => sortOf(one) === sortOf(row))
}
