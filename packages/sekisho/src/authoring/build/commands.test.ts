import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { DEFAULT_EDITION, listReleaseIds, loadManifest, readPointer } from '@sekisho/release'
import { createTestBuild } from '@sekisho/release/testing'
import { expect, it } from 'vitest'
import { runReleases } from '../../commands/releases/releases.ts'
import { runBuild } from './build.ts'
import { lockBuild } from './build-lock.ts'

/** Stands where Docusaurus would be installed: counts its runs, prints what it was given, and fails on demand. */
const BUILDER = `
import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
const site = process.argv[3]
appendFileSync(site + '/.runs', 'run\\n')
console.log('[INFO] Use \`npm run serve\` command to test your build locally.')
console.log('called with ' + process.argv.slice(2).join(' ') + ' in ' + process.cwd())
console.log('locked ' + existsSync(site + '/data/build.lock'))
console.log('earlier builds ' + [existsSync(site + '/build'), existsSync(site + '/.cache') && readdirSync(site + '/.cache/earlier-builds').length])
console.log('skips ' + process.env.SKIP_HTML_MINIFICATION)
console.log('environment ' + Object.keys(process.env).filter((name) => /SEKISHO|FIREBASE/.test(name)).sort().join())
cpSync(site + '/made', site + '/build', { recursive: true })
const page = readFileSync(site + '/page.md', 'utf8')
if (page === 'broken') {
  console.error('page.md is broken\\n    at build (/x/node_modules/y.js:1:1)\\n    at own (/x/site/src/z.ts:1:1)')
  process.exit(3)
}
if (page === 'anchors') {
  console.warn('[WARNING] Docusaurus found broken anchors!\\n\\n- Broken anchor on source page path = /docs/guide:\\n   -> linking to /a#gone\\n')
  console.log('[SUCCESS] Generated')
}
if (page === 'mistakes') {
  const unresolved = '[WARNING] Markdown link with URL \`./none.md\` in source file "docs/a.md" (3:6) couldn\\'t be resolved.\\nMake sure it references a local Markdown file that exists within the current plugin.'
  console.warn(unresolved)
  console.log('\\u001b[34m[info]\\u001b[39m [webpackbar] Compiling Server')
  console.warn(unresolved)
  console.log('[success] [webpackbar] Server: Compiled successfully in 16.52s')
  console.warn('[WARNING] Docusaurus found broken links!\\n\\nPlease check the pages of your site in the list below.\\n- Broken link on source page path = /docs/guide:\\n   -> linking to /gone\\n   -> linking to ./none.md (resolved as: /none.md)\\n')
  console.warn('[WARNING] Duplicate routes found!\\n- Attempting to create page at /docs/guide, but a page already exists at this route.\\nThis could lead to non-deterministic routing behavior.')
  console.warn('[WARNING] Something else that Docusaurus says.')
}
if (page === 'overtaken') writeFileSync(site + '/data/shared/current', '20260101T000000Z-00000000\\n')
writeFileSync(site + '/build/docs/guide/index.html', page)
`

interface Run {
  readonly code: number
  readonly out: string
  readonly err: string
}

