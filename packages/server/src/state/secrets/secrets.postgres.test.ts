import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { deriveAuditKey, fingerprintOf, signNote } from '../../audit/chain/audit-key.ts'
import { type Database, openDatabase } from '../../storage/database/database.ts'
import { migrateDatabase } from '../../storage/database/migrate.ts'
import { readContextId } from '../sessions/postgres/postgres-sessions.ts'
import { roleOf, type TestDatabase } from '../testing/postgres/postgres-server.ts'
import { createMigratedDatabase } from '../testing/postgres/test-database.ts'
import { openPostgresSecret } from './postgres-secret.ts'
import { SecretError, type Secrets, secretFingerprintOf } from './secrets.ts'

const superuserUrl = inject('postgresUrl')
const CONTEXT = { issuer: 'https://issuer.test', projectId: 'p', origin: 'https://portal.test' }
const [FIRST, SECOND, THIRD] = ['1', '2', '3'].map((digit) => digit.repeat(32)) as [string, string, string]
const only = (secret: string): Secrets => ({ current: secret, previous: null })
const replacing = (previous: string, current: string): Secrets => ({ current, previous })

describe.skipIf(superuserUrl === null)('in PostgreSQL', () => {
  let made: TestDatabase
  const opened: Database[] = []
  beforeEach(async () => {
    made = await createMigratedDatabase(superuserUrl ?? '')
  })
  afterEach(async () => {
    for (const database of opened.splice(0)) await database.close()
  })

  /** A gate that starts; null for an operator's command. */
  async function open(secrets: Secrets, context: typeof CONTEXT | null = CONTEXT) {
    const database = await openDatabase({ url: made.gateUrl, onProblem: () => {} })
    opened.push(database)
    const id = context === null ? null : await readContextId(database, context)
    return openPostgresSecret(database, id, secrets)
  }
  const end = (secret: string) =>
    made.run(
      `UPDATE sekisho.leases SET expires_at = now() WHERE name = 'secret ${secretFingerprintOf(secret)}'`,
    )

  it('a gate with another secret does not start, and neither does a command', async () => {
    await open(only(FIRST))
    await expect(open(only(SECOND))).rejects.toThrow(SecretError)
    await expect(open(only(SECOND), null)).rejects.toThrow(/SEKISHO_SECRET is another one/)
    await expect(open(replacing(THIRD, SECOND))).rejects.toThrow(SecretError)
    expect(await (await open(only(FIRST))).agree()).toBe('current')
  })

  it('a newer secret waits for the last gate that does not know it; the trail keeps its key', async () => {
    const before = await open(only(FIRST))
    const one = await open(replacing(FIRST, SECOND))
    expect(await one.agree()).toBe('previous')
    expect(await (await open(only(FIRST))).agree()).toBe('current') // may still be restarted
    const two = await open(replacing(FIRST, SECOND))
    expect(await two.agree()).toBe('previous')
    await end(FIRST)
    expect([await two.agree(), await one.agree()]).toEqual(['current', 'current'])
    await expect(before.agree()).rejects.toThrow(SecretError)
    await expect(open(only(FIRST))).rejects.toThrow(SecretError)
    const after = await open(only(SECOND))
    expect(fingerprintOf(after.auditKey.publicKey)).toBe(fingerprintOf(before.auditKey.publicKey))
    expect(fingerprintOf(after.auditKey.publicKey)).not.toBe(fingerprintOf(deriveAuditKey(SECOND).publicKey))
  })

  it('of many gates that begin and advance at once all agree', async () => {
    const first = await Promise.all([1, 2, 3].map(() => open(only(FIRST))))
    const keys = new Set(first.map(({ auditKey }) => fingerprintOf(auditKey.publicKey)))
    expect(keys.size).toBe(1)
    const next = await Promise.all([1, 2, 3].map(() => open(replacing(FIRST, SECOND))))
    await end(FIRST)
    await Promise.all(next.map((gate) => gate.agree()))
    expect(await Promise.all(next.map((gate) => gate.agree()))).toEqual(['current', 'current', 'current'])
  })

  it('a trail from before keeps the key that came from the secret, and no other secret begins there', async () => {
    const key = deriveAuditKey(FIRST)
    const nothing = { seq: 0, hash: '0'.repeat(64) }
    const signed = signNote({ chain: 'gate-1', head: nothing, removed: nothing, at: '' }, key)
    await made.run(`INSERT INTO sekisho.audit_heads VALUES ('gate-1', '${signed}')`)
    await expect(open(only(SECOND))).rejects.toThrow(/than the audit trail was signed with/)
    const { auditKey } = await open(only(FIRST))
    expect(fingerprintOf(auditKey.publicKey)).toBe(fingerprintOf(key.publicKey))
  })

  it('a replaced key is refused', async () => {
    await open(only(FIRST))
    await made.run(`UPDATE sekisho.secret SET audit_key = '\\x${'00'.repeat(80)}'`)
    await expect(open(only(FIRST))).rejects.toThrow(/was altered/)
  })

  it('a table that is new to a gate’s role is granted to it by the next migration', async () => {
    await made.run(`REVOKE ALL ON sekisho.secret FROM ${roleOf(made.gateUrl)}`)
    await expect(open(only(FIRST))).rejects.toThrow(/42501/)
    await migrateDatabase(made.ownerUrl)
    expect(await (await open(only(FIRST))).agree()).toBe('current')
  })
})
