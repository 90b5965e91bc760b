import { execFileSync } from 'node:child_process'
import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadManifest } from '@sekisho/release'
import { packRelease } from '@sekisho/release/packing'
import { createTestBuild, pageHtml } from '@sekisho/release/testing'
import { findAskedPage, openSqliteAcknowledgements } from '@sekisho/server/acknowledgements'
import { openFolderTrail } from '@sekisho/server/audit'
import { dataFolderAt } from '@sekisho/server/data-folder'
import { digestOfRules, readPolicyText, writeRules } from '@sekisho/server/settings'
import { openSqliteSessions } from '@sekisho/server/sqlite-sessions'
import { recordRules } from '@sekisho/server/testing'
import { expect, it } from 'vitest'
import { runExport } from './manual.ts'
import { writeZip } from './zip-archive.ts'

const NOW_MS = Date.parse('2026-11-21T10:00:00Z')
/** Text of another edition: no byte of it may be in a package. */
const CANARY = '当番だけの手順-7f3a'
const ASKS =
  '<meta name="sekisho-owner" content="総務"><meta name="sekisho-acknowledge" content="all"><meta name="sekisho-acknowledge-due" content="2026-11-30">'
const page = (text: string) =>
  pageHtml('手引き')
    .replace(
      '<head>',
      `<head>${ASKS}<link rel="stylesheet" href="/assets/css/a.0a1b2c3d.css"><meta http-equiv="refresh" content="0; url=https://refresh.test/">`,
    )
    .replace(
      '<body>',
      `<body onload="alert(1)"><p>${text}</p><img src="../img/photo.png" srcset="https://set.test/a.png 2x" alt="図"><img src="https://img.test/a.png"><img src="/img/none.png"><a href="/docs/base/">基本</a><a href="/docs/ops">運用</a><a href="javascript:alert(1)">x</a><iframe src="https://frame.test/"></iframe><svg><use href="https://use.test/a.svg#a"/><image href="/img/logo.svg"/></svg><p style="background:url(https://style.test/a.png)">x</p>`,
    )

async function createPortal() {
  const [ops, all] = [await createTestBuild(), await createTestBuild()]
  const css =
    '@import "https://import.test/a.css";body{background:url(/img/photo.png)}p{color:red;cursor:url("https://css.test/a.cur")}'
  for (const [build, text] of [
    [ops, CANARY],
    [all, '全員の手順'],
  ] as const) {
    await build.write('docs/guide/index.html', page(text))
    await build.write('assets/css/a.0a1b2c3d.css', css)
  }
  await ops.write('img/plan.png', Buffer.from(CANARY))
  const site = join(ops.root, 'site')
  await mkdir(join(site, 'docs'), { recursive: true })
  await writeFile(join(site, 'docusaurus.config.ts'), '')
  await writeFile(join(site, 'docs', '02-guide.md'), '# 手引き\n')
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=山田', '-c', 'user.email=a@example.co.jp', ...args], { cwd: site })
  git('init', '-q')
  git('add', '.')
  git('commit', '-q', '-m', `${CANARY}\n\nReviewed-by: 佐藤 <b@example.co.jp>`)
  const commit = String(git('rev-parse', 'HEAD')).trim()
  const editions = [
    { name: 'ops', audiences: ['ops'], buildDir: ops.buildDir },
    { name: 'everyone', audiences: [], buildDir: all.buildDir },
  ]
  const source = { commit, author: '山田', subject: CANARY }
  const { id } = await packRelease({ editions, source, dataDir: ops.dataDir, clock: () => NOW_MS })
  await openSqliteSessions(join(ops.dataDir, 'sessions.db'), { context: null }).close()
  const manifest = await loadManifest(ops.releasesDir, id)
  const store = openSqliteAcknowledgements(join(ops.dataDir, 'acknowledgements.db'))
  const folder = dataFolderAt(ops.dataDir)
  const audit = await openFolderTrail(folder, {
    now: () => NOW_MS,
    onFailure: (error) => expect.fail(String(error)),
  })
  const policy = { domains: ['example.co.jp'], groups: { ops: ['ops@example.co.jp'] } }
  const rules = () => readPolicyText(JSON.stringify(policy)).policy
  recordRules(rules, audit)
  audit.record('gate_started', { policy: digestOfRules(writeRules(rules())) })
  for (const { name, files } of [...manifest.editions]) {
    const asked = findAskedPage({ ...manifest.editions[0], files } as never, '/docs/guide')
    if (asked === null) throw new Error('the page asks for nothing')
    const account = { issuer: 'https://issuer.test', sub: name, email: `${name}@example.co.jp` }
    const release = `${id}-${name}`
    const { path, version, page, text } = asked
    await store.add({ ...account, path, version, page, text, release, atMs: NOW_MS })
    const moved = { ...account, sub: 'moved', email: 'moved@example.co.jp', release: `${id}-ops` }
    await store.add({ ...moved, path, version, page, text, atMs: NOW_MS })
    audit.record('signed_in', { ...account, session: name, groups: [] })
    const reader = { ...account, id: name }
    audit.recordReading({ event: 'page_read', reader, path, release, request: 'q' })
    audit.recordReading({ event: 'page_read', reader, path: '/docs/base/', release, request: 'q' })
  }
  await store.close()
  await audit.close()
  const run = async (out: string, ...args: string[]) => {
    const printed: string[] = []
    const print = (line: string) => void printed.push(line)
    const env = { LANG: 'ja_JP.UTF-8', SEKISHO_ALLOWED_DOMAINS: 'example.co.jp', PATH: '' }
    const io = { env, cwd: site, clock: () => NOW_MS, print, complain: print }
    const options = ['--out', out, '--data-dir', ops.dataDir, '--release', id]
    const exitCode = await runExport(['manual', ...args, ...options], io)
    return { exitCode, text: printed.join('\n') }
  }
  return {
    ...{ id, commit, manifest, root: ops.root, run },
    async [Symbol.asyncDispose]() {
      await ops[Symbol.asyncDispose]()
      await all[Symbol.asyncDispose]()
    },
  }
}

