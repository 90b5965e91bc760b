import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadManifest } from '@sekisho/release'
import { packRelease } from '@sekisho/release/packing'
import { createTestBuild, pageHtml } from '@sekisho/release/testing'
import { findAskedPage, openSqliteAcknowledgements } from '@sekisho/server/acknowledgements'
import { openSqliteSessions } from '@sekisho/server/sqlite-sessions'
import { expect, it } from 'vitest'
import { runAcknowledgements } from './acknowledgements.ts'

const NOW_MS = Date.parse('2026-11-21T10:00:00Z')
const ASKS =
  '<meta name="sekisho-owner" content="総務"><meta name="sekisho-acknowledge" content="all"><meta name="sekisho-acknowledge-due" content="2026-11-20">'

it('lists who is missing, and exports what openssl verifies', async () => {
  await using build = await createTestBuild()
  await build.write('docs/guide/index.html', pageHtml('手引き').replace('<head>', `<head>${ASKS}`))
  const { id } = await packRelease({ ...build, clock: () => NOW_MS })
  await openSqliteSessions(join(build.dataDir, 'sessions.db'), { context: null }).close()
  const store = openSqliteAcknowledgements(join(build.dataDir, 'acknowledgements.db'))
  const one = {
    issuer: 'https://issuer.test',
    sub: 'a',
    path: '/docs/guide',
    page: 'ab',
    text: 'cd',
    release: id,
  }
  await store.add({ ...one, email: 'a@example.co.jp', version: 'revision 1', atMs: NOW_MS })
  await store.add({ ...one, sub: 'b', email: 'b@example.co.jp', version: 'revision 0', atMs: NOW_MS })
  await store.close()
  const people = join(build.root, 'people.csv')
  await writeFile(people, 'address,groups\nA@example.co.jp\nb@example.co.jp,staff\n')
  const run = async (...args: string[]) => {
    const printed: string[] = []
    const print = (line: string) => void printed.push(line)
    const env = { LANG: 'ja_JP.UTF-8', SEKISHO_ALLOWED_DOMAINS: 'example.co.jp' }
    const io = { env, cwd: build.root, clock: () => NOW_MS, print, complain: print }
    const exitCode = await runAcknowledgements([...args, '--data-dir', build.dataDir, '--people', people], io)
    return { exitCode, text: printed.join('\n') }
  }
  expect(await run('list')).toEqual({
    exitCode: 0,
    text: '/docs/guide  手引き\n  担当: 総務\n  期限超過（2026-11-20）  確認済み 1 人、未確認 1 人\n    b@example.co.jp',
  })
  expect((await run('export', '--out', 'records')).exitCode).toBe(0)
  const out = join(build.root, 'records')
  for (const name of ['acknowledgements.csv', 'acknowledgements.html']) {
    const verify = ['pkeyutl', '-verify', '-pubin', '-inkey', 'public-key.pem', '-rawin', '-in', name]
    const verified = () =>
      execFileSync('openssl', [...verify, '-sigfile', `${name}.sig`], { cwd: out, stdio: 'pipe' })
    expect(String(verified())).toContain('Verified')
    await writeFile(join(out, name), `${await readFile(join(out, name), 'utf8')} `)
    expect(verified).toThrow()
  }
  expect(await readFile(join(out, 'acknowledgements.csv'), 'utf8')).toContain('"b@example.co.jp","期限超過"')
})

it('asks each person for the text of their own edition', async () => {
  await using ops = await createTestBuild()
  await using all = await createTestBuild()
  const page = (text: string) =>
    pageHtml('手引き')
      .replace('<head>', `<head>${ASKS}<meta name="sekisho-acknowledge-again" content="each">`)
      .replace('<body>', `<body><p>${text}</p>`)
  await ops.write('docs/guide/index.html', page('当番の手順'))
  await all.write('docs/guide/index.html', page('全員の手順'))
  const editions = [
    { name: 'operators', audiences: ['operators'], buildDir: ops.buildDir },
    { name: 'everyone', audiences: [], buildDir: all.buildDir },
  ]
  const { id } = await packRelease({ editions, dataDir: ops.dataDir, clock: () => NOW_MS })
  const manifest = await loadManifest(ops.releasesDir, id)
  const asked = manifest.editions.map((edition) => findAskedPage(edition, '/docs/guide'))
  await openSqliteSessions(join(ops.dataDir, 'sessions.db'), { context: null }).close()
  const store = openSqliteAcknowledgements(join(ops.dataDir, 'acknowledgements.db'))
  for (const [at, one] of asked.entries()) {
    if (one === null) throw new Error('the page asks nobody')
    const { path, version, page: sha256, text } = one
    const account = { issuer: 'https://issuer.test', sub: `${at}`, email: `done${at}@example.co.jp` }
    await store.add({ ...account, path, version, page: sha256, text, release: id, atMs: NOW_MS })
  }
  await store.close()
  const people = join(ops.root, 'people.csv')
  await writeFile(
    people,
    'done0@example.co.jp,operators\ndone1@example.co.jp,staff\nc@example.co.jp,operators\n',
  )
  const printed: string[] = []
  const print = (line: string) => void printed.push(line)
  const env = { LANG: 'ja_JP.UTF-8', SEKISHO_ALLOWED_DOMAINS: 'example.co.jp' }
  const io = { env, cwd: ops.root, clock: () => NOW_MS, print, complain: print }
  expect(await runAcknowledgements(['list', '--data-dir', ops.dataDir, '--people', people], io)).toBe(0)
  expect(printed.filter((line) => line.includes('@'))).toEqual(['    c@example.co.jp'])
  expect(printed.filter((line) => line.includes('確認済み 1 人'))).toHaveLength(2)
})
