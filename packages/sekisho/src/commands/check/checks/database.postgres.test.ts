import { createMigratedDatabase } from '@sekisho/server/state/testing'
import { describe, expect, inject, it } from 'vitest'
import { checkDatabase } from './database.ts'

const superuserUrl = inject('postgresUrl')

describe.skipIf(superuserUrl === null)('the database', () => {
  const codesOf = async (url: string, clock = Date.now) =>
    (await checkDatabase(url, clock)).findings.map(({ code }) => code)

  it('is right for a gate with the rights of one, and no more', async () => {
    const { gateUrl, ownerUrl, run } = await createMigratedDatabase(superuserUrl ?? '')
    expect(await codesOf(gateUrl)).toEqual([])
    expect(await codesOf(ownerUrl)).toEqual(['database_owner'])
    expect(await codesOf(gateUrl, () => Date.now() + 60_000)).toEqual(['clock_differs'])
    await run('DELETE FROM sekisho.migrations WHERE version = (SELECT max(version) FROM sekisho.migrations)')
    expect(await codesOf(gateUrl)).toEqual(['database_schema_old'])
    await run('INSERT INTO sekisho.migrations (version) VALUES (9999)')
    expect(await codesOf(gateUrl)).toEqual(['database_schema_new'])
  })

  it('is unreachable, lacks a schema, or is used by a role with all privileges', async () => {
    expect(await codesOf('postgres://gate@127.0.0.1:1/sekisho')).toEqual(['database_unreachable'])
    expect(await codesOf(superuserUrl ?? '')).toEqual(['database_has_no_schema', 'database_superuser'])
  })

  it('names rights that are missing and rights that are too many', async () => {
    const { gateUrl, run } = await createMigratedDatabase(superuserUrl ?? '')
    const role = new URL(gateUrl).username
    await run(
      `REVOKE INSERT ON sekisho.accounts FROM ${role}; GRANT DELETE ON sekisho.audit_lines TO ${role}`,
    )
    const { findings } = await checkDatabase(gateUrl, Date.now)
    expect(findings.map((one) => one.in('ja'))).toEqual([
      expect.stringContaining('INSERT ON sekisho.accounts'),
      expect.stringContaining('DELETE ON sekisho.audit_lines'),
    ])
  })
})