async function createSite() {
  const build = await createTestBuild()
  await rename(join(build.root, 'build'), join(build.root, 'made'))
  const core = join(build.root, 'node_modules', '@docusaurus', 'core')
  await mkdir(join(core, 'bin'), { recursive: true })
  await writeFile(join(core, 'package.json'), '{"name":"@docusaurus/core"}')
  await writeFile(join(core, 'bin', 'docusaurus.mjs'), BUILDER)
  await writeFile(join(build.root, 'package.json'), '{}')
  await writeFile(join(build.root, 'docusaurus.config.js'), 'export default {}')
  let nowMs = Date.UTC(2025, 3, 1)
  const settings: Record<string, string> = {}
  const run = async (command: typeof runBuild, args: string[]): Promise<Run> => {
    const out: string[] = []
    const err: string[] = []
    const code = await command(args, {
      env: {
        ...process.env,
        SEKISHO_LANG: 'en',
        SEKISHO_DATA_DIR: 'data',
        FIREBASE_API_KEY: 'k',
        ...settings,
      },
      cwd: build.root,
      clock: () => (nowMs += 1_000),
      print: (line) => out.push(line),
      complain: (line) => err.push(line),
    })
    return { code, out: out.join('\n'), err: err.join('\n') }
  }
  return {
    settings,
    build: (...args: string[]) => run(runBuild, ['--site', '.', ...args]),
    releases: (...args: string[]) => run(runReleases, args),
    writePage: (text: string) => writeFile(join(build.root, 'page.md'), text),
    runs: async () => (await readFile(join(build.root, '.runs'), 'utf8')).split('\n').length - 1,
    served: () => readPointer(build.releasesDir),
    ...{ root: build.root, dataDir: build.dataDir, releasesDir: build.releasesDir },
    [Symbol.asyncDispose]: () => build[Symbol.asyncDispose](),
  }
}

it('builds beside what it built before, which is deleted at the end, also when the site cannot be built', async () => {
  await using site = await createSite()
  const left = () => readdir(join(site.root, '.cache'))
  await site.writePage('first')
  expect((await site.build()).out).toContain('  earlier builds false,false\n')
  await site.writePage('second')
  expect((await site.build()).out).toContain('  earlier builds false,1\n')
  expect(await left()).toEqual([])
  await site.writePage('broken')
  expect([(await site.build()).code, await left()]).toEqual([1, []])
})

it('builds, packs and publishes once; then again only when something changed or it is forced', async () => {
  await using site = await createSite()
  await site.writePage('first')
  const first = await site.build()
  expect([first.code, first.err]).toEqual([0, ''])
  const id = await site.served()
  expect(first.out).toContain(`Release ${id} is published.\n  6 pages, 16 files, `)
  expect(first.out).toContain('  environment SEKISHO_PROBLEMS_FILE,SEKISHO_TERMINAL_LANGUAGE\n')
  expect(first.out).not.toContain('npm run serve')

  const again = await site.build()
  expect([again.code, again.out]).toEqual([0, `Nothing has changed: release ${id} (16 files) is up to date.`])
  expect(await site.runs()).toBe(1)

  expect((await site.build('--force')).out).toContain(
    `Release ${id} has the same content and is served again.`,
  )
  await site.writePage('second')
  expect((await site.build()).code).toBe(0)
  expect([await site.runs(), (await site.served()) !== id]).toEqual([3, true])
})

it('builds and publishes again after each edit until it is stopped, also after a build that failed', async () => {
  await using site = await createSite()
  const built = async (runs: number) => {
    const isBusy = () => existsSync(join(site.dataDir, 'build.lock'))
    while ((await site.runs().catch(() => 0)) < runs || isBusy()) await wait(20)
    return site.served()
  }
  await site.writePage('first')
  const watching = site.build('--watch')
  const first = await built(1)
  await site.writePage('broken')
  expect(await built(2)).toBe(first)
  await site.writePage('second')
  expect(await built(3)).not.toBe(first)
  process.emit('SIGTERM')
  const { code, out, err } = await watching
  expect([code, err]).toEqual([0, expect.stringContaining('could not be built')])
  expect(out).toContain('Waiting for edits')
})

it('does nothing to a site that does not tell its readers apart, nor to its release, that editions would need', async () => {
  await using site = await createSite()
  await site.writePage('first')
  const before = await readdir(site.root)
  const { out } = await site.build()
  const root = await realpath(site.root)
  expect(out).toContain(`  called with build ${site.root} in ${root}\n`)
  expect(out).toContain('  environment SEKISHO_PROBLEMS_FILE,SEKISHO_TERMINAL_LANGUAGE\n')
  expect((await readdir(site.root)).filter((name) => !before.includes(name))).toEqual([
    '.runs',
    'build',
    'data',
  ])
  const { editions } = await loadManifest(site.releasesDir, (await site.served()) ?? '')
  expect(editions.map(({ name, audiences, search }) => ({ name, audiences, search }))).toEqual([
    { name: DEFAULT_EDITION, audiences: [], search: null },
  ])
  const built = await readFile(join(site.root, 'build/docs/guide/index.html'))
  expect(editions[0]?.files.get('/docs/guide')?.sha256).toBe(hash('sha256', built))
})

