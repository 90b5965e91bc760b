import {
  type AuditKey,
  createAuditKey,
  deriveAuditKey,
  readKeyText,
  readNote,
  writeKeyText,
} from '../../audit/chain/audit-key.ts'
import type { Database, Query } from '../../storage/database/database.ts'
import { problemOf } from '../../storage/texts/index.ts'
import { createSeal } from '../sessions/rows/seal.ts'
import {
  fingerprintsOf,
  SecretError,
  type SecretInUse,
  type SecretRecord,
  type Secrets,
  secretInUse,
} from './secrets.ts'

/** A gate that was killed, or cut off for so long, does not hold up a newer secret. */
const LEASE_SECONDS = 40
/** Binds the sealed key of the trail to its place. */
const KEY_CONTEXT = 'sekisho audit key'

interface SecretRow {
  readonly inUse: SecretInUse
  readonly auditKey: AuditKey
}

/** The record of a database that gates share, and the key of its trail, which is sealed with the secret and outlives it. */
interface PostgresSecret extends SecretRecord {
  readonly auditKey: AuditKey
}

/**
 * Finds or makes the record. Gates report the secrets they know every ten seconds, so that the newer is used only once no gate needs the
 * old one. Throws {@link SecretError} for wrong secrets.
 * @param context null for a command, which changes nothing
 */
export async function openPostgresSecret(
  { transaction }: Pick<Database, 'transaction'>,
  context: number | null,
  secrets: Secrets,
): Promise<PostgresSecret> {
  const look = () =>
    transaction(async (ask) => {
      const row = (await findRow(ask, secrets, context !== null)) ?? (await makeRow(ask, secrets))
      if (context === null) return row
      await tellKnown(ask, context, secrets)
      return row
    })
  const advance = () =>
    transaction(async (ask) => {
      const row = await findRow(ask, secrets, true)
      if (row?.inUse === 'previous' && (await isKnownToAll(ask, secrets)))
        await writeRow(ask, 'UPDATE sekisho.secret SET fingerprint = $1, audit_key = $2', secrets, auditKey)
    })
  const { auditKey } = await look()
  return {
    auditKey,
    async agree() {
      const { inUse } = await look()
      if (context === null || inUse === 'current') return inUse
      await advance()
      return (await look()).inUse
    },
  }
}

/** Begins the record of an empty database with the key of a trail that is moved there. */
export function adoptAuditKey(ask: Query, secrets: Secrets, key: AuditKey): Promise<void> {
  return writeRow(ask, 'INSERT INTO sekisho.secret (fingerprint, audit_key) VALUES ($1, $2)', secrets, key)
}

/** Held until the transaction ends: no other gate begins or advances meanwhile. */
async function findRow(ask: Query, secrets: Secrets, isHeld: boolean): Promise<SecretRow | null> {
  const [row] = await ask(`SELECT fingerprint, audit_key FROM sekisho.secret${isHeld ? ' FOR UPDATE' : ''}`)
  if (row === undefined) return null
  const inUse = secretInUse(String(row.fingerprint), secrets)
  const sealed = row.audit_key instanceof Uint8Array ? row.audit_key : new Uint8Array()
  const text = createSeal(secrets[inUse] ?? '').open(sealed, KEY_CONTEXT)
  if (text === null) throw new SecretError(problemOf('altered_key'))
  return { inUse, auditKey: readKeyText(text) }
}

async function makeRow(ask: Query, secrets: Secrets): Promise<SecretRow> {
  const insert = 'INSERT INTO sekisho.secret (fingerprint, audit_key) VALUES ($1, $2) ON CONFLICT DO NOTHING'
  await writeRow(ask, insert, secrets, await firstKey(ask, secrets))
  const row = await findRow(ask, secrets, false) // another gate's, if that was first
  if (row === null) throw new SecretError(problemOf('unwritable_secret'))
  return row
}

async function writeRow(ask: Query, sql: string, secrets: Secrets, key: AuditKey): Promise<void> {
  const sealed = createSeal(secrets.current).close(writeKeyText(key), KEY_CONTEXT)
  await ask(sql, [fingerprintsOf(secrets)[0], Buffer.from(sealed)])
}

/** Key of a trail that began with one derived from the secret; it stays, and requires proof of that secret. */
async function firstKey(ask: Query, secrets: Secrets): Promise<AuditKey> {
  const heads = (await ask('SELECT signed FROM sekisho.audit_heads')).map(({ signed }) => String(signed))
  if (heads.length === 0) return createAuditKey()
  const derived = [secrets.current, ...(secrets.previous === null ? [] : [secrets.previous])].map(
    deriveAuditKey,
  )
  const key = derived.find(({ publicKey }) => heads.some((head) => readNote(head, publicKey) !== null))
  if (key !== undefined) return key
  throw new SecretError(problemOf('other_secret_of_trail'))
}

const nameOf = (secrets: Secrets) => `secret ${fingerprintsOf(secrets).join(' ')}`

async function tellKnown(ask: Query, context: number, secrets: Secrets): Promise<void> {
  await ask(
    `INSERT INTO sekisho.leases AS lease VALUES ($1, $2, '', now() + make_interval(secs => $3))
     ON CONFLICT (context, name) DO UPDATE SET expires_at = greatest(lease.expires_at, excluded.expires_at)`,
    [context, nameOf(secrets), LEASE_SECONDS],
  )
}

async function isKnownToAll(ask: Query, secrets: Secrets): Promise<boolean> {
  const ignorant = await ask(
    `SELECT 1 FROM sekisho.leases WHERE name LIKE 'secret %' AND expires_at > now() AND strpos(name, $1) = 0 LIMIT 1`,
    [fingerprintsOf(secrets)[0]],
  )
  return ignorant.length === 0
}
