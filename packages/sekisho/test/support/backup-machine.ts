import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dataFolderAt, lockDataFolder, makeDataFolder } from '@sekisho/server/data-folder'
import { createChangingSeal, createSessions } from '@sekisho/server/sessions'
import { openStores, type Stores } from '@sekisho/server/state'
import { ALICE, LIMITS } from '@sekisho/server/state/testing'
import type { CommandIo } from '../../src/command.ts'
import { COMMANDS } from '../../src/main.ts'

const SECRET = 'k9Qw2xL8vB4nZ7rT1mY6cP3sD5fG0hJa'
const CONTEXT = { issuer: 'https://issuer.test', projectId: 'p', origin: 'https://portal.test' }

/** A machine of a test: `/var/lib` as systemd lays it out for a unit with DynamicUser, a gate on it, and an operator's commands. */
export function createMachine() {
  const root = mkdtempSync(join(tmpdir(), 'sekisho-backup-'))
  const varLib = join(root, 'var', 'lib')
  mkdirSync(join(varLib, 'private', 'sekisho'), { recursive: true, mode: 0o700 })
  symlinkSync('private/sekisho', join(varLib, 'sekisho'))
  const folder = dataFolderAt(join(varLib, 'sekisho'))

  async function run(name: string, args: readonly string[], changes: Record<string, string> = {}) {
    const lines: string[] = []
    const say = (line: string) => void lines.push(line)
    const env = { SEKISHO_DATA_DIR: folder.root, SEKISHO_SECRET: SECRET, SEKISHO_LANG: 'en', ...changes }
    const io: CommandIo = { env, cwd: root, clock: Date.now, print: say, complain: say }
    const load = COMMANDS.get(name)?.load
    if (load === undefined) throw new Error(`no command ${name}`)
    return { code: await (await load())(args, io), text: lines.join('\n') }
  }

  const secrets = { current: SECRET, previous: null }
  async function open(databaseUrl: string | null = null) {
    const stores = await openStores({
      ...{ databaseUrl, folder, secrets, context: CONTEXT, onProblem: () => {}, now: Date.now },
    })
    await stores.agreeOnSecret()
    const seal = createChangingSeal(secrets)
    return {
      stores,
      sessions: createSessions({ store: stores.sessions, seal, limits: LIMITS, now: Date.now }),
    }
  }

  /** Runs `during` beside a gate that has a reader, a trail and a release; resolves to the reader's session. */
  async function withGate(
    databaseUrl: string | null,
    during: (signIn: (identity: typeof ALICE) => Promise<string>) => Promise<void>,
  ): Promise<string> {
    makeDataFolder(folder)
    using _lock = lockDataFolder(folder)
    const { stores, sessions } = await open(databaseUrl)
    await using _stores: Stores = stores
    const signIn = async (identity: typeof ALICE) => {
      const spent = { digest: `spent ${identity.sub}`, expiresAtMs: Date.now() + 60_000 }
      const started = await sessions.start({ identity, refreshToken: 'r', spent, device: '', address: '' })
      if (started.kind !== 'started') throw new Error(started.kind)
      return started.token
    }
    mkdirSync(join(folder.releases, 'blobs'), { recursive: true })
    writeFileSync(join(folder.releases, 'blobs', 'one'), 'page')
    await stores.searchLog.append('2026-11-22', { q: '環境構築', hits: 2 })
    const trail = await stores.openTrail({ now: Date.now, onFailure: () => {} })
    for (let n = 0; n < 700; n += 1) trail.record('signed_in', { n })
    await trail.recordDurably('gate_started', {})
    const token = await signIn(ALICE)
    await during(signIn)
    await trail.close()
    return token
  }
  return { root, folder, secrets, run, open, withGate }
}
