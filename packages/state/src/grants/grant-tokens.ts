import { hash, randomBytes } from 'node:crypto'
import type { GrantRow, GrantTokenRow, SealedGrants } from '../sessions/rows/grant-store.ts'
import type { ChangingSeal, Seal } from '../sessions/rows/seal.ts'

/** How tokens begin, so that whoever finds one knows what it is, and scanners of secrets do. */
export const ACCESS_PREFIX = 'sekisho_agent_'
export const PERSONAL_PREFIX = 'sekisho_personal_'
const REFRESH_PREFIX = 'sekisho_refresh_'

export type PlainGrant = Omit<GrantRow, 'seal'>
type PlainToken = Omit<GrantTokenRow, 'seal'>

/** What is kept of a token: whoever reads the store cannot use it. */
export function digestOfToken(token: string): string {
  return hash('sha256', token, 'base64url')
}

/** 256 random bits behind a prefix. */
export function newToken(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url')
}

/** Marks a grant as made by a gate: a row that somebody else wrote into the database gives nobody anything. */
export function sealGrant(seal: Seal, grant: PlainGrant): GrantRow {
  return { ...grant, seal: seal.close('', contextOfGrant(grant)) }
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
      .filter((one) => seal.isOutdated(one.seal, contextOfGrant(one)) && isGenuineGrant(seal, one))
      .map((one) => sealGrant(seal, one)),
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

const REFRESH_CONTEXT = 'refresh token of a grant'

/** A refresh token tells a gate which grant it is of, even when it does not count any more: then somebody uses it again. */
export function newRefreshToken(seal: Seal, grantId: string): string {
  return REFRESH_PREFIX + Buffer.from(seal.close(grantId, REFRESH_CONTEXT)).toString('base64url')
}

/** The id of the grant that a refresh token was made for; null for what no gate made. */
export function grantOfRefreshToken(seal: Seal, token: string): string | null {
  if (!token.startsWith(REFRESH_PREFIX)) return null
  return seal.open(Buffer.from(token.slice(REFRESH_PREFIX.length), 'base64url'), REFRESH_CONTEXT)
}

/** A client that got no answer asks again, so often at most; then it has lost the earlier ones for good. */
const MAX_FRESH = 3

/**
 * Which refresh tokens count, by digest: the one used last, until one that it was exchanged for is used. Then that one is the last, and what it
 * replaced counts no more.
 */
interface RefreshState {
  readonly used: string | null
  readonly fresh: readonly string[]
}

/** The state behind the first refresh token. */
export function firstRefreshState(token: string): string {
  return write({ used: null, fresh: [digestOfToken(token)] })
}

/** The state once `token` was exchanged for `next`; null when it does not count (any more). */
export function nextRefreshState(text: string, token: string, next: string): string | null {
  const { used, fresh } = read(text)
  const digest = digestOfToken(token)
  const added = digestOfToken(next)
  if (fresh.includes(digest)) return write({ used: digest, fresh: [added] })
  return used === digest ? write({ used, fresh: [...fresh, added].slice(-MAX_FRESH) }) : null
}

function write({ used, fresh }: RefreshState): string {
  return [used ?? '', ...fresh].join(' ')
}

function read(text: string): RefreshState {
  const [used = '', ...fresh] = text.split(' ')
  return { used: used === '' ? null : used, fresh }
}
