import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { encodePath } from '@sekisho/contract/canonical-path'
import { readPointer, releasesDirOf } from '@sekisho/release'
import { loadOnlyEdition } from '@sekisho/release/testing'
import { createWireClient, decodeBody, findHeader, openRelease } from '@sekisho/verify'
import { expect, it } from 'vitest'
import type { CommandIo } from '../../src/command.ts'
import { runPack } from '../../src/static-site/pack.ts'
import { startOwnGate } from '../../src/verify/own-gate.ts'
import { runVerify } from '../../src/verify/verify.ts'
import { STATIC_SITES } from '../support/static-sites.ts'

/** A folder of HTML in a temporary place, and what the commands say about it. */
async function createFolder(files: Readonly<Record<string, string>>) {
  const root = await mkdtemp(join(tmpdir(), 'sekisho-static-'))
  const dir = join(root, 'html')
  const dataDir = join(root, 'data')
  const write = async (name: string, text: string) => {
    await mkdir(dirname(join(dir, name)), { recursive: true })
    await writeFile(join(dir, name), text)
  }
  for (const [name, text] of Object.entries(files)) await write(name, text)
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
    verify: () => runVerify(['--quick', '--data-dir', dataDir], io),
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
    expect(await ask(encodePath(path))).toMatchObject({ status: 200, text: site.files[file] })
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
  const html = await readFile(join(folder.dir, 'ja/setup.html'), 'utf8')
  expect(html).toContain('<script src="/__gate/bar.js" defer></script></head>')
  expect(await folder.pack('--bar')).toBe(0)
  expect(await readFile(join(folder.dir, 'ja/setup.html'), 'utf8')).toBe(html)

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
  expect(await search('/')).not.toContain('/ja/')
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

it('is proven closed as any other release is', async () => {
  await using folder = await createFolder(STATIC_SITES[0]?.files ?? {})
  expect(await folder.pack()).toBe(0)
  expect([await folder.verify(), folder.complaints]).toEqual([0, []])
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

it('names what the content policy keeps from readers, and the page', async () => {
  await using folder = await createFolder({
    'index.html': '<title>一</title><img src="https://img.example/a.png">',
    'two.html': '<button onclick="go()">二</button>',
  })
  expect(await folder.pack()).toBe(0)
  expect(folder.printed.join('\n')).toMatch(
    /img https:\/\/img\.example on \/(?:\n|$)[\s\S]*button onclick.* \/two\.html/,
  )
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