it('publishes where SEKISHO_RELEASES says, keeps what it keeps here, and notices who was quicker', async () => {
  await using site = await createSite()
  const shared = join(site.dataDir, 'shared')
  Object.assign(site.settings, { SEKISHO_RELEASES: shared, SEKISHO_RELEASES_MAX: '5' })
  const served: (string | null)[] = []
  for (const page of ['1', '2', '3', '4', '5', '6', '7']) {
    await site.writePage(page)
    const { code, out } = await site.build()
    expect([code, out]).toEqual([0, expect.stringContaining(`Publishing in ${shared}`)])
    served.push(await readPointer(shared))
  }
  expect(new Set(served).size).toBe(7)
  expect((await site.releases('list')).out.split('\n')).toHaveLength(5)
  expect((await site.build()).out).toContain('Nothing has changed')

  await site.writePage('overtaken')
  const { code, err } = await site.build()
  expect([code, err]).toEqual([1, expect.stringContaining('another release was published in the meantime')])
  expect(await readPointer(shared)).toBe('20260101T000000Z-00000000')
})

it('tells the site the address readers use and the choice of light pages, of all settings, and builds again when they change', async () => {
  await using site = await createSite()
  await site.writePage('first')
  await site.build()
  Object.assign(site.settings, {
    ...{ SEKISHO_ORIGIN: 'https://docs.example.com', SEKISHO_ORIGINAL: 'x' },
    ...{ SEKISHO_LIGHT: 'off', SEKISHO_LIGHTER: 'x' },
  })
  expect((await site.build()).out).toContain(
    '  environment SEKISHO_LIGHT,SEKISHO_ORIGIN,SEKISHO_PROBLEMS_FILE,SEKISHO_TERMINAL_LANGUAGE\n',
  )
  await site.build()
  expect(await site.runs()).toBe(2)
  Object.assign(site.settings, { SEKISHO_LIGHT: 'routes' })
  await site.build()
  expect(await site.runs()).toBe(3)
})

it('spares the site a pass over every page that saves next to nothing, unless the environment says otherwise', async () => {
  await using site = await createSite()
  await site.writePage('first')
  expect((await site.build()).out).toContain('  skips true\n')
  Object.assign(site.settings, { SKIP_HTML_MINIFICATION: 'false' })
  await site.writePage('second')
  expect((await site.build()).out).toContain('  skips false\n')
})

it('names what the content policy will keep from readers, and the page that asks for it', async () => {
  await using site = await createSite()
  await site.writePage('<p><img src="https://img.example/badge.svg"></p>')
  expect((await site.build()).out).toMatch(
    /blocks this for readers.*\n {2}img https:\/\/img\.example on \/docs\/guide\n.*\n {2}SEKISHO_CSP_ALLOW="img https:\/\/img\.example"/,
  )
})

it('builds again when the release of the last build is gone', async () => {
  await using site = await createSite()
  await site.writePage('first')
  await site.build()
  await rm(site.releasesDir, { recursive: true })
  expect((await site.build()).out).toContain('is published')
})

it('keeps what is served when the site cannot be built, and says so', async () => {
  await using site = await createSite()
  await site.writePage('first')
  await site.build()
  const id = await site.served()
  await site.writePage('broken')
  const failed = await site.build()
  expect(failed.code).toBe(1)
  expect(failed.out).toContain('  page.md is broken\n      at own (/x/site/src/z.ts:1:1)')
  expect(failed.err).toBe(
    'sekisho build: the site could not be built (exit code 3); the messages above say why. What is being served has not changed. [build.site_build_failed]',
  )
  expect(await site.served()).toBe(id)
})

