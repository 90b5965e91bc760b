import type { ChangingSeal, Seal } from './seal.ts'
import type { SessionRow } from './session.ts'
import type { SessionRows } from './session-store.ts'

/** A row before its refresh token is sealed. */
export type PlainRow = Omit<SessionRow, 'refresh' | 'isProvable' | 'lastSeenAtMs' | 'provenAtMs'>

/** Seals a refresh token, or the want of one, to its row: whoever changes whose session it is cannot seal it again. */
export function sealRow(seal: Seal, row: PlainRow, refreshToken: string | null): Uint8Array {
  return seal.close(refreshToken ?? '', contextOf(row))
}

/** The refresh token of a row, empty where it has none; null for a row that no gate wrote like this. */
export function openRow(seal: Seal, row: PlainRow & Pick<SessionRow, 'refresh'>): string | null {
  return seal.open(row.refresh, contextOf(row))
}

/** A row sealed again with the secret in use; null where that is the one it was sealed with, or where no gate wrote it like this. */
export function resealRow(seal: ChangingSeal, row: SessionRow): Uint8Array | null {
  if (!seal.isOutdated(row.refresh, contextOf(row))) return null
  const refreshToken = openRow(seal, row)
  return refreshToken === null ? null : sealRow(seal, row, refreshToken)
}

/** A store whose rows a gate wrote: what else stands in the database under the digest of a token is nobody's session. */
export function onlyGenuine(rows: SessionRows, seal: Seal): SessionRows {
  return {
    ...rows,
    async find(key) {
      const row = await rows.find(key)
      return row === null || openRow(seal, row) === null ? null : row
    },
  }
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
