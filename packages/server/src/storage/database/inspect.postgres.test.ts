import { describe, expect, inject, it } from 'vitest'
import { createTestDatabase, roleOf } from '../../state/testing/postgres/postgres-server.ts'
import { createMigratedDatabase } from '../../state/testing/postgres/test-database.ts'
import { inspectDatabase } from './inspect.ts'

const superuserUrl = inject('postgresUrl')

describe.skipIf(superuserUrl === null)('what a database says of itself', () => {
  it('a role with the grants of a gate has neither too few nor too many rights', async () => {
    const { gateUrl } = await createMigratedDatabase(superuserUrl ?? '')
    const { role, isSuperuser, isOwner, missing, excess, nowMs, ...report } = await inspectDatabase(gateUrl)
    expect({ role, isSuperuser, isOwner, missing, excess }).toEqual({
      ...{ role: roleOf(gateUrl), isSuperuser: false, isOwner: false },
      ...{ missing: [], excess: [] },
    })
    expect(report.schemaVersion).toBe(report.neededVersion)
    expect(Math.abs(nowMs - Date.now())).toBeLessThan(60_000)
    expect(report.freeConnections).toBeGreaterThan(0)
    expect(report.trail).toMatchObject({ bytes: expect.any(Number), sinceMs: null })
  })

  it('names each right that is missing, and each that no gate needs', async () => {
    const { gateUrl, run } = await createMigratedDatabase(superuserUrl ?? '')
    const role = roleOf(gateUrl)
    await run(`REVOKE INSERT ON sekisho.accounts FROM ${role}`)
    await run(`REVOKE UPDATE (vouched) ON sekisho.sessions FROM ${role}`)
    await run(`GRANT DELETE, TRUNCATE ON sekisho.audit_lines TO ${role}`)
    await run(`GRANT UPDATE (email) ON sekisho.sessions TO ${role}`)
    const { missing, excess } = await inspectDatabase(gateUrl)
    expect([...missing].sort()).toEqual([
      'INSERT ON sekisho.accounts',
      'UPDATE (vouched) ON sekisho.sessions',
    ])
    expect([...excess].sort()).toEqual([
      'DELETE ON sekisho.audit_lines',
      'TRUNCATE ON sekisho.audit_lines',
      'UPDATE (email) ON sekisho.sessions',
    ])
  })

  it('knows the owner of the tables, a superuser, and a database without a schema', async () => {
    const made = await createMigratedDatabase(superuserUrl ?? '')
    expect(await inspectDatabase(made.ownerUrl)).toMatchObject({ isOwner: true, isSuperuser: false })
    expect(await inspectDatabase(superuserUrl ?? '')).toMatchObject({
      isSuperuser: true,
      schemaVersion: null,
    })
    const empty = await createTestDatabase(superuserUrl ?? '')
    expect(await inspectDatabase(empty.gateUrl)).toMatchObject({
      schemaVersion: null,
      missing: [],
      trail: null,
    })
  })

  it('says why a database cannot be reached, and nothing of the password', async () => {
    const { gateUrl } = await createMigratedDatabase(superuserUrl ?? '')
    const wrong = gateUrl.replace(/:([^:@/]+)@/, ':not-the-password@')
    await expect(inspectDatabase(wrong)).rejects.toThrow(/authentication failed.*\(28P01\)/)
    await expect(inspectDatabase(wrong)).rejects.not.toThrow(/not-the-password/)
    await expect(inspectDatabase('postgres://gate@127.0.0.1:1/sekisho')).rejects.toThrow('ECONNREFUSED')
  })
})
