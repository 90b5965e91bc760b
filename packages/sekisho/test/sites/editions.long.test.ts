import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { type Edition, loadManifest, readPointer, type StoredFile } from '@sekisho/release'
import { openIndex } from '@sekisho/search/query'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runBuild } from '../../src/authoring/build/build.ts'
import { runVerify } from '../../src/commands/verify/verify.ts'
import { CANARIES, EDITIONS, writeEditionsSite } from '../support/editions-site.ts'

const BUILD_MS = 600_000
const site = writeEditionsSite()
const lines: string[] = []
let dataDir = ''
let release = ''
let editions: readonly Edition[] = []

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sekisho-editions-'))
  const say = (line: string) => lines.push(line)
  const io = { env: process.env, cwd: site, clock: Date.now, print: say, complain: say }
  const code = await runBuild(['--data-dir', dataDir], io)
  expect(code, lines.join('\n')).toBe(0)
  const releases = join(dataDir, 'releases')
  const id = String(await readPointer(releases))
  release = join(releases, id)
  editions = (await loadManifest(releases, id)).editions
}, BUILD_MS)

afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const buildOf = (edition: string) =>
  join(site, edition === 'everyone' ? 'build' : `.cache/editions/${edition}`)

/** Every file of an edition's build, and its name: nothing of it is compressed but the store of the search. */
function filesOf(edition: string): readonly string[] {
  const root = buildOf(edition)
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
}

const EVERY = Object.entries(CANARIES).flatMap(([audience, words]) =>
  words.map((word) => [word, audience] as const),
)
const holds = (edition: (typeof EDITIONS.editions)[number], audience: string) =>
  edition.audiences.includes(audience)

it('lists the editions in the order of the site', () => {
  expect(editions.map(({ name, audiences }) => ({ name, audiences }))).toEqual(EDITIONS.editions)
})

it(
  'is closed to the readers of the narrowest edition, as verify finds',
  async () => {
    const name = 'everyone'
    const told: string[] = []
    const say = (line: string) => told.push(line)
    const io = { env: { SEKISHO_LANG: 'en' }, cwd: site, clock: Date.now, print: say, complain: say }
    const code = await runVerify(['--as', name, '--quick', '--data-dir', dataDir], io)
    expect([code, told.join('\n')]).toEqual([0, expect.stringContaining(`a reader of ${name}.`)])
  },
  BUILD_MS,
)

it('says on a page for whom it is, where the site labels its audience, and not in what agents and the search read', () => {
  const read = (edition: string, name: string) => readFileSync(join(buildOf(edition), name), 'utf8')
  expect(read('staff', 'docs/deep/staffpath/index.html')).toMatch(/<span class="[^"]*badge[^"]*">staffbadge</)
  expect(read('audit', 'blog/2026/02/02/audit/index.html')).toContain('>auditbadge<')
  expect(read('staff', 'docs/intro/index.html')).not.toContain('staffbadge')
  const search = editions.find((edition) => edition.name === 'staff')?.search
  if (search == null) throw new Error('the edition has no search')
  const parts = search.parts?.map(({ name, sha256 }) => ({ file: join(release, name), sha256 })) ?? []
  const engine = openIndex(join(release, search.name), { parts })
  expect(engine.search({ q: 'staffbadge', limit: 5 }).results).toEqual([])
  engine.close()
})

it.each(EDITIONS.editions)('holds nothing of other audiences in any file or name: $name', (edition) => {
  const found = new Map<string, Set<string>>()
  for (const file of filesOf(edition.name)) {
    const text = `${file}\n${readFileSync(file, 'latin1')}`.toLowerCase()
    for (const [word] of EVERY)
      if (text.includes(word)) found.set(word, (found.get(word) ?? new Set()).add(file))
  }
  const foreign = EVERY.filter(([, audience]) => !holds(edition, audience))
  expect(foreign.map(([word]) => [word, [...(found.get(word) ?? [])]])).toEqual(
    foreign.map(([word]) => [word, []]),
  )
  // The control: a search for words that is broken finds none anywhere.
  const own = EVERY.filter(([word, audience]) => holds(edition, audience) && word !== 'staffpicture')
  expect(own.filter(([word]) => !found.has(word))).toEqual([])
})

it('renders once what editions have alike', () => {
  const [first = '', ...others] = EDITIONS.editions.map(({ name }) =>
    join(site, '.cache/edition-pages', name),
  )
  const pages = readdirSync(first, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const renderedAt = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
  for (const other of others) {
    const taken = pages
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((file) => Math.abs(renderedAt(file) - renderedAt(join(other, relative(first, file)))) < 2) // copies have whole milliseconds
    expect(taken.length).toBeGreaterThan(pages.length / 3)
  }
})

const sharedPart = () => editions.at(-1)?.search?.parts?.[0]?.sha256

it.each(EDITIONS.editions)('finds what it holds and nothing else: $name', ({ name, audiences }) => {
  const search = editions.find((edition) => edition.name === name)?.search
  const stored = (one: StoredFile) => ({ file: join(release, one.name), sha256: one.sha256 })
  if (search == null) throw new Error('the edition has no search')
  // What everybody reads is in one file of all editions.
  expect(search.parts?.map(({ sha256 }) => sha256)).toContain(sharedPart())
  const engine = openIndex(join(release, search.name), { parts: search.parts?.map(stored) ?? [] })
  const isFound = (query: string) => engine.search({ q: query, limit: 5 }).results.length > 0
  const words = { staff: 'staffbody', partner: 'partnerbody', audit: 'auditbody' }
  const answers = Object.entries(words).map(([audience, word]) => [audience, isFound(word)])
  expect(answers).toEqual(Object.keys(words).map((audience) => [audience, audiences.includes(audience)]))
  expect(isFound('wombats')).toBe(true)
  engine.close()
})