it('says of broken anchors, which fail no build, what to mend', async () => {
  await using site = await createSite()
  await site.writePage('anchors')
  const { code, out } = await site.build()
  expect(code).toBe(0)
  expect(out).toContain('  [WARNING] /docs/guide links to /a#gone, a page without that heading')
  expect(out).not.toContain('Docusaurus found')
  expect(out).toContain('[SUCCESS] Generated')
})

it('says of mistakes that fail no build what to mend, each once and in the language of the terminal', async () => {
  await using site = await createSite()
  await site.writePage('mistakes')
  Object.assign(site.settings, { SEKISHO_LANG: 'ja' })
  const { code, out } = await site.build()
  expect(code).toBe(0)
  const warnings = out.split('\n').filter((line) => line.includes('[WARNING]'))
  expect(warnings).toEqual([
    '  [WARNING] docs/a.md:3 のリンク先 ./none.md がありません。リンクを直すか、そのページを作ってください。',
    '  [WARNING] /docs/guide のリンク先 /gone がありません。リンクを直すか、そのページを作ってください。',
    '  [WARNING] /docs/guide のリンク先 ./none.md がありません。リンクを直すか、そのページを作ってください。',
    expect.stringMatching(/^ {2}\[WARNING\] \/docs\/guide になるページが 2 つ以上あります/),
    '  [WARNING] Something else that Docusaurus says.',
  ])
  expect(out).not.toMatch(/Markdown link|Make sure|Please check|webpackbar|non-deterministic/)
})

it('says in the language of the terminal that a site could not be built', async () => {
  await using site = await createSite()
  await site.writePage('broken')
  Object.assign(site.settings, { SEKISHO_LANG: 'ja' })
  expect((await site.build()).err).toContain('サイトを作れませんでした（exit code 3）。')
})

it('names the commit a release was built from, in the language of the terminal', async () => {
  await using site = await createSite()
  await site.writePage('first')
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=山田', '-c', 'user.email=y@example.com', ...args], {
      cwd: site.root,
    })
  git('init', '--quiet')
  git('add', 'page.md')
  git('commit', '--quiet', '--message', '手順を直す\u001b[2J')
  await site.build()
  Object.assign(site.settings, { SEKISHO_LANG: 'ja' })
  const { out } = await site.releases('list')
  expect(out).toMatch(/6 ページ、16 ファイル、.* MB\n {4}[0-9a-f]{9} {2}山田 {2}手順を直す�\[2J$/)
})

it('lists releases, rolls back and forward, and leaves a rollback alone when nothing changed', async () => {
  await using site = await createSite()
  expect((await site.releases('list')).out).toBe('There is no release yet: run sekisho build.')
  await site.writePage('first')
  await site.build()
  const first = await site.served()
  expect((await site.releases('rollback')).err).toContain('no earlier release')
  await site.writePage('second')
  await site.build()
  const second = await site.served()

  expect((await site.releases('rollback')).out).toBe(`Release ${first} is served instead of ${second}.`)
  expect(await site.served()).toBe(first)
  expect((await site.build()).out).toContain(`Release ${first} is served because of a rollback.`)
  expect(await site.served()).toBe(first)
  const listed = await site.releases('list')
  const time = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d [+-]\\d\\d:\\d\\d'
  expect(listed.out).toMatch(
    new RegExp(
      `^  ${second}  ${time}  6 pages, 16 files, .* MB, 1 pages changed\n\\* ${first}  ${time}  6 pages`,
    ),
  )

  expect((await site.releases('rollback', second ?? '')).code).toBe(0)
  await writeFile(join(site.releasesDir, first ?? '', 'manifest.json'), '{}')
  const refused = await site.releases('rollback')
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('not the one that was published')])
  expect(await site.served()).toBe(second)
  const trail = await readFile(join(site.dataDir, 'audit', 'operator-000001.jsonl'), 'utf8')
  const acts = trail.split('\n').filter((line) => line.includes('"operator_acted"'))
  expect(acts.map((line) => JSON.parse(line)).map(({ act, release }) => [act, release])).toEqual([
    ['release_published', first],
    ['release_published', second],
    ['release_rolled_back', first],
    ['release_rolled_back', second],
  ])
})

