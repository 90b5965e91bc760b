import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadManifest } from '@sekisho/release'
import { packRelease } from '@sekisho/release/packing'
import { createTestBuild, pageHtml } from '@sekisho/release/testing'
import { findAskedPage, openSqliteAcknowledgements } from '@sekisho/server/acknowledgements'
import { openSqliteSessions } from '@sekisho/server/sqlite-sessions'
import { expect, it } from 'vitest'
import { runCheck } from '../check/check.ts'
import { runAcknowledgements } from './acknowledgements.ts'
import { patchOf } from './review-patch.ts'

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

it('prints a patch with the confirmations of owners, which git applies, and takes them for reviews', async () => {
  await using build = await createTestBuild()
  const reviewed = '<meta name="sekisho-owner" content="総務"><meta name="sekisho-review" content="30d">'
  for (const name of ['guide', 'base'])
    await build.write(
      `docs/${name}/index.html`,
      pageHtml(name).replace(
        '<head>',
        `<head>${reviewed}<meta name="sekisho-reviewed" content="2026-01-02">`,
      ),
    )
  const { id } = await packRelease({ ...build, clock: () => NOW_MS })
  const [edition] = (await loadManifest(build.releasesDir, id)).editions
  const site = join(build.root, 'site')
  await mkdir(join(site, 'docs'), { recursive: true })
  await writeFile(join(site, 'docusaurus.config.ts'), '')
  const source = '---\ntitle: 手引き\nowner: 総務\nreview: 30d\n---\n'
  await writeFile(join(site, 'docs', '01-guide.md'), source)
  const git = (...args: string[]) => execFileSync('git', args, { cwd: site })
  git('init', '-q')
  git('add', '.')
  await openSqliteSessions(join(build.dataDir, 'sessions.db'), { context: null }).close()
  const store = openSqliteAcknowledgements(join(build.dataDir, 'acknowledgements.db'))
  const kept = {
    issuer: 'i',
    sub: 'a',
    email: 'a@example.co.jp',
    page: 'ab',
    text: 'cd',
    release: id,
    atMs: NOW_MS,
  }
  for (const path of [...(edition?.files.keys() ?? [])].filter((one) =>
    /^\/docs\/(?:guide|base)\/?$/.test(one),
  ))
    for (const version of [
      'review 2026-11-20 default',
      'review 2026-11-21 other',
      'review 2026-11-10 default',
    ])
      await store.add({ ...kept, path, version: `${version} ${'0'.repeat(64)}` })
  await store.close()
  const [printed, complained]: [string[], string[]] = [[], []]
  const io = {
    ...{
      env: { LANG: 'ja_JP.UTF-8', SEKISHO_ALLOWED_DOMAINS: 'example.co.jp' },
      cwd: site,
      clock: () => NOW_MS,
    },
    ...{
      print: (line: string) => void printed.push(line),
      complain: (line: string) => void complained.push(line),
    },
  }
  expect(await runAcknowledgements(['reviews', '--data-dir', build.dataDir], io)).toBe(0)
  expect(complained).toEqual([expect.stringContaining('reviewed: 2026-11-20')]) // of the page without a source
  execFileSync('git', ['apply'], { cwd: site, input: `${printed.join('\n')}\n` })
  expect(await readFile(join(site, 'docs', '01-guide.md'), 'utf8')).toBe(
    source.replace('30d\n', '30d\nreviewed: 2026-11-20\n'),
  )
  expect(await runCheck(['--freshness', '--data-dir', build.dataDir], io)).toBe(0)
})

it.each([
  ['---\nreview: 30d\nreviewed: 2026-01-01\nowner: a\n---\n', 'reviewed: 2026-11-20\nowner'],
  ['---\nreview: 30d\n---', 'reviewed: 2026-11-20\n---'],
  ['---\r\nreview: 30d\r\n---\r\n\r\ntext\r\nmore\r\n', 'review: 30d\r\nreviewed: 2026-11-20\r\n---'],
])('replaces an earlier day, and keeps ends of lines', async (text, expected) => {
  const folder = await mkdtemp(join(tmpdir(), 'sekisho-patch-'))
  await writeFile(join(folder, '手引き a.md'), text)
  execFileSync('git', ['init', '-q'], { cwd: folder })
  execFileSync('git', ['apply'], { cwd: folder, input: `${patchOf('手引き a.md', text, '2026-11-20')}\n` })
  expect(await readFile(join(folder, '手引き a.md'), 'utf8')).toContain(expected)
  expect(patchOf('a.md', '# no front matter\n', '2026-11-20')).toBeNull()
  await rm(folder, { recursive: true })
})