/** Runs the commands of VERIFY.md; throws where one fails. */
async function verify(folder: string): Promise<string> {
  const [, commands = ''] = /```sh\n([^`]*)```/.exec(await readFile(join(folder, 'VERIFY.md'), 'utf8')) ?? []
  return String(execFileSync('sh', ['-ec', commands], { cwd: folder, stdio: 'pipe' }))
}

it('exports pages of one edition with evidence that openssl and sha256sum verify', async () => {
  await using portal = await createPortal()
  const out = join(portal.root, 'evidence')
  const people = join(portal.root, 'people.csv')
  await writeFile(people, 'moved@example.co.jp\n')
  const { exitCode, text } = await portal.run(
    ...([out, '/docs/guide', '/docs/base/', '--as', 'everyone', '--people', people] as const),
  )
  expect([exitCode, text]).toEqual([0, expect.stringContaining('2 ページ')])
  expect(await verify(out)).toContain('pages/001.html: OK')

  const names = (await readdir(out, { recursive: true, withFileTypes: true })).filter((one) => one.isFile())
  for (const { parentPath, name } of names) {
    const bytes = await readFile(join(parentPath, name))
    expect(bytes.includes(CANARY), name).toBe(false)
    expect(String(bytes), name).not.toMatch(/ops@|-ops\b|"ops"/)
  }
  const read = (name: string) => readFile(join(out, name), 'utf8')
  expect(await read('commits.csv')).toContain(`"${portal.commit}"`)
  expect(await read('commits.csv')).toContain('"佐藤 <b@example.co.jp>"')
  const everyone = portal.manifest.editions.find(({ name }) => name === 'everyone')
  const sha256 = `${everyone?.files.get('/docs/guide')?.sha256}`
  expect(await read('pages.csv')).toContain(`"総務","","","${sha256}"`)
  expect(await read('SHA256SUMS')).toContain(`${sha256}  served/001.html.txt`)
  expect(await read('acknowledgements.csv')).toContain(`"https://issuer.test everyone","${sha256}"`)
  expect(await read('acknowledgements.csv')).toMatch(/"moved@example\.co\.jp","(?:未確認|期限超過)/) // confirmed elsewhere
  expect(await read('access.csv')).toContain('"everyone@example.co.jp"')
  expect((await read('audit.jsonl')).match(/"event":"page_read"/g)).toHaveLength(2)
  expect(await read('MAPPING.md')).toContain('A.5.37')

  const html = await read('pages/001.html')
  expect(html).toContain('全員の手順')
  expect(html).toContain('href="002.html"')
  expect(html.match(/src="data:image\/png;base64,/g)).toHaveLength(1)
  expect(html).toContain('body{background:url("data:image/png;base64,')
  expect(html).toMatch(/<image href="data:image\/svg\+xml[^"]*;base64,/)
  expect(html).not.toMatch(/\.test\b|<script|onload|javascript:|http-equiv="refresh"|\/docs\/ops/)

  const zip = `${out}.zip`
  expect((await portal.run(zip, '/docs/guide', '--as', 'everyone')).text).toContain(zip)
  const unzipped = join(portal.root, 'unzipped')
  execFileSync('unzip', ['-q', zip, '-d', unzipped])
  expect(await verify(join(unzipped, 'evidence'))).toContain('pages/001.html: OK')
  const left = (await readdir(portal.root)).filter((name) => name.startsWith('evidence.zip'))
  expect(left).toEqual(['evidence.zip'])
  const [once = '', again = ''] = ['once.zip', 'again.zip'].map((name) => join(portal.root, name))
  for (const file of [once, again]) expect(writeZip(file, out, 'evidence')).toBe(true)
  expect(await readFile(once)).toEqual(await readFile(again))

  for (const name of ['pages/001.html', 'audit.jsonl', 'SHA256SUMS', 'public-key.pem', 'VERIFY.md']) {
    const before = await readFile(join(out, name))
    await appendFile(join(out, name), ' ')
    await expect(verify(out), name).rejects.toThrow()
    await writeFile(join(out, name), before)
  }
  await verify(out)
})

it('refuses a path that the edition does not hold, and a folder that exists', async () => {
  await using portal = await createPortal()
  const refused = async (...args: string[]) => {
    const { exitCode, text } = await portal.run(join(portal.root, 'evidence'), ...args)
    expect(exitCode).toBe(1)
    expect(await readdir(portal.root)).not.toContain('evidence')
    return text
  }
  expect(await refused('/docs/guide', '/docs/none', '--as', 'everyone')).toContain('/docs/none')
  expect(await refused('/img/logo.svg', '--as', 'everyone')).toContain('manual.page_not_found')
  expect(await refused('/docs/guide', '--as', 'none')).toContain('manual.edition_not_found')
  await writeFile(join(portal.root, 'old.zip'), '')
  for (const out of [portal.root, join(portal.root, 'old.zip')])
    expect((await portal.run(out, '/docs/guide', '--as', 'everyone')).text).toContain(
      'reports.export_folder_exists',
    )
})
