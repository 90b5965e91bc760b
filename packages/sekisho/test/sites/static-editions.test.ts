import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { loadManifest, readPointer, releasesDirOf } from '@sekisho/release'
import { writeFiles } from '@sekisho/release/testing'
import { afterEach, expect, it } from 'vitest'
import { runPack } from '../../src/authoring/static-site/pack.ts'
import { runVerify } from '../../src/commands/verify/verify.ts'

const root = mkdtempSync(join(tmpdir(), 'sekisho-static-editions-'))
afterEach(() => rmSync(root, { recursive: true, force: true }))

const page = (title: string, body: string) =>
  `<!doctype html><html lang="ja"><head><title>${title} | 手引き</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`
const LONG = (what: string) => `<p>${`${what}の説明はここにあります。`.repeat(6)}</p>`
const FILES = {
  'index.html': page('はじめに', '<p>入口の説明です。</p><a href="guide/">手順</a><img src="img/open.png">'),
  'guide/index.html': page('手順', '<p>だれもが読む手順です。</p><a href="../">戻る</a>'),
  'staff/roster.html': page(
    '当番表',
    '<p>夜間の当番は伊達です。</p><img src="../img/roster.png" alt="名簿"><a href="../files/当番 &amp; 名簿.pdf">名簿</a><link rel=stylesheet href=../staff.css>',
  ),
  'partner/price.html': page('仕切価格', '<p>価格は非公開です。</p>'),
  'img/open.png': 'open',
  'img/roster.png': 'roster',
  'files/当番 & 名簿.pdf': 'roster',
  'staff.css': 'body{background:url(img/seal.png)}',
  'img/seal.png': 'seal',
  'robots.txt': 'User-agent: *',
  'forgotten.pdf': 'forgotten',
  'meta.html': `<meta name="audience" content="staff">${page('議事録', '')}`,
}
const EDITIONS = {
  editions: [
    { name: 'staff', audiences: ['staff', 'partner'] },
    { name: 'partner', audiences: ['partner'] },
    { name: 'everyone', audiences: [] },
  ],
  paths: { 'staff/**': 'staff', 'partner/**': 'partner' },
  shared: ['robots.txt'],
}

async function pack(editions: object, files: Readonly<Record<string, string | Buffer>> = FILES) {
  const dataDir = join(root, 'data')
  const told: string[] = []
  const say = (line: string) => told.push(line)
  const io = { env: { SEKISHO_LANG: 'en' }, cwd: root, clock: Date.now, print: say, complain: say }
  writeFiles(join(root, 'html'), files)
  writeFiles(root, { 'sekisho.editions.json': JSON.stringify(editions) })
  const code = await runPack(['html', '--data-dir', dataDir], io)
  const verify = (as: string) => runVerify(['--as', as, '--quick', '--data-dir', dataDir], io)
  return { code, told, verify, releasesDir: releasesDirOf(dataDir) }
}

it('a folder of HTML is divided by path rules, with the pictures of its own pages, and closed for each edition', async () => {
  const { code, told, verify, releasesDir } = await pack(EDITIONS)
  expect([code, told.join('\n')]).toEqual([0, expect.any(String)])
  const { editions } = await loadManifest(releasesDir, (await readPointer(releasesDir)) ?? '')
  const own = ['/404.html', '/guide/', '/', '/img/open.png', '/robots.txt']
  expect(
    Object.fromEntries(
      editions.map(({ name, files }) => [
        name,
        [...files.keys()].filter((path) => !path.endsWith('.md')).sort(),
      ]),
    ),
  ).toEqual({
    staff: [
      ...[...own, '/staff/roster.html', '/img/roster.png', '/partner/price.html'],
      ...['/files/当番 & 名簿.pdf', '/staff.css', '/img/seal.png', '/forgotten.pdf', '/meta.html'],
    ].sort(),
    partner: [...own, '/partner/price.html'].sort(),
    everyone: [...own].sort(),
  })
  expect(told.join('\n')).toMatch(/1 files that no page references[\s\S]*forgotten\.pdf/)
  for (const name of ['partner', 'everyone'])
    expect([name, await verify(name)], told.at(-1)).toEqual([name, 0])
}, 120_000)

