import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packRelease } from '@sekisho/release/packing'
import { createTestBuild } from '@sekisho/release/testing'
import { dataFolderAt } from '@sekisho/server/data-folder'
import { openStores } from '@sekisho/server/state'
import { createTestDatabase, PLAIN, roleOf, type TestDatabase } from '@sekisho/server/state/testing'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import type { CommandIo } from '../../command.ts'
import { COMMANDS } from '../../main.ts'

const superuserUrl = inject('postgresUrl')
const SECRET = 'k9Qw2xL8vB4nZ7rT1mY6cP3sD5fG0hJa'
const CONTEXT = { issuer: 'https://issuer.test', projectId: 'p', origin: 'https://portal.test' }

describe.skipIf(superuserUrl === null)('commands on a database', () => {
  let folder: string
  let made: TestDatabase
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sekisho-state-'))
    made = await createTestDatabase(superuserUrl ?? '')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  async function run(url: string, name: string, ...args: string[]) {
    const lines: string[] = []
    const io: CommandIo = {
      env: { SEKISHO_DATABASE_URL_FILE: join(folder, 'url'), SEKISHO_SECRET: SECRET },
      cwd: folder,
      clock: Date.now,
      print: (line) => lines.push(line),
      complain: (line) => lines.push(line),
    }
    writeFileSync(join(folder, 'url'), `${url}\n`)
    const load = COMMANDS.get(name)?.load
    if (load === undefined) throw new Error(`no command ${name}`)
    return { code: await (await load())(args, io), text: lines.join('\n') }
  }

  it('migrate, list, revoke, unbind and report, each with the role it needs', async () => {
    const { ownerUrl, gateUrl } = made
    const early = await run(gateUrl, 'sessions', 'list')
    expect([early.code, early.text]).toEqual([1, expect.stringContaining('run: sekisho migrate')])
    expect(await run(ownerUrl, 'migrate', '--grant', roleOf(gateUrl))).toEqual({
      code: 0,
      text: expect.stringMatching(/^The schema is now version \d+\.$/),
    })
    expect((await run(ownerUrl, 'migrate')).text).toMatch(/^The schema is version \d+ already\.$/)

    const stores = await openStores({
      databaseUrl: gateUrl,
      folder: dataFolderAt(folder),
      secrets: { current: SECRET, previous: null },
      context: CONTEXT,
      onProblem: () => {},
      now: Date.now,
    })
    const times = { startedAtMs: 1, lastSeenAtMs: 1, provenAtMs: 1 }
    const account = {
      ...PLAIN,
      sub: 'uid',
      email: 'a@example.co.jp',
      name: null,
      device: '',
      address: '',
      isProvable: true,
    }
    const row = { key: 'k', id: 'id-1', ...account, ...times, refresh: new Uint8Array() }
    await stores.sessions.sessions.insert(row, { digest: 'd', expiresAtMs: 1 })
    await stores.searchLog.append(new Date().toISOString().slice(0, 10), { q: '環境構築', hits: 2 })
    const trail = await stores.openTrail({ now: Date.now, onFailure: () => {} })
    await trail.recordDurably('gate_started', {})
    await trail.close()
    await stores[Symbol.asyncDispose]()

    expect((await run(gateUrl, 'sessions', 'list')).text).toMatch(/id-1 {2}a@example.co.jp[\s\S]*1 session/)
    expect((await run(gateUrl, 'search-report')).text).toContain('1 searches and 0 opened results in 30 days')
    const verified = await run(gateUrl, 'audit', 'verify')
    expect([verified.code, verified.text]).toEqual([
      0,
      expect.stringMatching(/gate-[0-9a-f]{12}: 2 lines, unaltered/),
    ])
    const range = ['--from', '2020-01-01', '--to', '2999-01-01']
    expect(await run(gateUrl, 'audit', 'export', ...range, '--out', join(folder, 'out'))).toMatchObject({
      code: 0,
    })
    expect(await run(gateUrl, 'audit', 'verify', join(folder, 'out'))).toMatchObject({ code: 0 })
    await made.run("UPDATE sekisho.audit_lines SET line = replace(line, 'gate_stopped', 'gate_started')")
    const altered = await run(gateUrl, 'audit', 'verify')
    expect([altered.code, altered.text]).toEqual([1, expect.stringContaining('the line was altered')])

    expect(await run(gateUrl, 'sessions', 'revoke', '--user', 'A@example.co.jp')).toMatchObject({ code: 0 })
    expect((await run(gateUrl, 'sessions', 'list')).text).toBe('0 sessions')
    const refused = await run(gateUrl, 'sessions', 'unbind', '--user', 'a@example.co.jp')
    expect([refused.code, refused.text]).toEqual([1, expect.stringContaining('permission denied')])
    expect((await run(ownerUrl, 'sessions', 'unbind', '--user', 'a@example.co.jp')).text).toContain('is free')
  })

  it('audit trim removes what is old, signed, for the role of operators and no other', async () => {
    const { ownerUrl, gateUrl } = made
    const [operator, operatorUrl] = [`${roleOf(gateUrl)}_operator`, new URL(gateUrl)]
    operatorUrl.username = operator
    await made.run(`CREATE ROLE ${operator} LOGIN PASSWORD '${operatorUrl.password}'`)
    const granted = ['--grant', roleOf(gateUrl), '--grant-operator', operator]
    expect((await run(ownerUrl, 'migrate', ...granted)).code).toBe(0)
    const day = (n: number) => Date.now() - n * 86_400_000
    const stores = await openStores({
      ...{ databaseUrl: gateUrl, folder: dataFolderAt(folder), context: CONTEXT, onProblem: () => {} },
      ...{ secrets: { current: SECRET, previous: null }, now: Date.now },
    })
    let nowMs = day(400)
    const trail = await stores.openTrail({ now: () => nowMs, onFailure: () => {} })
    for (const age of [400, 399, 30, 0]) {
      nowMs = day(age)
      await trail.recordDurably('gate_started', {})
    }
    const trim = (url: string, keep: string) => run(url, 'audit', 'trim', '--keep', keep)
    expect(await trim(gateUrl, '365d')).toMatchObject({ code: 1, text: expect.stringContaining('42501') })
    expect(await run(gateUrl, 'audit', 'verify')).toMatchObject({ code: 0 })
    const done = await trim(operatorUrl.href, '365d')
    expect(done).toMatchObject({ code: 0, text: expect.stringMatching(/gate-\w+: 2 lines removed, through/) })
    expect((await trim(operatorUrl.href, '365d')).text).toContain('no line is older')
    await trail.recordDurably('gate_started', {}) // the gate goes on, and signs without knowing of it
    await trail.close()
    await stores[Symbol.asyncDispose]()
    const verified = await run(operatorUrl.href, 'audit', 'verify')
    expect(verified).toMatchObject({ code: 0, text: expect.stringContaining('beginning at number 3') })
    expect(JSON.stringify(await made.run('SELECT line FROM sekisho.audit_lines'))).toContain('audit_trimmed')
    await made.run('DELETE FROM sekisho.audit_removals')
    expect(await run(operatorUrl.href, 'audit', 'verify')).toMatchObject({
      code: 1,
      text: expect.stringContaining('no note says that they were removed'),
    })
    expect(await trim(operatorUrl.href, 'soon')).toMatchObject({ code: 2 })
    const sessions = await run(operatorUrl.href, 'sessions', 'unbind', '--user', 'a@example.co.jp')
    expect(sessions).toMatchObject({ code: 0 })
  })

  it('releases are rolled back and removed with a line in the chain that all gates share', async () => {
    const { ownerUrl, gateUrl } = made
    expect((await run(ownerUrl, 'migrate', '--grant', roleOf(gateUrl))).code).toBe(0)
    await using build = await createTestBuild()
    const dataDir = join(folder, '.sekisho')
    const pack = (at: number) =>
      packRelease({ buildDir: build.buildDir, dataDir, clock: () => Date.UTC(2026, 0, at) })
    const first = await pack(1)
    await build.write('img/logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>')
    const second = await pack(2)
    expect((await run(gateUrl, 'releases', 'rollback')).code).toBe(0)
    expect((await run(gateUrl, 'releases', 'remove', second.id)).code).toBe(0)
    const lines = await made.run(
      "SELECT line FROM sekisho.audit_lines WHERE line LIKE '%operator_acted%' ORDER BY line",
    )
    expect(JSON.stringify(lines)).toMatch(
      new RegExp(`release_rolled_back.*${first.id}[\\s\\S]*release_removed.*${second.id}`),
    )
    expect(existsSync(join(dataDir, 'audit'))).toBe(false)
    expect(
      (await run('postgres://nobody@127.0.0.1:9/none?sslmode=disable', 'releases', 'rollback', first.id))
        .code,
    ).toBe(1)
  })
})
