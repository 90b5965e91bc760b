import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DataFolder } from '@sekisho/server/data-folder'
import { sessionKeyOf } from '@sekisho/server/sessions'
import type { Stores } from '@sekisho/server/state'
import { BOB } from '@sekisho/server/state/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMachine } from '../../../test/support/backup-machine.ts'

type Machine = ReturnType<typeof createMachine>
let root: string
let folder: DataFolder
let run: Machine['run']
let open: Machine['open']
let withGate: Machine['withGate']
beforeEach(() => {
  ;({ root, folder, run, open, withGate } = createMachine())
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('in systemd’s layout', () => {
  const backup = () => run('backup', ['copy'])

  it('a backup beside a running gate is restored as it was, and the link stays', async () => {
    let later = ''
    const token = await withGate(null, async (signIn) => {
      expect(await backup()).toMatchObject({
        code: 0,
        text: expect.stringMatching(/gate: line 701, head [\w-]{43,64}/),
      })
      later = await signIn(BOB)
    })
    expect(lstatSync(join(root, 'copy', 'data', 'sessions.db')).isFile()).toBe(true)
    expect(statSync(join(root, 'copy', 'data', 'sessions.db')).mode & 0o077).toBe(0)
    expect(readFileSync(join(root, 'copy', 'data', 'releases', 'blobs', 'one'), 'utf8')).toBe('page')
    writeFileSync(folder.sessions, 'lost')

    const drill = await run('restore', ['copy', '--dry-run'])
    expect(drill).toMatchObject({
      code: 0,
      text: expect.stringMatching(/can be restored: \d+ files .* in \d+\.\d s/),
    })
    expect(readFileSync(folder.sessions, 'utf8')).toBe('lost')

    const restored = await run('restore', ['copy'])
    expect(restored).toMatchObject({
      code: 0,
      text: expect.stringMatching(/in \d+\.\d s\.[\s\S]*before-restore-/),
    })
    expect(lstatSync(folder.root).isSymbolicLink()).toBe(true)
    const [aside = ''] = readdirSync(folder.root).filter((name) => name.startsWith('before-restore-'))
    expect(readFileSync(join(folder.root, aside, 'sessions.db'), 'utf8')).toBe('lost')
    const { stores, sessions } = await open()
    await using _stores: Stores = stores
    expect(await sessions.find(sessionKeyOf(token), { touch: false })).not.toBeNull()
    expect(await sessions.find(sessionKeyOf(later), { touch: false })).toBeNull()
    expect(await run('audit', ['verify'])).toMatchObject({
      code: 0,
      text: expect.stringContaining('gate: 701 lines'),
    })
    const acts = readFileSync(join(folder.audit.lines, 'operator-000001.jsonl'), 'utf8')
    expect(acts).toMatch(/state_backed_up[\s\S]*state_restored/)
  })

  it('nothing is backed up with another secret, into a folder in use or within the data, or of nothing', async () => {
    expect(await backup()).toMatchObject({ code: 1, text: expect.stringContaining('no session store') })
    await withGate(null, async () => {
      const other = await run('backup', ['other'], { SEKISHO_SECRET: 'x'.repeat(32) })
      expect(other).toMatchObject({ code: 1, text: expect.stringContaining('SEKISHO_SECRET is another one') })
      expect(existsSync(join(root, 'other', 'backup.json'))).toBe(false)
      const inside = await run('backup', ['var/lib/private/sekisho/copy'])
      expect(inside).toMatchObject({ code: 1, text: expect.stringContaining('outside of the data folder') })
      expect((await backup()).code).toBe(0)
      expect(await backup()).toMatchObject({ code: 1, text: expect.stringContaining('is not empty') })
    })
    expect(await run('backup', [])).toMatchObject({ code: 2 })
  })

  it('nothing is restored with another secret, beside a gate, or of a backup that is damaged, cut or too old', async () => {
    await withGate(null, async () => {
      expect((await backup()).code).toBe(0)
      const beside = await run('restore', ['copy'])
      expect(beside).toMatchObject({ code: 1, text: expect.stringContaining('another gate is running') })
    })
    const before = () =>
      readdirSync(folder.root)
        .filter((name) => !name.endsWith('.lock'))
        .sort()
    const kept = before()
    const refuses = async (args: readonly string[], problem: string, env: Record<string, string> = {}) => {
      expect(await run('restore', args, env)).toMatchObject({
        code: 1,
        text: expect.stringContaining(problem),
      })
      expect(before()).toEqual(kept)
    }
    await refuses(['copy'], 'SEKISHO_SECRET is another one', { SEKISHO_SECRET: 'x'.repeat(32) })
    await refuses(['copy', '--expect-head', 'f'.repeat(64)], 'the expected head')
    await refuses(['var'], 'is not a whole backup')
    const blob = join(root, 'copy', 'data', 'releases', 'blobs', 'one')
    writeFileSync(blob, 'pagE')
    await refuses(['copy'], 'one of the backup is damaged')
    rmSync(blob)
    await refuses(['copy', '--dry-run'], 'one of the backup is damaged')
    const manifest = join(root, 'copy', 'backup.json')
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('data/releases', 'data/../../releases'))
    await refuses(['copy'], 'is not a whole backup')
  })
})
