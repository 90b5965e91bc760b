import { type ChangingSeal, type Seal, sealedAtMs } from './seal.ts'
import type { SessionRow } from './session.ts'
import { MAX_CLOCK_STEP_MS, type SessionRows } from './session-store.ts'

/** A row before its refresh token is sealed. */
type PlainRow = Omit<SessionRow, 'refresh' | 'isProvable' | 'lastSeenAtMs' | 'provenAtMs'>

/**
 * An offline session has no other limit than its proofs, so it is not genuine this long after the one that is sealed: a gate that was off
 * over a long weekend goes on with it.
 */
const SEALED_PROOF_MS = 4 * 24 * 3_600_000
const SEALED_PROOF = /^(\d+) (.*)$/s

/** Encrypts a refresh token (or its absence), bound to its row: a changed owner cannot be sealed again. */
export function sealRow(
  seal: Seal,
  row: PlainRow & Pick<SessionRow, 'provenAtMs'>,
  refreshToken: string | null,
): Uint8Array {
  const isDated = row.kind === 'standing' && refreshToken !== null
  const text = isDated ? `${row.provenAtMs} ${refreshToken}` : (refreshToken ?? '')
  return seal.close(text, contextOf(row), row.provenAtMs)
}

/** The refresh token of a row, empty where it has none; null for a row that no gate wrote like this, or too long ago for an offline session. */
export function openRow(
  seal: Seal,
  row: PlainRow & Pick<SessionRow, 'refresh'>,
  atMs: number,
): string | null {
  const text = seal.open(row.refresh, contextOf(row))
  if (text === null || text === '' || row.kind !== 'standing') return text
  // Sealed without a time by an earlier version: as if proven when it began.
  const [, provenAtMs = row.startedAtMs, refreshToken = text] = SEALED_PROOF.exec(text) ?? []
  return atMs < Number(provenAtMs) + SEALED_PROOF_MS ? refreshToken : null
}

/** A row sealed again with the secret in use; null where that is the one it was sealed with, or where no gate wrote it like this. */
export function resealRow(seal: ChangingSeal, row: SessionRow): Uint8Array | null {
  if (!seal.isOutdated(row.refresh, contextOf(row))) return null
  const text = seal.open(row.refresh, contextOf(row))
  return text === null ? null : seal.close(text, contextOf(row), sealedAtMs(row.refresh)) // the time of its proof as it was
}

/** Store that accepts only rows sealed by a gate: other rows under a token's digest are no sessions. */
export function onlyGenuine(rows: SessionRows, seal: Seal, now: () => number): SessionRows {
  return {
    ...rows,
    async find(key) {
      const row = await rows.find(key)
      return row === null || openRow(seal, row, now()) === null ? null : withSealedProof(row, now())
    },
  }
}

/** The row as of its sealed proof: a later time beside the seal puts no proof off. Rows of earlier versions have no time in their seal. */
function withSealedProof(row: SessionRow, atMs: number): SessionRow {
  const sealedMs = sealedAtMs(row.refresh)
  const isTime = row.startedAtMs - MAX_CLOCK_STEP_MS <= sealedMs && sealedMs <= atMs + MAX_CLOCK_STEP_MS
  return isTime && sealedMs < row.provenAtMs ? { ...row, provenAtMs: sealedMs } : row
}

/** Everything that says whose session it is; last use and proof are set without the secret, too. */
function contextOf({
  key,
  id,
  issuer,
  sub,
  email,
  name,
  sid,
  vouched: { address: isOwn, hasAllGroups, groups },
  device,
  address,
  startedAtMs,
  parent,
  kind,
}: PlainRow): string {
  const person = [issuer, sub, email, name, sid, isOwn, hasAllGroups, groups]
  const said = [
    'session',
    key,
    id,
    ...person,
    device,
    address,
    startedAtMs,
    parent ?? null,
    ...(kind === undefined ? [] : [kind]),
  ]
  // Databases keep no half of a surrogate pair.
  return JSON.stringify(said, (_, value) => (typeof value === 'string' ? value.toWellFormed() : value))
}