it.each([
  ['a shared glob that no file has', { shared: ['robot.txt'] }, {}, 'shared robot.txt: no file'],
  ['a glob that no file has', { paths: { 'stuff/**': 'staff' } }, {}, 'paths stuff/**: no file'],
  [
    'two globs for a file',
    { paths: { 'staff/**': 'staff', '**/roster.html': 'partner' } },
    {},
    'staff/roster.html matches several rules',
  ],
  [
    'a page that leads to a narrower one',
    {},
    { 'guide/index.html': page('手順', '<a href="/staff/roster.html">当番</a>') },
    'staff/roster.html',
  ],
  [
    'a page for printing that repeats narrower pages',
    {},
    {
      'guide/index.html': page('手順', LONG('手順')),
      'staff/roster.html': page('当番表', LONG('当番')),
      'print.html': page('全体', LONG('手順') + LONG('当番')),
    },
    'print.html: names staff/roster.html',
  ],
  [
    'a text without addresses that repeats a narrower page, named by a page for all',
    {},
    {
      'guide/index.html': page('手順', '<a href="/llms-full.txt">全文</a>'),
      'staff/roster.html': page('当番表', LONG('当番')),
      'llms-full.txt': `# 当番表\n\n${LONG('当番').replace(/<[^>]+>/g, '\n')}`,
    },
    'llms-full.txt: names staff/roster.html',
  ],
  [
    'an index that lists narrower pages, loaded by a page for all',
    {},
    {
      'guide/index.html': page('手順', '<script src="../searchindex.js"></script>'),
      'searchindex.js': 'Search.setIndex({docnames:["index","staff\\/roster"]})',
    },
    'searchindex.js: names staff/roster.html',
  ],
  [
    'a packed inventory that lists them, linked by a page for all',
    {},
    {
      'guide/index.html': page('手順', '<a href="../objects.inv">目録</a>'),
      'objects.inv': Buffer.concat([
        Buffer.from('# Sphinx inventory version 2\n# Project: a\n# Version: 1\n# zlib\n'),
        deflateSync('staff/roster std:doc -1 staff/roster.html 当番表\n'),
      ]),
    },
    'objects.inv: names staff/roster.html',
  ],
  [
    'an archive that cannot be read, linked by a page for all',
    {},
    { 'guide/index.html': page('手順', '<a href="../all.tar.bz2">一式</a>'), 'all.tar.bz2': 'BZh9' },
    'all.tar.bz2: cannot be read',
  ],
  [
    'the rules among what readers get',
    {},
    { 'sekisho.editions.json': '{}' },
    'lies in the folder that readers get',
  ],
  ['a description by hand', {}, { '__sekisho/site.json': '{}' }, 'written by hand'],
])('refuses %s', async (_what, editions, files, problem) => {
  const { code, told } = await pack({ ...EDITIONS, ...editions }, { ...FILES, ...files })
  expect([code, told.join('\n')]).toEqual([1, expect.stringContaining(problem)])
})

it.each([
  ['a capital', '<meta name="Audience" content="staff">'],
  ['the plural', '<meta name="audiences" content="staff">'],
  ['one of the body', '<div data-audience="staff"></div>'],
  ['a property in the place of a name', '<meta property="audience" content="staff">'],
  ['an audience of no edition', '<meta name="audience" content="stuff">'],
])('refuses a page whose meta element restricts nothing: %s', async (_what, meta) => {
  const { code, told } = await pack(EDITIONS, { ...FILES, 'guide/index.html': page('手順', meta) })
  expect([code, told.join('\n')]).toEqual([1, expect.stringContaining('guide/index.html:1:')])
})
