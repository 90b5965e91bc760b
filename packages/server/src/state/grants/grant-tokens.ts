import { hash, randomBytes } from 'node:crypto'
import type { GrantRow, GrantTokenRow, SealedGrants } from '../sessions/rows/grant-store.ts'
import type { ChangingSeal, Seal } from '../sessions/rows/seal.ts'

/** Prefixes of tokens, recognised by their finders and by secret scanners. */
export const ACCESS_PREFIX = 'sekisho_agent_'
export const PERSONAL_PREFIX = 'sekisho_personal_'
const REFRESH_PREFIX = 'sekisho_refresh_'

type PlainGrant = Omit<GrantRow, 'seal'>
type PlainToken = Omit<GrantTokenRow, 'seal'>

/** Digest of a token, which is all that is stored: a leaked store contains no usable token. */
export function digestOfToken(token: string): string {
  return hash('sha256', token, 'base64url')
}

/** 256 random bits behind a prefix. */
export function newToken(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url')
}

/** Sealed in grants whose refresh state is sealed, too; grants of earlier versions hold an empty text, for the 30 days of their lives. */
const SEALED_STATE = 'refresh state'

/** Marks a grant as written by a gate: a row inserted into the database gives no access. */
export function sealGrant(seal: Seal, grant: PlainGrant): GrantRow {
  return { ...grant, seal: seal.close(SEALED_STATE, contextOfGrant(grant)) }
}

export function isGenuineGrant(seal: Seal, grant: GrantRow): boolean {
  return seal.open(grant.seal, contextOfGrant(grant)) !== null
}

/** The same of a token, which says whose it is. */
export function sealToken(seal: Seal, token: PlainToken): GrantTokenRow {
  return { ...token, seal: seal.close('', contextOfToken(token)) }
}

export function isGenuineToken(seal: Seal, token: GrantTokenRow): boolean {
  return seal.open(token.seal, contextOfToken(token)) !== null
}

/** Of these rows, those again, sealed with the secret in use, that the other one sealed; what no gate sealed stays as it is. */
export function resealOutdated(seal: ChangingSeal, { grants, tokens }: SealedGrants): SealedGrants {
  return {
    grants: grants
      .filter((one) => seal.isOutdated(one.seal, contextOfGrant(one)))
      .flatMap((one) => {
        const text = seal.open(one.seal, contextOfGrant(one))
        return text === null ? [] : [{ ...one, seal: seal.close(text, contextOfGrant(one)) }]
      }),
    tokens: tokens
      .filter((one) => seal.isOutdated(one.seal, contextOfToken(one)) && isGenuineToken(seal, one))
      .map((one) => sealToken(seal, one)),
  }
}

function contextOfGrant(grant: PlainGrant): string {
  const { id, session, kind, client, name, edition, createdAtMs, expiresAtMs } = grant
  return JSON.stringify(['grant', id, session, kind, client, name, edition, createdAtMs, expiresAtMs])
}

function contextOfToken({ digest, grant, use, detail, expiresAtMs }: PlainToken): string {
  return JSON.stringify(['grant token', digest, grant, use, detail, expiresAtMs])
}

/** Codes and refresh tokens name their grant, sealed: a gate recognises one of its own without asking the store, also when it no longer counts. */
const NAMING = {
  code: { prefix: '', context: 'code of a grant' },
  refresh: { prefix: REFRESH_PREFIX, context: 'refresh token of a grant' },
} as const

export function newNamingToken(kind: keyof typeof NAMING, seal: Seal, grantId: string): string {
  const { prefix, context } = NAMING[kind]
  return prefix + Buffer.from(seal.close(grantId, context)).toString('base64url')
}

/** The id of the grant that a code or refresh token was made for; null for what no gate made. */
export function grantOfToken(kind: keyof typeof NAMING, seal: Seal, token: string): string | null {
  const { prefix, context } = NAMING[kind]
  if (!token.startsWith(prefix)) return null
  return seal.open(Buffer.from(token.slice(prefix.length), 'base64url'), context)
}

/**
 * Reuse window: processes that share a refresh token, and clients that never got their answer, may exchange it again this long after its
 * first use. Later use is theft and ends the grant.
 */
export const REUSE_MS = 10 * 60_000
/** Processes that continue one grant side by side; of more, the token issued longest ago stops counting. */
const MAX_VALID = 64
/** Bounds the row; the limit of refreshes for one grant keeps honest clients far below. */
const MAX_USED = 128

/** The refresh tokens of a grant, by digest: those not used yet, each of a process, and those used within the window. */
export interface RefreshState {
  readonly valid: readonly string[]
  readonly used: readonly UsedToken[]
}

interface UsedToken {
  readonly digest: string
  /** Of its first use: further uses do not extend the window. */
  readonly atMs: number
}

/** The state behind the first refresh token. */
export function firstRefreshState(token: string): RefreshState {
  return { valid: [digestOfToken(token)], used: [] }
}

/** The state once `token` was exchanged for `next`; null when it does not count (any more). */
export function nextRefreshState(
  state: RefreshState,
  token: string,
  next: string,
  nowMs: number,
): RefreshState | null {
  const digest = digestOfToken(token)
  const used = state.used.filter(({ atMs }) => nowMs < atMs + REUSE_MS)
  const isValid = state.valid.includes(digest)
  if (!isValid && !used.some((one) => one.digest === digest)) return null
  const others = state.valid.filter((one) => one !== digest)
  return {
    valid: [...others, digestOfToken(next)].slice(-MAX_VALID),
    used: (isValid ? [...used, { digest, atMs: nowMs }] : used).slice(-MAX_USED),
  }
}

/** Begins the last entry of a written state. Earlier versions read it as a token used at no time, and drop it. */
const SEAL_ENTRY = ' seal@'

/** Column of a state: its tokens, and behind them the time of writing, sealed together with them and the grant's id. */
export function writeRefreshState(
  seal: Seal,
  id: string,
  { valid, used }: RefreshState,
  nowMs: number,
): string {
  const text = [...valid, ...used.map(({ digest, atMs }) => `${digest}@${atMs}`)].join(' ')
  const sealed = seal.close(String(nowMs), contextOfState(id, text))
  return text + SEAL_ENTRY + Buffer.from(sealed).toString('base64url')
}

/** Reads what `writeRefreshState` wrote since `sinceMs`, and states of earlier versions in their grants; null for all others. */
export function readRefreshState(seal: Seal, grant: GrantRow, sinceMs: number): RefreshState | null {
  const [text = '', sealed] = grant.refresh.split(SEAL_ENTRY)
  if (sealed !== undefined || seal.open(grant.seal, contextOfGrant(grant)) === SEALED_STATE) {
    const writtenAtMs = seal.open(Buffer.from(sealed ?? '', 'base64url'), contextOfState(grant.id, text))
    if (writtenAtMs === null || Number(writtenAtMs) < sinceMs) return null
  }
  const entries = text.split(' ').filter((one) => one !== '')
  return {
    valid: entries.filter((one) => !one.includes('@')),
    used: entries.flatMap((one) => {
      const [digest = '', atMs] = one.split('@')
      return atMs === undefined ? [] : [{ digest, atMs: Number(atMs) }]
    }),
  }
}

const contextOfState = (id: string, text: string) => JSON.stringify(['refresh state', id, text])
