import { hash } from 'node:crypto'
import { linkSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it } from 'vitest'
import { buildIndex, type IndexPage } from '../src/indexer/index.ts'
import { openIndex } from '../src/query/index.ts'
import { page } from './fixture-index.ts'
import { FIXTURE_PAGES } from './fixture-pages.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sekisho-search-test-'))
})

const outFile = (name = 'search.db'): string => join(folder, name)
const build = (pages: readonly IndexPage[], cache = 'cache', file = outFile()) =>
  buildIndex({ pages, outFile: file, cacheDir: join(folder, cache) })

/** The tables that answers depend on, without row numbers. */
function contents(file: string): unknown {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return [
      'key, title FROM page ORDER BY 1',
      '* FROM lexicon ORDER BY 1, 2',
      '* FROM gloss ORDER BY 1, 2',
      '* FROM spelling ORDER BY 1',
      'outline, hex(text) FROM content ORDER BY 1, 2',
      'term, weight, other FROM synonym ORDER BY 1, 3',
      'DISTINCT term FROM posting ORDER BY 1',
      '* FROM phrase ORDER BY 1',
      'feature, rarity, hex(phrases) FROM everyday ORDER BY 1',
    ].map((what) => database.prepare(`SELECT ${what}`).all())
  } finally {
    database.close()
  }
}

describe('a build after an edit', () => {
  it('reads only what changed and ends where a new build ends', async () => {
    const [first, second, ...others] = FIXTURE_PAGES
    if (first === undefined || second === undefined) throw new Error('The fixture needs pages')
    await build(FIXTURE_PAGES)
    const edited = [
      { ...first, title: '環境変数の設定' },
      ...others,
      page('new', '追加', '新しいページです。'),
    ]
    expect(await build(edited)).toMatchObject({ added: 2, removed: 2, unchanged: edited.length - 2 })
    await build(edited, 'empty-cache', outFile('scratch.db'))
    expect(contents(outFile())).toEqual(contents(outFile('scratch.db')))
  })

  it('survives edit after edit of several pages, which leaves deletions behind in the full-text table', async () => {
    let pages: readonly IndexPage[] = FIXTURE_PAGES
    await build(pages)
    for (let round = 1; round <= 4; round += 1) {
      pages = pages.map((before, at) =>
        at % 3 === 0 ? { ...before, title: `${before.title} ${round}` } : before,
      )
      expect((await build(pages)).removed).toBeGreaterThan(1)
    }
    await build(pages, 'empty-cache', outFile('scratch.db'))
    expect(contents(outFile())).toEqual(contents(outFile('scratch.db')))
  })

  it('reads nothing when nothing changed', async () => {
    await build(FIXTURE_PAGES)
    expect(await build(FIXTURE_PAGES)).toMatchObject({ added: 0, removed: 0 })
  })

  it('starts over when the cache cannot be read', async () => {
    await build(FIXTURE_PAGES)
    writeFileSync(join(folder, 'cache', 'index.db'), 'not a database')
    expect(await build(FIXTURE_PAGES)).toMatchObject({ added: FIXTURE_PAGES.length })
  })

  it('changes no file that has another link', async () => {
    await build(FIXTURE_PAGES)
    linkSync(outFile(), outFile('kept.db'))
    const before = hash('sha256', readFileSync(outFile('kept.db')))
    await build(FIXTURE_PAGES.slice(1))
    expect(hash('sha256', readFileSync(outFile('kept.db')))).toBe(before)
    expect(hash('sha256', readFileSync(outFile()))).not.toBe(before)
  })

  it('reads words as the site says', async () => {
    const pages = [
      page('a', '関所', '通行手形を見せます。'),
      page('b', '部品', 'Qwik と ケルベロスを使います。'),
    ]
    const options = { pages, outFile: outFile(), cacheDir: join(folder, 'cache') }
    await buildIndex({
      ...options,
      vocabulary: {
        words: [
          { name: '通行手形', reading: 'とおりふだ' },
          { name: 'Qwik', reading: 'クイック' },
          { name: 'ケルベロス', reading: 'ばんけん' },
        ],
        synonyms: [],
      },
    })
    const engine = openIndex(outFile())
    const find = (q: string): string[] => engine.search({ q }).results.map(({ id }) => id)
    expect([find('とおりふだ'), find('くいっく'), find('ばんけん')]).toEqual([['a'], ['b'], ['b']])
    engine.close()
  })

  it('carries the notices of the dictionaries whose data it holds', async () => {
    await build(FIXTURE_PAGES)
    const database = new DatabaseSync(outFile(), { readOnly: true })
    const notices = database.prepare("SELECT value FROM meta WHERE key = 'notices'").get()?.value
    database.close()
    expect(notices).toContain('Nara Institute of Science and Technology')
    expect(notices).toContain('Works Applications')
  })

  it('refuses two pages with one id', async () => {
    await expect(build([page('a', '一', ''), page('a', '二', '')])).rejects.toThrow('Two pages have the id a')
  })

  it('makes an index of no pages that finds nothing', async () => {
    await build([])
    const engine = openIndex(outFile())
    expect(engine.search({ q: '環境' }).results).toEqual([])
    engine.close()
  })
})

describe('an index that does not fit', () => {
  const mismatch = expect.objectContaining({ code: 'ERR_INDEX_MISMATCH' })
  const codeOf = (open: () => unknown): unknown => {
    try {
      return open()
    } catch (error) {
      return error
    }
  }

  it('is refused when it is missing, no index, of another format, or not the one named', async () => {
    expect(codeOf(() => openIndex(outFile('missing.db')))).toEqual(mismatch)
    writeFileSync(outFile('text.db'), 'not a database, but long enough to be taken for one'.repeat(100))
    expect(codeOf(() => openIndex(outFile('text.db')))).toEqual(mismatch)
    await build(FIXTURE_PAGES)
    const sha256 = hash('sha256', readFileSync(outFile()))
    openIndex(outFile(), { sha256 }).close()
    expect(codeOf(() => openIndex(outFile(), { sha256: '0'.repeat(64) }))).toEqual(mismatch)
    const database = new DatabaseSync(outFile())
    database.exec("UPDATE meta SET value = '0' WHERE key = 'format'")
    database.close()
    expect(codeOf(() => openIndex(outFile()))).toEqual(mismatch)
  })
})
