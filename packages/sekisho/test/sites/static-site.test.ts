import { hash } from 'node:crypto'
import { access, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodePath } from '@sekisho/contract/canonical-path'
import { readPointer, releasesDirOf } from '@sekisho/release'
import { loadOnlyEdition, writeFiles } from '@sekisho/release/testing'
import { createWireClient, decodeBody, findHeader, openRelease } from '@sekisho/verify'
import { expect, it } from 'vitest'
import { runPack } from '../../src/authoring/static-site/pack.ts'
import type { CommandIo } from '../../src/command.ts'
import { startOwnGate } from '../../src/commands/verify/own-gate.ts'
import { STATIC_SITES } from '../support/static-sites.ts'

/** Cache of all indexes here: the synonyms of a new one take longer than all else. */
const SEARCH_CACHE = await mkdtemp(join(tmpdir(), 'sekisho-static-search-'))

/** A folder of HTML in a temporary place, and what the commands say about it. */
async function createFolder(files: Readonly<Record<string, string>>) {
  const root = await mkdtemp(join(tmpdir(), 'sekisho-static-'))
  const dir = join(root, 'html')
  const dataDir = join(root, 'data')
  const write = async (name: string, text: string) => writeFiles(dir, { [name]: text })
  writeFiles(dir, files)
  await mkdir(join(dataDir, 'cache'), { recursive: true })
  await symlink(SEARCH_CACHE, join(dataDir, 'cache', 'static-search'))
  const complaints: string[] = []
  const printed: string[] = []
  const io: CommandIo = {
    env: {},
    cwd: root,
    clock: Date.now,
    print: (line) => printed.push(line),
    complain: (line) => complaints.push(line),
  }
  return {
    dir,
    dataDir,
    releasesDir: releasesDirOf(dataDir),
    printed,
    complaints,
    write,
    pack: (...args: string[]) => runPack(['html', ...args, '--data-dir', dataDir], io),
    readSite: async (): Promise<unknown> =>
      JSON.parse(await readFile(join(dir, '__sekisho/site.json'), 'utf8')),
    async edition() {
      return loadOnlyEdition(releasesDirOf(dataDir), (await readPointer(releasesDirOf(dataDir))) ?? '')
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  }
}

it.each(STATIC_SITES)('$name becomes a release that readers read and search', async (site) => {
  await using folder = await createFolder(site.files)
  const packed = await folder.pack()
  expect([packed, folder.complaints]).toEqual([0, []])
  expect(await folder.readSite()).toMatchObject({
    title: site.title,
    tagline: site.title,
    lang: site.lang,
    pages: site.pages,
  })

  const release = await openRelease(folder.releasesDir, null)
  if (release === null) throw new Error('there is no release')
  await using gate = await startOwnGate(folder.releasesDir, release)
  const client = createWireClient(gate.url, { host: gate.host })
  const ask = async (path: string, cookie = gate.reader?.cookie ?? '') => {
    const outcome = await client.exchange({
      method: 'GET',
      target: path,
      headers: [
        ['Accept', 'text/html'],
        ['Cookie', cookie],
      ],
    })
    if (outcome.kind !== 'response') throw new Error(`${path} was not answered`)
    const { status, headers } = outcome.response
    const policy = findHeader(headers, 'Content-Security-Policy') ?? ''
    return { status, policy, text: decodeBody(outcome.response)?.toString('utf8') ?? '' }
  }

  for (const { path, file } of site.pages) {
    const { status, text } = await ask(encodePath(path))
    const told = text.replace('<script src="/__gate/bar.js" data-buttons="none" defer></script>', '')
    expect([status, told.trimEnd()]).toEqual([200, site.files[file]?.trimEnd()])
    expect((await ask(encodePath(path), '')).status).toBe(401)
  }
  expect((await ask('/')).policy.match(/'sha256-/g) ?? []).toHaveLength(site.inlineScripts)
  const { q, found, hidden } = site.search
  const search = async (words: string) =>
    (await ask(`/__gate/search-page?q=${encodeURIComponent(words)}`)).text
  expect(await search(q)).toContain(`href="${found}"`)
  expect(await search(hidden)).not.toContain('<ol>')
  expect((await ask('/nothing/here')).status).toBe(404)
})

it('keeps the addresses that the site itself links to', async () => {
  const page = (title: string, links: string) =>
    `<title>${title} | 関所</title><main><h1>${title}</h1>${links}</main>`
  const files = (ending: string) => ({
    'index.html': page('一', `<a href="/guide/setup${ending}">設営</a><a href="/guide/">案内</a>`),
    'guide/index.html': page('案内', `<a href="./setup${ending}#手形">設営</a>`),
    'guide/setup.html': page('設営', `<p>設営の手順</p><a href="../">一</a>`),
  })
  await using clean = await createFolder(files(''))
  expect(await clean.pack()).toBe(0)
  const { files: paths, redirects } = await clean.edition()
  expect([...paths.keys()].filter((path) => !path.includes('404')).sort()).toEqual([
    '/',
    '/guide.md',
    '/guide/',
    '/guide/setup',
    '/guide/setup.md',
    '/index.md',
  ])
  expect(redirects.get('/guide/setup.html')).toBe('/guide/setup')
  await using plain = await createFolder(files('.html'))
  expect(await plain.pack()).toBe(0)
  expect([...(await plain.edition()).files.keys()]).toContain('/guide/setup.html')
})

it('gives each folder of a further language its own search, and puts the bar in where it is asked for', async () => {
  const page = (lang: string, title: string, text: string) =>
    `<html lang="${lang}"><head><title>${title}</title></head><body><main><h1>${title}</h1><p>${text}</p></main></body></html>`
  await using folder = await createFolder({
    'index.html': page('en', 'Home', 'Of wombats'),
    'ja/index.html': page('ja', '表紙', 'ウォンバットの手引き'),
    'ja/setup.html': page('ja', '設営', 'ウォンバットの設営'),
    'assets/index.html': page('en', 'Assets', 'No language is called so'),
    'js/index.html': page('en', 'Scripts', 'English, whatever its name'),
    'app.js': 'fetch("https://x-dsn.algolia.net/1/indexes")',
  })
  expect([await folder.pack(), folder.complaints]).toEqual([0, []])
  expect(folder.printed).toContain('Search indexes of their own: ja')
  expect(folder.printed.join('\n')).toMatch(/own search asks a search service.*\n.*pack --bar/)
  const edition = await folder.edition()
  expect([...(edition.localeSearches?.keys() ?? [])]).toEqual(['/ja/'])
  expect(edition.files.get('/ja/setup.html')?.delivery).toBe('page')
  expect(edition.files.get('/ja/404.html')?.delivery).toBe('page')
  expect(await folder.pack('--bar')).toBe(0)
  const source = page('ja', '設営', 'ウォンバットの設営')
  expect(await readFile(join(folder.dir, 'ja/setup.html'), 'utf8'), 'sources stay').toBe(source)

  const release = await openRelease(folder.releasesDir, null)
  if (release === null) throw new Error('there is no release')
  await using gate = await startOwnGate(folder.releasesDir, release)
  const client = createWireClient(gate.url, { host: gate.host })
  const search = async (base: string) => {
    const target = `/__gate/search?q=${encodeURIComponent('ウォンバット')}&base=${encodeURIComponent(base)}`
    const outcome = await client.exchange({
      method: 'GET',
      target,
      headers: [['Cookie', gate.reader?.cookie ?? '']],
    })
    if (outcome.kind !== 'response') throw new Error(`${target} was not answered`)
    return decodeBody(outcome.response)?.toString('utf8') ?? ''
  }
  expect(await search('/ja/setup.html')).toContain('"/ja/setup.html"')
  const shown = await client.exchange({
    method: 'GET',
    target: '/ja/setup.html',
    headers: [['Cookie', gate.reader?.cookie ?? '']],
  })
  expect(shown.kind === 'response' && decodeBody(shown.response)?.toString('utf8')).toBe(
    source.replace('</head>', '<script src="/__gate/bar.js" defer></script></head>'),
  )
  expect(await search('/')).not.toContain('/ja/')
})

const page = (title: string, body = '', lang = 'ja') =>
  `<html lang="${lang}"><head><meta charset="utf-8"><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`

it('serves folders whatever their index is called, and pages of every ending', async () => {
  const indexes = ['index.htm', 'INDEX.HTML', 'Index.xhtml', 'index.html', 'index.shtml', 'index.xht']
  await using folder = await createFolder({
    'INDEX.HTM': page('表紙'),
    ...Object.fromEntries(indexes.map((index, at) => [`${at}/${index}`, page(`案内 ${at}`)])),
    'guide/Setup.XHTML': page('設営'),
    'status/404.html': page('404 の説明'),
    'codes/E1404.html': page('E1404'),
    about: `<?xml version="1.0"?>\n${page('拡張子なし')}`,
    LICENSE: 'About <html>',
  })
  expect([await folder.pack(), folder.complaints]).toEqual([0, []])
  expect(folder.printed.join('\n')).toMatch(/HTML.*\.html.*\n {2}\/about\n(?! )/)
  const { files, redirects } = await folder.edition()
  const folders = indexes.map((_, at) => `/${at}/`)
  for (const path of ['/', ...folders, '/guide/Setup.XHTML', '/status/404.html', '/codes/E1404.html']) {
    const { delivery, type, markdown } = files.get(path) ?? {}
    expect([path, delivery, type]).toEqual([path, 'page', 'text/html; charset=utf-8'])
    expect(markdown, path).toBeDefined()
  }
  expect(redirects.get('/INDEX.HTM')).toBe('/')
  for (const [at, index] of indexes.entries())
    for (const name of [index, 'index.html']) expect(redirects.get(`/${at}/${name}`)).toBe(`/${at}/`)
})

it('knows languages by their script, other names of the missing page, and what a refresh does', async () => {
  const to = (content: string) => `<meta content="${content}" http-equiv="Refresh"><title>移動</title>`
  await using folder = await createFolder({
    'index.html': page('Home', '', ''),
    'ja/index.html': page('表紙', '', ''),
    'zh/index.html': page('首页', '', ''),
    'js/index.html': page('Scripts', '', ''),
    '404.html/index.html': page('Not here'),
    'guide/Default.htm': page('案内'),
    'old.html': to("5;URL='guide/'"),
    'moved.html':
      '<title>移動</title><script>location.replace("guide/" + location.hash)</script><p>移動します</p>',
    'made.html': `<title>別</title><script>location.href = 'guide/' + name + '.html'</script>`,
    'chooser.html':
      '<title>言語</title><script>location.href = ja ? "ja/" : "zh/"; location = \'js/\'</script>',
    'lasting.html': `<title>長い頁</title><script>if (!ok) location.href = 'guide/'</script>${'<p>長い文。</p>'.repeat(50)}`,
    'gate.html': `<title>入口</title><script>if (known) location.href = 'guide/'</script>`,
    'app.html': `<title>画面</title><script>location = 'guide/'</script><script src="app.js"></script>`,
    'away.html': to('0; url=https://other.example/'),
    'board.html': to('60'),
  })
  expect([await folder.pack(), folder.complaints]).toEqual([0, []])
  const { files, redirects, localeSearches, notFound } = await folder.edition()
  expect([...(localeSearches?.keys() ?? [])]).toEqual(['/ja/', '/zh/'])
  expect(await folder.readSite()).toMatchObject({ lang: 'en' })
  expect([notFound, redirects.get('/old'), redirects.get('/moved')]).toEqual([
    '/404.html/index.html',
    '/guide/',
    '/guide/',
  ])
  for (const path of ['/chooser.html', '/lasting.html', '/made.html', '/gate.html', '/app.html'])
    expect(files.get(path)?.delivery, path).toBe('page')
  expect([files.get('/away.html')?.delivery, files.get('/board.html')?.title]).toEqual(['page', '移動'])
})

it('gives a folder with several indexes to index.html, and the others their names', async () => {
  await using folder = await createFolder({ 'index.htm': page('二'), 'index.html': page('一') })
  expect([await folder.pack(), folder.complaints]).toEqual([0, []])
  const { files } = await folder.edition()
  expect([files.get('/')?.title, files.get('/index.htm')?.title]).toEqual(['一', '二'])
})

it('takes the site’s name off titles, and tells strangers no title of a page', async () => {
  for (const [titles, name, first] of [
    [['手引き：設計', '手引き：運用', '手引き：障害'], '手引き', '設計'],
    [['設計', '運用', '障害'], 'Sekisho', '設計'],
  ] as const) {
    const [one, two, three] = titles
    await using folder = await createFolder({
      'index.html': page(one),
      'a.html': page(two),
      'b.html': page(three),
    })
    expect([await folder.pack(), folder.complaints]).toEqual([0, []])
    expect(await folder.readSite()).toMatchObject({ title: name, tagline: name })
    expect((await folder.edition()).files.get('/')?.title).toBe(first)
    expect(folder.printed.join().includes('--title')).toBe(name === 'Sekisho')
  }
})

it('keeps the search of a language whose folder holds a redirect or a foreign page', async () => {
  await using folder = await createFolder({
    'index.html': page('Home', '', 'en'),
    'ja/index.html': page('表紙'),
    'ja/guide.html': page('案内'),
    'ja/old.html':
      '<html lang="en"><meta http-equiv="refresh" content="0; url=guide.html"><title>Moved</title>',
    'ja/coverage.html': '<title>Coverage</title>',
  })
  expect([await folder.pack(), folder.complaints]).toEqual([0, []])
  const { localeSearches, redirects } = await folder.edition()
  expect([...(localeSearches?.keys() ?? [])]).toEqual(['/ja/'])
  expect(redirects.get('/ja/old')).toBe('/ja/guide.html')
})

it('reads pages in Shift_JIS, refuses by name what is in no encoding, and changes no source', async () => {
  const kanji = [0x8a, 0xd6, 0x8f, 0x8a] // 関所
  const sjis = Buffer.concat([
    Buffer.from('<html lang="ja"><head><meta charset="Shift_JIS"><title>'),
    Buffer.from(kanji),
    Buffer.from('</title></head><body><p>'),
    Buffer.from(kanji),
    Buffer.from('</p></body></html>'),
  ])
  await using folder = await createFolder({ 'index.html': page('表紙') })
  await writeFile(join(folder.dir, 'sjis.html'), sjis)
  const named = (before: string, after: string) =>
    Buffer.concat([Buffer.from(before), Buffer.from(kanji), Buffer.from(after)])
  await writeFile(join(folder.dir, 'a.js'), named('a("', '")'))
  await writeFile(join(folder.dir, 'a.xml'), named('<?xml version="1.0" encoding="Shift_JIS"?><a>', '</a>'))
  expect([await folder.pack('--bar'), folder.complaints]).toEqual([0, []])
  const { files } = await folder.edition()
  expect(files.get('/sjis.html')?.title).toBe('関所')
  expect([files.get('/a.js')?.sha256, files.get('/a.xml')?.sha256]).toEqual([
    hash('sha256', 'a("関所")'),
    hash('sha256', '<?xml version="1.0" encoding="utf-8"?><a>関所</a>'),
  ])
  expect(await readFile(join(folder.dir, 'sjis.html'))).toEqual(sjis)
  const pointer = await readPointer(folder.releasesDir)
  await writeFile(join(folder.dir, 'broken.html'), Buffer.concat([Buffer.from('<meta charset=utf-8>'), sjis]))
  expect(await folder.pack()).toBe(1)
  expect(folder.complaints.join()).toContain('broken.html')
  expect(await readPointer(folder.releasesDir)).toBe(pointer)
})

it('says how many pages ask to be left out of the search, finds what crawlers are to leave out, and tells what the content policy keeps from readers', async () => {
  await using folder = await createFolder({
    'pictures.html': '<title>一</title><img src="https://img.example/a.png">',
    'buttons.html': '<button onclick="go()">二</button>',
    'index.html': page('表紙').replace('<title>', '<meta name="robots" content="noindex"><title>'),
    'a.html': page('下書き').replace('<title>', '<meta name="sekisho-search" content="exclude"><title>'),
  })
  expect([await folder.pack(), folder.complaints]).toEqual([0, []])
  expect(folder.printed.join('\n')).toContain('Left out of the search: 1 pages')
  expect(folder.printed.join('\n')).toMatch(
    /img https:\/\/img\.example on \/pictures(?:\.html)?\n[\s\S]*button onclick.* \/buttons/,
  )
})

it('packs links with a stray percent sign where the folder has editions', async () => {
  await using folder = await createFolder({
    'index.html': page(
      '表紙',
      '<a href="saishin%.html">一</a><img src="100%.png"><a href="/x?rate=50%">二</a>',
    ),
    'himitsu/index.html': page('秘密'),
  })
  const editions = {
    editions: [
      { name: 'yakuin', audiences: ['yakuin'] },
      { name: 'zenin', audiences: [] },
    ],
  }
  await writeFile(
    join(folder.dir, '../sekisho.editions.json'),
    JSON.stringify({ ...editions, paths: { 'himitsu/**': 'yakuin' } }),
  )
  expect([await folder.pack(), folder.complaints]).toEqual([0, []])
})

it('names redirects that lead nowhere, and packs without them', async () => {
  const pages = [{ path: '/', file: 'index.html', title: '一' }]
  const redirects = [{ from: '/old', to: '/gone' }]
  const site = {
    format: 1,
    title: '手引き',
    tagline: '手引き',
    lang: 'ja',
    baseUrl: '/',
    notFound: '404.html',
  }
  await using folder = await createFolder({
    'index.html': '<title>一</title><p>手形',
    '404.html': '<title>無い</title>',
    '__sekisho/site.json': JSON.stringify({ ...site, pages, redirects }),
  })
  expect([await folder.pack(), folder.complaints]).toEqual([0, []])
  expect(folder.printed).toContain('  /old → /gone in __sekisho/site.json')
  expect((await folder.edition()).redirects.has('/old')).toBe(false)
})

it('follows the folder when it changes, and leaves alone what was written by hand', async () => {
  await using folder = await createFolder({ 'index.html': '<title>一</title><p>手形' })
  await folder.pack()
  await folder.write('two.html', '<title>二</title><p>関所')
  await folder.pack('--title', '手引き', '--lang', 'en', '--base', '/docs/')
  const site = await folder.readSite()
  expect(site).toMatchObject({
    title: '手引き',
    lang: 'en',
    baseUrl: '/docs/',
    pages: [{}, { path: '/docs/two.html' }],
  })
  const paths = [...(await folder.edition()).files.keys()]
  expect(paths.filter((path) => !path.endsWith('.md'))).toEqual([
    '/docs/',
    '/docs/404.html',
    '/docs/two.html',
  ])

  await folder.write('__sekisho/site.json', JSON.stringify({ ...Object(site), title: '手で書いた題' }))
  expect(await folder.pack()).toBe(0)
  expect(await folder.readSite()).toMatchObject({ title: '手で書いた題' })
})

it.each<[string, Record<string, string>, string[], number, RegExp]>([
  ['a folder without a page', { 'a.txt': 'a' }, [], 1, /no HTML file/],
  ['a base that is no path', { 'index.html': 'a' }, ['--base', 'docs'], 2, /begin and end with a slash/],
  ['a name that two servers would read differently', { 'index.html': 'a', 'a%2f.html': 'b' }, [], 1, /a%2f/],
])('refuses %s, and serves nothing', async (_name, files, args, code, complaint) => {
  await using folder = await createFolder(files)
  expect(await folder.pack(...args)).toBe(code)
  expect(folder.complaints.join('\n')).toMatch(complaint)
  await expect(access(join(folder.releasesDir, 'current'))).rejects.toThrow('ENOENT')
})

it.each(['', '<head><title>深い</title></head>'])(
  'a page nested 5,000 deep is named: head %j',
  async (head) => {
    const deep = `<!doctype html><html lang="ja">${head}<body>${'<div>'.repeat(5_000)}深い`
    await using folder = await createFolder({ 'index.html': '<title>表紙</title>', 'docs/deep.html': deep })
    expect(await folder.pack()).toBe(1)
    expect(folder.complaints.join()).toContain('docs/deep.html nests its elements more than 512 deep')
  },
)
