import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recordOperatorAct } from '@sekisho/server/audit'
import { type DataFolder, dataFolderAt, lockDataFolder, makeDataFolder } from '@sekisho/server/data-folder'
import { createChangingSeal, createSessions, sessionKeyOf } from '@sekisho/server/sessions'
import { openStores, type Stores } from '@sekisho/server/state'
import {
  ALICE,
  BOB,
  createTestDatabase,
  LIMITS,
  roleOf,
  type TestDatabase,
} from '@sekisho/server/state/testing'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import type { CommandIo } from '../../command.ts'
import { COMMANDS } from '../../main.ts'

const superuserUrl = inject('postgresUrl')
const SECRET = 'k9Qw2xL8vB4nZ7rT1mY6cP3sD5fG0hJa'
const CONTEXT = { issuer: 'https://issuer.test', projectId: 'p', origin: 'https://portal.test' }

describe.skipIf(superuserUrl === null)('migrate --from', () => {
  let folder: DataFolder
  let made: TestDatabase
  beforeEach(async () => {
    folder = dataFolderAt(mkdtempSync(join(tmpdir(), 'sekisho-move-')))
    makeDataFolder(folder)
    made = await createTestDatabase(superuserUrl ?? '')
  })
  afterEach(() => rmSync(folder.root, { recursive: true }))

  async function run(name: string, args: readonly string[], secret = SECRET) {
    const lines: string[] = []
    const say = (line: string) => void lines.push(line)
    const env = { SEKISHO_DATABASE_URL: made.ownerUrl, SEKISHO_SECRET: secret }
    const io: CommandIo = { env, cwd: folder.root, clock: Date.now, print: say, complain: say }
    const load = COMMANDS.get(name)?.load
    if (load === undefined) throw new Error(`no command ${name}`)
    return { code: await (await load())(args, io), text: lines.join('\n') }
  }
  const move = (secret?: string) =>
    run('migrate', ['--grant', roleOf(made.gateUrl), '--from', folder.root], secret)

  /** A gate with its state in files, or in the database. */
  async function open(databaseUrl: string | null, secret = SECRET) {
    const secrets = { current: secret, previous: null }
    const stores = await openStores({
      ...{ databaseUrl, folder, secrets, context: CONTEXT, onProblem: () => {}, now: Date.now },
    })
    const seal = createChangingSeal(secrets)
    const sessions = createSessions({ store: stores.sessions, seal, limits: LIMITS, now: Date.now })
    return { stores, sessions }
  }

  /** State of a gate after a day: two readers, one of them also on a preview, a token, searches and a trail. */
  async function leaveState(): Promise<readonly string[]> {
    const { stores, sessions } = await open(null)
    await using _stores: Stores = stores
    const tokens: string[] = []
    for (const identity of [ALICE, BOB]) {
      const spent = { digest: `spent ${identity.sub}`, expiresAtMs: Date.now() + 60_000 }
      const where = { spent, device: '', address: '' }
      const started = await sessions.start({ identity, refreshToken: 'r', ...where })
      if (started.kind !== 'started') throw new Error(started.kind)
      tokens.push(started.token)
    }
    const spent = { digest: 'ticket', expiresAtMs: Date.now() + 60_000 }
    const parent = sessionKeyOf(tokens[0] ?? '')
    const handed = await sessions.handOver({ parent, keyOf: sessionKeyOf, spent, device: '', address: '' })
    if (handed.kind !== 'started') throw new Error(handed.kind)
    const token = { id: 't', name: 'ci', may: ['publish'], createdAtMs: 1, expiresAtMs: 2 } as const
    await stores.publishers.addToken('digest', token)
    await stores.searchLog.append('2026-11-22', { q: '環境構築', hits: 2 })
    await stores.searchLog.append('2026-11-22', { q: '環境構築', rank: 1, page: '/docs/a' })
    const trail = await stores.openTrail({ now: Date.now, onFailure: () => {} })
    for (let n = 0; n < 1_200; n += 1) trail.record('signed_in', { n })
    await trail.close()
    const operator = { user: 'root', host: 'h', name: null }
    await recordOperatorAct(folder, operator, 'release_rolled_back', { id: 'x' })
    return [...tokens, handed.token]
  }

  it('takes sessions, accounts, tokens, searches and the trail with its chains, heads and key', async () => {
    const tokens = await leaveState()
    const moved = await move()
    expect(moved.text).toMatch(/sessions +3\n[\s\S]*publish_tokens +1\nsearch_log +2\naudit_lines +120[0-9]/)
    expect(moved.code).toBe(0)
    const { stores, sessions } = await open(made.gateUrl)
    {
      await using _stores: Stores = stores
      for (const token of tokens)
        expect(await sessions.find(sessionKeyOf(token), { touch: false })).not.toBeNull()
      const spent = { digest: 'new', expiresAtMs: Date.now() + 60_000 }
      const where = { refreshToken: 'r', spent, device: '', address: '' }
      const other = await sessions.start({ identity: { ...ALICE, sub: 'another' }, ...where })
      expect(other.kind).toBe('account_changed')
      expect(await stores.publishers.findToken('digest')).toMatchObject({ name: 'ci' })
      const trail = await stores.openTrail({ now: Date.now, onFailure: () => {} })
      await trail.recordDurably('gate_started', {})
      await trail.close()
    }
    const verified = await run('audit', ['verify'])
    expect([verified.code, verified.text]).toEqual([0, expect.stringMatching(/gate: 120\d lines, unaltered/)])
    expect(verified.text).toMatch(/operator: \d lines, unaltered/)
    const said = await made.run("SELECT 1 AS one FROM sekisho.audit_lines WHERE line LIKE '%state_moved%'")
    expect(said).toHaveLength(1)
    const inFolder = await run('audit', ['verify', '--data-dir', folder.root])
    expect(inFolder.code).toBe(0)
    expect(await move()).toMatchObject({ code: 1, text: expect.stringContaining('is not empty') })
  })

  it('takes nothing while a gate runs, with another secret, from nowhere, or of an altered trail', async () => {
    await leaveState()
    const empty = async () => {
      const counted =
        'SELECT (SELECT count(*) FROM sekisho.sessions) + (SELECT count(*) FROM sekisho.secret) AS n'
      expect(await made.run(counted)).toEqual([{ n: '0' }])
    }
    {
      using _lock = lockDataFolder(folder)
      expect(await move()).toMatchObject({
        code: 1,
        text: expect.stringContaining('another gate is running'),
      })
    }
    await empty()
    const other = await move('x'.repeat(32))
    expect(other).toMatchObject({ code: 1, text: expect.stringContaining('SEKISHO_SECRET is another one') })
    await empty()
    const nowhere = await run('migrate', ['--from', join(folder.root, 'none')])
    expect(nowhere).toMatchObject({ code: 1, text: expect.stringContaining('no session store') })
    const [name = ''] = readdirSync(folder.audit.lines)
    const file = join(folder.audit.lines, name)
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace('"n":700', '"n":701'))
    expect(await move()).toMatchObject({ code: 1, text: expect.stringContaining('was altered') })
    await empty() // broken off in the middle: nothing of it is there, and the next run does all
    writeFileSync(file, text)
    expect(await move()).toMatchObject({ code: 0 })
  })
})