it('removes a release that must no longer be served, never the current one, and records who did it', async () => {
  await using site = await createSite()
  for (const text of ['first', 'second']) {
    await site.writePage(text)
    await site.build()
  }
  const [second = '', first = ''] = await listReleaseIds(site.releasesDir)
  expect((await site.releases('remove', second)).err).toContain(
    `release ${second} is being served; roll back to another one first`,
  )
  expect(await site.releases('remove', first)).toMatchObject({ code: 0, err: '' })
  expect(await listReleaseIds(site.releasesDir)).toEqual([second])
  const [chain = ''] = (await readdir(join(site.dataDir, 'audit'))).filter((name) =>
    name.includes('operator'),
  )
  const trail = await readFile(join(site.dataDir, 'audit', chain), 'utf8')
  expect(trail).toMatch(new RegExp(`"act":"release_removed","user":"[^"]+",.*"release":"${first}"`))
})

it('keeps earlier releases as long as the settings say', async () => {
  await using site = await createSite()
  Object.assign(site.settings, { SEKISHO_RELEASES_KEEP: 'long' })
  expect((await site.build()).err).toContain('SEKISHO_RELEASES_KEEP must be a duration')
  Object.assign(site.settings, { SEKISHO_RELEASES_KEEP: '1d', SEKISHO_RELEASES_MAX: '2' })
  for (const text of ['1', '2', '3']) {
    await site.writePage(text)
    await site.build()
  }
  expect(await listReleaseIds(site.releasesDir)).toHaveLength(2)
})

it.each([
  [['--what'], 2, "Unknown option '--what'"],
  [['--site', 'nowhere'], 1, 'nowhere is not a Docusaurus site: it has no docusaurus.config file'],
  [[], 1, 'Docusaurus is not installed in'],
])('build %j ends with %i', async (args, code, said) => {
  await using site = await createSite()
  await rm(join(site.root, 'node_modules'), { recursive: true })
  const ended = await site.build(...args)
  expect([ended.code, ended.err]).toEqual([code, expect.stringContaining(said)])
})

it('lets one build run at a time, and takes over the lock of a process that is gone', async () => {
  await using site = await createSite()
  await site.writePage('first')
  await mkdir(site.dataDir)
  const lock = join(site.dataDir, 'build.lock')
  const held = await lockBuild(site.dataDir)
  const [pid, boot, start] = (await readFile(lock, 'utf8')).trim().split(' ')
  expect(await site.build()).toMatchObject({
    code: 1,
    err: expect.stringContaining(`process ${process.pid}`),
  })
  await held[Symbol.asyncDispose]()
  for (const gone of [
    '999999999 - -',
    '', // cut short by a crash
    String(pid), // a number alone, as locks were: in the next container another process has it
    `${pid} ${boot} ${Number(start) - 1}`, // its number is another process's now
    `${pid} 00000000-0000-4000-8000-000000000000 ${start}`, // of another boot or machine
  ]) {
    await writeFile(lock, `${gone}\n`)
    expect((await site.build()).code).toBe(0)
  }
  await expect(readFile(lock)).rejects.toThrow('ENOENT')
  await site.writePage('second')
  expect((await site.build()).out).toContain('locked true') // for as long as it runs
})

it.each(['--help', '-h'])('explains itself with %s', async (flag) => {
  await using site = await createSite()
  expect(await site.build(flag)).toMatchObject({
    code: 0,
    out: expect.stringContaining('Usage: sekisho build'),
  })
  expect(await site.releases(flag)).toMatchObject({
    code: 0,
    out: expect.stringContaining('sekisho releases list'),
  })
  expect((await site.releases('remove')).code).toBe(2) // it has to be told which
})
