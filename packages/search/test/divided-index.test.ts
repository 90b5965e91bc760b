import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, expect, it } from 'vitest'
import { buildIndex, divideIndexes, type IndexPage } from '../src/indexer/index.ts'
import { openIndex } from '../src/query/index.ts'
import { foldKatakana } from '../src/text/kana.ts'
import { subjectTerm } from '../src/text/terms.ts'
import { page } from './fixture-index.ts'
import { FIXTURE_PAGES } from './fixture-pages.ts'

/** Three builds on a machine that may be busy with other things. */
const BUILD_MS = 600_000
const folder = mkdtempSync(join(tmpdir(), 'sekisho-divided-'))

const STAFF = page(
  'ops/duty',
  '当番の手引き',
  '夜間の当番は zebracanary を見ます。秘匿語彙とバックプレッシャーも読みます。',
)
const AUDIT = page('audit/plan', '監査の計画', '年次の quaggacanary を確かめます。')
const LISTS = [
  page('list', '一覧', '当番の手引きと監査の計画。'),
  page('list', '一覧', '監査の計画。'),
] as const
const EDITIONS: Readonly<Record<string, readonly IndexPage[]>> = {
  staff: [LISTS[0], STAFF, ...FIXTURE_PAGES],
  audit: [...FIXTURE_PAGES, AUDIT],
  // What staff and auditors share is cut out of the auditors' index; so few pages go that FTS5 would leave their words there.
  everyone: [...FIXTURE_PAGES.slice(0, 1), LISTS[1]],
}
const SUBJECT = subjectTerm(foldKatakana('バックプレッシャー'))
const indexes = new Map<string, string>()
let divided: ReturnType<typeof divideIndexes> = new Map()

beforeAll(async () => {
  for (const [name, pages] of Object.entries(EDITIONS)) {
    const outFile = join(folder, `${name}.db`)
    await buildIndex({ pages, outFile, cacheDir: join(folder, `cache-${name}`) })
    indexes.set(name, outFile)
  }
  divided = divideIndexes(indexes)
}, BUILD_MS)

const wordsOf = (name: string) => divided.get(name)?.words ?? ''
const partsOf = (name: string) => divided.get(name)?.parts ?? []
const open = (name: string) => openIndex(wordsOf(name), { parts: partsOf(name).map((file) => ({ file })) })
const openWhole = (name: string) => openIndex(indexes.get(name) ?? '')

it('keeps in one file what several editions hold alike, and in files of their own what only one holds', () => {
  const [everyone, staff, audit] = ['everyone', 'staff', 'audit'].map((name) => new Set(partsOf(name)))
  const [all, own] = [staff?.intersection(everyone ?? new Set()), staff?.intersection(audit ?? new Set())]
  expect([all?.size, own?.size, own?.isSupersetOf(all ?? new Set())]).toEqual([1, 2, true])
  expect([staff, audit, everyone].map((files) => files?.size)).toEqual([3, 3, 2])
})

it.each(Object.keys(EDITIONS))('finds in the parts what is found in the whole, which stays: %s', (name) => {
  const [divided, whole] = [open(name), openWhole(name)]
  const queries = [...FIXTURE_PAGES, STAFF, AUDIT].flatMap(({ title, sections }) => [
    title,
    `${title} どうすればよいですか`,
    sections[0]?.heading ?? title,
  ])
  const found = (engine: typeof whole, q: string) => engine.search({ q, limit: 50 })
  const answers = (engine: typeof whole) =>
    queries.map((q) => {
      const { results, didYouMean } = found(engine, q)
      return { q, didYouMean, first: results[0]?.id, pages: results.map(({ id }) => id).sort() }
    })
  expect(answers(divided)).toEqual(answers(whole))
  expect(divided.pages).toBe(whole.pages)
  for (const engine of [divided, whole]) engine.close()
})

it.each(Object.keys(EDITIONS))('names no file with a word of a page that the edition lacks: %s', (name) => {
  const own = new Set(EDITIONS[name])
  const canaries = [
    [STAFF, 'zebracanary'],
    [AUDIT, 'quaggacanary'],
  ] as const
  for (const file of [wordsOf(name), ...partsOf(name)]) {
    const bytes = readFileSync(file, 'latin1')
    const terms = termsOf(file)
    for (const [holder, word] of canaries) {
      if (own.has(holder)) continue
      expect([file, bytes.includes(word), terms.has(word)]).toEqual([file, false, false])
      expect([file, bytes.includes(holder.id)]).toEqual([file, false])
    }
  }
  // The control: what an edition holds is in one of its files.
  const terms = new Set(partsOf(name).flatMap((file) => [...termsOf(file)]))
  expect(canaries.filter(([holder]) => own.has(holder)).every(([, word]) => terms.has(word))).toBe(true)
})

it.each(Object.keys(EDITIONS))(
  'names no subject that only a page is about that the edition lacks: %s',
  (name) => {
    const files = [wordsOf(name), ...partsOf(name)]
    const told = files.map((file) => {
      const database = new DatabaseSync(file, { readOnly: true })
      const count = (of: string) => database.prepare(`SELECT 1 FROM ${of} = '${SUBJECT}'`).all().length > 0
      const has = [count('posting WHERE term'), count('phrase WHERE subject')]
      database.close()
      return has
    })
    const isHeld = EDITIONS[name]?.includes(STAFF) === true
    expect([0, 1].map((at) => told.some((has) => has[at]))).toEqual([isHeld, isHeld])
  },
)

it('refuses an index whose parts are not all named', () => {
  expect(() => openIndex(wordsOf('staff'))).toThrow(/other parts/)
  expect(() => openIndex(partsOf('staff')[0] ?? '', { parts: [{ file: 'x' }] })).toThrow(/other parts/)
})

function termsOf(file: string): ReadonlySet<string> {
  const database = new DatabaseSync(file)
  try {
    database.exec("CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, page_text, 'row')")
    return new Set(
      database
        .prepare('SELECT term FROM temp.terms')
        .all()
        .map(({ term }) => String(term)),
    )
  } finally {
    database.close()
  }
}
