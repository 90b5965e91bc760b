import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { restoreBackup } from '@sekisho/server/backup'
import { sessionKeyOf } from '@sekisho/server/sessions'
import type { Stores } from '@sekisho/server/state'
import { createTestDatabase, roleOf, type TestDatabase } from '@sekisho/server/state/testing'
import { beforeEach, describe, expect, inject, it } from 'vitest'
import { createMachine } from '../../../test/support/backup-machine.ts'

const superuserUrl = inject('postgresUrl')

describe.skipIf(superuserUrl === null)('with PostgreSQL', () => {
  let made: TestDatabase
  let empty: TestDatabase
  beforeEach(async () => {
    made = await createTestDatabase(superuserUrl ?? '')
    empty = await createTestDatabase(superuserUrl ?? '')
  })

  it('a backup beside a running gate is restored into an empty database, all of it or nothing', async () => {
    const { root, folder, secrets, run, open, withGate } = createMachine()
    const owner = { SEKISHO_DATABASE_URL: made.ownerUrl }
    const target = { SEKISHO_DATABASE_URL: empty.ownerUrl }
    expect((await run('migrate', ['--grant', roleOf(made.gateUrl)], owner)).code).toBe(0)
    const token = await withGate(made.gateUrl, async () => {
      expect(await run('backup', ['copy'], owner)).toMatchObject({
        code: 0,
        text: expect.stringContaining('Backed up'),
      })
    })
    const drill = await run('restore', ['copy', '--dry-run'], target)
    expect(drill).toMatchObject({ code: 0, text: expect.stringMatching(/[789]\d\d database rows/) })
    expect(await empty.run('SELECT count(*)::int AS n FROM sekisho.audit_lines')).toEqual([{ n: 0 }])
    expect(await run('restore', ['copy'])).toMatchObject({
      code: 1,
      text: expect.stringContaining('holds a database'),
    })
    const third = await createTestDatabase(superuserUrl ?? '')
    const cutOff = restoreBackup({
      ...{ folder, secrets, databaseUrl: third.ownerUrl, from: join(root, 'copy'), heads: [], isDry: false },
      ...{ now: Date.now, onProgress: () => {}, record: () => Promise.reject(new Error('killed')) },
    })
    await expect(cutOff).rejects.toThrow('killed')
    rmSync(folder.releases, { recursive: true })
    const rest = await run('restore', ['copy'], { SEKISHO_DATABASE_URL: third.ownerUrl })
    expect([rest.text, existsSync(folder.releases)]).toEqual([expect.stringContaining('completed now'), true])
    expect((await run('restore', ['copy'], target)).text).toMatch(/[789]\d\d database rows/)
    expect((await run('migrate', ['--grant', roleOf(empty.gateUrl)], target)).code).toBe(0)
    const { stores, sessions } = await open(empty.gateUrl)
    {
      await using _stores: Stores = stores
      expect(await sessions.find(sessionKeyOf(token), { touch: false })).not.toBeNull()
      await stores.searchLog.append('2026-11-23', { q: 'a', hits: 1 })
    }
    expect(await run('audit', ['verify'], target)).toMatchObject({ code: 0 })
    const again = await run('restore', ['copy'], target)
    expect(again).toMatchObject({ code: 1, text: expect.stringContaining('is not empty') })
    rmSync(root, { recursive: true })
  })
})
