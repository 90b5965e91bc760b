import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFolderTrail } from '@sekisho/server/audit'
import { dataFolderAt } from '@sekisho/server/data-folder'
import { openSqliteSessions } from '@sekisho/server/sqlite-sessions'
import { PLAIN } from '@sekisho/server/state/testing'

import { beforeEach, describe, expect, it } from 'vitest'
import { explainErrors, type RunCommand } from './command.ts'
import { COMMANDS } from './main.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sekisho-cli-'))
})

async function run(name: string, args: readonly string[], env: Record<string, string> = {}) {
  const printed: string[] = []
  const complained: string[] = []
  const load = COMMANDS.get(name)?.load
  if (load === undefined) throw new Error(`no command ${name}`)
  const command: RunCommand = await load()
  const code = await command(args, {
    env: { SEKISHO_DATA_DIR: folder, ...env },
    cwd: folder,
    clock: Date.now,
    print: (line) => printed.push(line),
    complain: (line) => complained.push(line),
  })
  return { code, printed: printed.join('\n'), complained: complained.join('\n') }
}

/** Commands in the audit trail. */
function readActs(): readonly Record<string, unknown>[] {
  const lines = readFileSync(join(folder, 'audit', 'operator-000001.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
  return lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'operator_acted')
}

it.each([
  'tokens list',
  'sessions list',
  'agents list',
  'search-report',
  'report',
  'audit verify',
  'access review',
])('sekisho %s says in Japanese that no gate has kept anything there, and makes nothing', async (line) => {
  const [name = '', ...args] = line.split(' ')
  const { code, complained } = await run(name, args, { LANG: 'ja_JP.UTF-8' })
  expect([code, complained]).toEqual([1, expect.stringMatching(/^sekisho [a-z-]+: .*[ぁ-ん]/)])
  expect(readdirSync(folder)).toEqual([])
})

it.each([
  ['en', /^sekisho sessions: another process has gone on writing here for a minute/],
  ['ja', /^sekisho sessions: ほかのプロセスが 1 分のあいだ書き込みを続けています/],
])('says in a sentence (%s) that a store is busy, and throws a fault', async (language, sentence) => {
  const complained: string[] = []
  const io = {
    env: { SEKISHO_LANG: language },
    cwd: folder,
    clock: Date.now,
    print: () => {},
    complain: (line: string) => complained.push(line),
  }
  const locked = (errcode: number) =>
    explainErrors('sessions', io, () =>
      Promise.reject(Object.assign(new Error('database is locked'), { code: 'ERR_SQLITE_ERROR', errcode })),
    )
  expect(await locked(5)).toBe(1)
  expect(complained).toEqual([expect.stringMatching(sentence)])
  await expect(locked(1)).rejects.toThrow('database is locked')
})

describe('every command', () => {
  it.each([...COMMANDS.keys()])('%s has --help and refuses unknown options', async (name) => {
    expect(await run(name, ['--help'])).toMatchObject({
      code: 0,
      printed: expect.stringContaining('Usage: sekisho'),
    })
    expect(await run(name, ['--no-such-option'])).toMatchObject({ code: 2 })
  })

  it.each([...COMMANDS.keys()])('%s speaks Japanese where the locale does', async (name) => {
    const locale = { LANG: 'ja_JP.UTF-8' }
    const { printed } = await run(name, ['--help'], locale)
    expect(printed).toMatch(/^使い方: sekisho /)
    expect(printed).not.toMatch(/^ +--\S+(?: [A-Z|]+)? +[a-z ]+$/m)
    const { complained } = await run(name, ['--no-such-option'], locale)
    expect(complained).toMatch(/^--no-such-option というオプションはありません \[command\.option_unknown\]/)
  })
})

describe('sekisho check', () => {
  const PRODUCTION = {
    SEKISHO_ORIGIN: 'https://portal.test',
    SEKISHO_ALLOWED_DOMAINS: 'example.co.jp',
    SEKISHO_SECRET: 's'.repeat(32),
    FIREBASE_API_KEY: 'key',
    FIREBASE_AUTH_DOMAIN: 'portal.test',
    FIREBASE_PROJECT_ID: 'portal-1234',
  }

  it('explains every problem at once, the identity settings included', async () => {
    const { code, complained } = await run('check', ['--offline'])
    expect(code).toBe(1)
    for (const name of ['SEKISHO_ORIGIN', 'SEKISHO_ALLOWED_DOMAINS', 'SEKISHO_SECRET', 'FIREBASE_API_KEY']) {
      expect(complained).toContain(name)
    }
  })

  it.each([
    ['no release', {}, 'no release yet'],
    ['a proxy that is not named', {}, 'SEKISHO_TRUSTED_PROXIES must name the proxy'],
    ['a public mail domain', { SEKISHO_ALLOWED_DOMAINS: 'gmail.com' }, 'a public mail service'],
    ['a short secret', { SEKISHO_SECRET: 'short' }, 'at least 32 characters'],
    ['a broken API key', { FIREBASE_API_KEY: 'undefined' }, 'FIREBASE_API_KEY'],
    [
      'a foreign auth domain',
      { FIREBASE_AUTH_DOMAIN: 'portal-1234.firebaseapp.com' },
      'should be portal.test',
    ],
    [
      'a missing policy file',
      { SEKISHO_ALLOWED_DOMAINS: '', SEKISHO_POLICY_FILE: '/none' },
      'cannot be read',
    ],
  ])('says so of %s', async (_row, changes, problem) => {
    const { code, complained } = await run('check', ['--offline'], { ...PRODUCTION, ...changes })
    expect(code).toBe(1)
    expect(complained).toContain(problem)
  })

  it('lets a risk pass that is accepted by name, and says which', async () => {
    const env = { ...PRODUCTION, SEKISHO_ACCEPT_RISKS: 'no-proxy' }
    const { complained, printed } = await run('check', ['--offline'], env)
    expect(complained).not.toContain('SEKISHO_TRUSTED_PROXIES')
    expect(printed).toContain('accepted    SEKISHO_TRUSTED_PROXIES must name the proxy')
  })

  it('looks at the data folder that --data-dir names', async () => {
    const other = join(folder, 'other')
    const { printed } = await run('check', ['--offline', '--data-dir', other], PRODUCTION)
    expect(printed).toContain(`data        ${other}`)
    expect(printed).toMatch(/^ *notices {5}none: /m)
  })

  it('reads the policy file', async () => {
    const file = join(folder, 'policy.json')
    writeFileSync(file, '{"domains":["*"]}')
    const env = { ...PRODUCTION, SEKISHO_ALLOWED_DOMAINS: '', SEKISHO_POLICY_FILE: file }
    expect((await run('check', ['--offline'], env)).complained).toContain('"*" is not a domain')
  })
})

describe('sekisho agents', () => {
  async function allow(sub: string, ids: readonly string[], client: string): Promise<void> {
    const store = openSqliteSessions(join(folder, 'sessions.db'), { context: null })
    const account = { ...PLAIN, sub, email: `${sub}@example.co.jp`, name: null, device: '', address: '' }
    const times = {
      startedAtMs: 0,
      lastSeenAtMs: 0,
      provenAtMs: 0,
      isProvable: false,
      kind: 'standing',
    } as const
    const row = { ...account, ...times, key: sub, id: sub, refresh: new Uint8Array() }
    await store.sessions.insert(row, { digest: sub, expiresAtMs: 0 })
    for (const id of ids) {
      const grant = { id, session: sub, kind: 'grant', client, name: 'Some Agent', edition: null } as const
      const counts = { createdAtMs: 1, expiresAtMs: 2, usedAtMs: null, calls: 7, refresh: 'x' }
      const token = {
        digest: id,
        grant: id,
        use: 'access',
        detail: '',
        expiresAtMs: 2,
        seal: row.refresh,
      } as const
      await store.grants.insert({ ...grant, ...counts, seal: row.refresh }, token)
    }
    await store.close()
  }

  it('lists and ends by reader, client and id', async () => {
    await allow('a', ['a1', 'a2', 'a3'], 'https://client.example/a')
    await allow('b', ['b1', 'b2'], 'https://client.example/b')
    const { printed } = await run('agents', ['list'])
    expect(printed).toMatch(
      /a1 {2}a@example.co.jp {2}Some Agent {2}https:\/\/client.example\/a.*calls 7[\s\S]*5 grants/,
    )
    expect((await run('agents', ['revoke', '--id', 'a1'])).printed).toContain('1 grant ended')
    expect((await run('agents', ['revoke', '--client', 'https://client.example/b'])).printed).toContain(
      '2 grants ended',
    )
    expect((await run('agents', ['revoke', '--user', 'A@example.co.jp'])).printed).toContain('2 grants ended')
    expect(await run('agents', ['revoke', '--user', 'nobody@example.co.jp'])).toMatchObject({ code: 1 })
    expect(await run('agents', ['revoke'])).toMatchObject({ code: 2 })
    expect((await run('agents', ['list'])).printed).toContain('0 grants')
    expect(readActs().map(({ act, whose }) => [act, whose])).toEqual([
      ['agents_revoked', 'a1'],
      ['agents_revoked', 'https://client.example/b'],
      ['agents_revoked', 'A@example.co.jp'],
      ['agents_revoked', 'nobody@example.co.jp'],
    ])
  })
})

describe('sekisho sessions', () => {
  async function sign(sub: string, id: string): Promise<void> {
    const store = openSqliteSessions(join(folder, 'sessions.db'), { context: null })
    const times = { startedAtMs: 0, lastSeenAtMs: 0, provenAtMs: 0 }
    const row = {
      ...PLAIN,
      key: id,
      id,
      sub,
      email: `${sub}@example.co.jp`,
      name: null,
      device: '',
      address: '',
      ...times,
      isProvable: false,
      refresh: new Uint8Array(),
    }
    await store.sessions.insert(row, { digest: id, expiresAtMs: 0 })
    await store.close()
  }

  it('lists and ends by address and by id', async () => {
    for (const id of ['a1', 'a2', 'b1', 'c1']) await sign(id.slice(0, 1), id)
    expect((await run('sessions', ['list'])).printed).toMatch(/a1 {2}a@example.co.jp[\s\S]*4 sessions/)
    expect((await run('sessions', ['revoke', '--user', 'A@example.co.jp'])).printed).toContain(
      '2 sessions ended',
    )
    expect((await run('sessions', ['revoke', '--id', 'b1'])).printed).toContain('1 session ended')
    expect((await run('sessions', ['revoke', '--all'])).printed).toContain('1 session ended')
    expect((await run('sessions', ['list'])).printed).toContain('0 sessions')
    expect(readActs().map(({ act, whose }) => [act, whose])).toEqual([
      ['sessions_revoked', 'A@example.co.jp'],
      ['sessions_revoked', 'session b1'],
      ['sessions_revoked', 'everybody'],
    ])
    expect(readActs()[0]).toMatchObject({ user: expect.any(String), host: hostname(), operator: null })
  })

  it.each([
    ['--user', 'nobody@example.co.jp'],
    ['--id', 'x'],
  ])('fails where %s ends nothing: somebody mistyped is still in', async (...wanted) => {
    await sign('a', 'a1')
    expect(await run('sessions', ['revoke', ...wanted])).toMatchObject({
      code: 1,
      printed: expect.stringContaining('0 sessions ended'),
    })
    expect((await run('sessions', ['revoke', '--all'])).code).toBe(0)
    expect((await run('sessions', ['revoke', '--all'])).code, 'nobody is left, as was wanted').toBe(0)
  })

  it('ends no session that it cannot record', async () => {
    sign('a', 'a1')
    writeFileSync(join(folder, 'audit'), 'in the way')
    await expect(run('sessions', ['revoke', '--all'])).rejects.toThrow()
    expect((await run('sessions', ['list'])).printed).toContain('1 session')
  })

  it('frees an address for another account', async () => {
    await sign('a', 'a1')
    expect((await run('sessions', ['unbind', '--user', 'a@example.co.jp'])).printed).toContain('is free')
    expect((await run('sessions', ['unbind', '--user', 'a@example.co.jp'])).printed).toContain('no account')
  })

  it.each([
    [['revoke']],
    [['revoke', '--all', '--id', 'x']],
    [['list', '--all']],
    [['drop']],
    [[]],
    [['list', 'x']],
  ])('refuses %j', async (args) => {
    expect((await run('sessions', args)).code).toBe(2)
  })

  it('says so when there is no store, and makes none', async () => {
    expect(await run('sessions', ['list'])).toMatchObject({
      code: 1,
      complained: expect.stringContaining('no session store'),
    })
  })
})

describe('sekisho audit', () => {
  async function fill(): Promise<string> {
    const onFailure = (error: unknown) => {
      throw error
    }
    const trail = await openFolderTrail(dataFolderAt(folder), { now: Date.now, onFailure })
    for (const id of ['a', 'b', 'c']) trail.record('signed_out', { session: id })
    await trail.close()
    return join(folder, 'audit', 'gate-000001.jsonl')
  }
  const headIn = (printed: string) => /head ([0-9a-f]{64})/.exec(printed)?.[1] ?? ''

  it('accepts an unaltered trail and names the head', async () => {
    await fill()
    const { code, printed } = await run('audit', ['verify'])
    expect(code).toBe(0)
    const head = headIn(printed)
    expect((await run('audit', ['verify', '--expect-head', head, '--expect-first', '1'])).code).toBe(0)
    expect((await run('audit', ['verify', '--expect-head', '0'.repeat(64)])).code).toBe(1)
    expect((await run('audit', ['verify', '--expect-first', 'first'])).code).toBe(2)
  })

  it('names the first altered line', async () => {
    const file = await fill()
    writeFileSync(file, readFileSync(file, 'utf8').replace('"session":"b"', '"session":"x"'))
    expect(await run('audit', ['verify'])).toMatchObject({
      code: 1,
      complained: expect.stringContaining('gate-000001.jsonl, line 3: the line was altered'),
    })
  })

  it('finds an emptied folder without having noted anything', async () => {
    await fill()
    rmSync(join(folder, 'audit'), { recursive: true })
    expect(await run('audit', ['verify'])).toMatchObject({
      code: 1,
      complained: expect.stringContaining('missing at its end'),
    })
  })

  it('says in Japanese what is wrong with a trail, and with what was asked for', async () => {
    const japanese = { LANG: 'ja_JP.UTF-8' }
    const said = async (...args: string[]) => (await run('audit', args, japanese)).complained.split('\n')[0]
    expect(await said('verify')).toMatch(/^sekisho audit: .*に監査ログがありません。/)
    const file = await fill()
    expect(await said('verify', '--expect-head', '0'.repeat(64))).toMatch(
      /^✖ 監査ログ: 控えた head 0+ の行が/,
    )
    expect(await said('verify', '--expect-first', 'first')).toMatch(/--expect-first には、番号か/)
    expect(await said('export', '--from', 'x')).toMatch(
      /^export には、.* \[reports\.export_options_missing\]$/,
    )
    writeFileSync(file, readFileSync(file, 'utf8').replace('"session":"b"', '"session":"x"'))
    expect(await said('verify')).toMatch(/^✖ gate-000001\.jsonl の 3 行目: 行が書き換えられています。/)
  })

  it('exports what another machine verifies with the public key alone, and records who did', async () => {
    await fill()
    const args = ['--from', '2026-01-01', '--to', '2100-01-01', '--out', 'export']
    expect(await run('audit', ['export', ...args], { SEKISHO_OPERATOR: 'auditor' })).toMatchObject({
      code: 0,
    })
    expect(await run('audit', ['export', ...args])).toMatchObject({ code: 1 })
    const { printed } = await run('audit', ['key'])
    writeFileSync(join(folder, 'key.pem'), printed)
    for (const file of ['audit-key.pem', 'audit-heads', 'audit'])
      rmSync(join(folder, file), { recursive: true })
    expect(await run('audit', ['verify', 'export', '--public-key', 'key.pem'])).toMatchObject({ code: 0 })
    expect((await run('audit', ['verify', 'export'])).printed).toContain(
      /fingerprint (.*)/.exec(printed)?.[1],
    )
    expect(readFileSync(join(folder, 'export', 'audit', 'operator-000001.jsonl'), 'utf8')).toMatch(
      /"event":"operator_acted","act":"audit_exported","user":"[^"]+","host":"[^"]+","operator":"auditor"/,
    )
  })
})
