import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packRelease } from '@sekisho/release/packing'
import type { TestBuild } from '@sekisho/release/testing'
import type { GateResponse } from '@sekisho/wire'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Reading } from '../../audit/index.ts'
import { createBoundary } from '../../kernel/boundary.ts'
import { PAGE_SCRIPT } from '../../kernel/pages/page-script.ts'
import type { ServedEdition } from '../../kernel/reader.ts'
import type { RouteTable } from '../../kernel/route-table.ts'
import { openReleases } from '../../releases/open-releases.ts'
import type { QueryLog } from '../../state/search-log/index.ts'
import { everybodysEdition, readerOf, SESSION } from '../../testing/reader.ts'
import { createTestGate, ORIGIN, readObject } from '../../testing/test-gate.ts'
import {
  createSearchableBuild,
  createSearchableEditions,
  writeGuideIndex,
} from '../../testing/test-search.ts'
import { createFairSearches } from './fair-searches.ts'
import { createSearchRoutes, warmSearch } from './search-api.ts'
import { createSearchRunner, type SearchRunner } from './search-runner.ts'

let build: TestBuild
let runner: SearchRunner
let search: RouteTable
let nowMs = 0
const logged: object[] = []
const log: QueryLog = {
  searched: (_session, _account, entry) => logged.push(entry),
  opened: (_session, entry) => logged.push(entry),
  flush: async () => {},
}
const readings: Reading[] = []
const audit = {
  recordReading(reading: Reading) {
    readings.push(reading)
    return null
  },
}
const withDefaults = { origin: ORIGIN, log, audit, now: () => nowMs, timeZone: 'Asia/Tokyo' }

beforeAll(async () => {
  build = await createSearchableBuild()
  runner = createSearchRunner()
  const releases = await openReleases({ releasesDir: build.releasesDir })
  served = await everybodysEdition(releases)
  search = createSearchRoutes({ ...withDefaults, searches: createFairSearches(runner) })
  await warmSearch(releases, runner)
}, 120_000)
afterAll(async () => {
  await runner.close()
  await build[Symbol.asyncDispose]()
})

/** Every request comes a minute after the one before, unless the clock is held. */
let session = SESSION
let served: ServedEdition | null
/** The gate's response to a reader's request for one of the search's routes. */
async function askRoute(routes: RouteTable, request: Request, from = served): Promise<GateResponse> {
  const route = routes.get(new URL(request.url).pathname)
  if (route?.access !== 'reader') throw new Error('the search has no such route')
  const context = { clientAddress: '', isReader: true, requestId: '' }
  return route.answer(request, readerOf(from, session), context)
}
const ask = (query: string, method = 'GET') => {
  nowMs += 60_000
  return askRoute(search, new Request(`https://portal.test/__gate/search${query}`, { method }))
}
const report = (body: unknown, headers: Record<string, string> = {}, raw?: string) => {
  nowMs += 60_000
  const init = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: ORIGIN.origin, ...headers },
    body: raw ?? JSON.stringify(body),
  }
  return askRoute(search, new Request('https://portal.test/__gate/search/opened', init))
}

describe('search', () => {
  it('finds a page of the release', async () => {
    const answer = await readObject(await ask(`?q=${encodeURIComponent('手形')}`))
    expect(answer.results).toMatchObject([{ url: '/docs/guide', title: '手引き' }])
    expect(readings.at(-1)).toMatchObject({
      ...{ event: 'search_read', reader: { email: 'hanako@example.co.jp' }, path: '/__gate/search' },
      ...{ release: expect.stringContaining('Z-'), more: { q: '手形', pages: ['/docs/guide'] } },
    })
  })

  describe('in other words', () => {
    const SENTENCE = '関所を通るときに見せるものは何ですか'
    const rewriting = (queries: readonly string[]) => {
      const asked: string[] = []
      const rewriter = {
        async rewrite(q: string) {
          asked.push(q)
          return queries
        },
      }
      const options = { ...withDefaults, searches: createFairSearches(runner), rewriter }
      return { asked, routes: createSearchRoutes(options) }
    }
    const askFor = async (routes: RouteTable, more = '&rewrite=1', site = 'same-origin') => {
      const url = `https://portal.test/__gate/search?q=${encodeURIComponent(SENTENCE)}${more}`
      return askRoute(routes, new Request(url, { headers: { 'Sec-Fetch-Site': site } }))
    }

    it('has the pages of short queries, and logs no search for them', async () => {
      const { asked, routes } = rewriting(['手形', 'zzzzqqqq'])
      const before = logged.length
      const answer = await readObject(await askFor(routes))
      expect(asked).toEqual([SENTENCE])
      expect(answer).toMatchObject({ rewrites: ['手形'], results: [{ url: '/docs/guide' }] })
      expect(logged).toHaveLength(before)
      expect(readings.map(({ more }) => more?.q)).toContain('手形')
    })

    it('asks no model for the sentence itself, and offers to', async () => {
      const { asked, routes } = rewriting(['手形'])
      const answer = await readObject(await askFor(routes, ''))
      expect([asked, answer.canRewrite, answer.rewrites]).toEqual([[], true, undefined])
    })

    it('is empty without a model, without queries, and after thirty in an hour', async () => {
      const nothing = { results: [], rewrites: [] }
      expect(await readObject(await askFor(search))).toMatchObject(nothing)
      expect(await readObject(await askFor(rewriting([]).routes))).toMatchObject(nothing)
      const { asked, routes } = rewriting(['手形'])
      for (let time = 0; time < 30; time += 1) await askFor(routes)
      expect(asked).toHaveLength(30)
      expect(await readObject(await askFor(routes))).toMatchObject(nothing)
      expect(asked).toHaveLength(30)
    })

    it('is a link on the page without scripts, and a block of its own once it is followed', async () => {
      const { asked, routes } = rewriting(['手形', 'zzzzqqqq'])
      const show = async (q: string, more = '', site = 'same-origin') => {
        const url = `https://portal.test/__gate/search-page?q=${encodeURIComponent(q)}${more}`
        return (await askRoute(routes, new Request(url, { headers: { 'Sec-Fetch-Site': site } }))).text()
      }
      const offered = 'rewrite=1">別の言葉に言い換えて探す</a>'
      expect(await show(SENTENCE)).toContain(offered)
      for (const [q, more, site] of [
        ['手形'],
        ['手形', '&rewrite=1'],
        [SENTENCE, '&rewrite=1', 'cross-site'],
      ] as const)
        expect(await show(q, more, site)).not.toContain('言い換えると')
      expect(asked).toEqual([])
      expect(await show(SENTENCE, '&rewrite=1')).toContain('ほかのページは見つかりませんでした') // its words find the page
      const unfound = 'ウォンバットはどこにいるのでしょうか'
      const text = await show(unfound, '&rewrite=1')
      expect(text).toContain('<h2>言い換えると: 手形</h2><ol><li><a href="/docs/guide')
      expect([asked, text.includes(offered)]).toEqual([[SENTENCE, unfound], false])
    })

    it('is not begun by another site', async () => {
      const { asked, routes } = rewriting(['手形'])
      expect([(await askFor(routes, '&rewrite=1', 'cross-site')).status, asked]).toEqual([403, []])
      expect((await ask('?q=a&rewrite=2')).status).toBe(400)
    })
  })

  it('says where a question can be asked, and if this is one; nothing of it where none is answered', async () => {
    const answering = createSearchRoutes({
      ...{ ...withDefaults, searches: createFairSearches(runner), hasAnswers: true },
    })
    const isOffered = async (q: string, routes: RouteTable) => {
      nowMs += 60_000
      const request = new Request(`https://portal.test/__gate/search?q=${encodeURIComponent(q)}`)
      return (await readObject(await askRoute(routes, request))).ask
    }
    const question = '手形はいつまで有効なのでしょうか'
    expect(await isOffered(question, answering)).toEqual({ path: '/__gate/ask', isSentence: true })
    expect(await isOffered('手形', answering)).toEqual({ path: '/__gate/ask', isSentence: false })
    expect(await isOffered(question, search)).toBeUndefined()
  })

  it('restricts to a section', async () => {
    expect((await readObject(await ask(`?q=${encodeURIComponent('手形')}&section=blog`))).results).toEqual([])
  })

  it.each([
    ['section=docs&folder=/docs', 1],
    ['folder=/blog', 0],
    ['tag=%E9%81%8B%E7%94%A8', 1],
    ['tag=%E9%81%8B', 0],
    ['version=2.0', 0],
    ['since=2026-01-01&until=2026-12-31', 1],
    ['since=2026-06-01', 0],
  ])('finds only within %s', async (filters, count) => {
    const { results } = await readObject(await ask(`?q=${encodeURIComponent('手形')}&${filters}`))
    expect(results).toHaveLength(count)
  })

  it.each([
    '',
    '?q=',
    '?limit=5',
    '?q=a&limit=0',
    '?q=a&limit=51',
    '?q=a&limit=x',
    '?q=a&q=b',
    '?q=a&section=x',
    '?q=a&folder=docs',
    '?q=a&tag=',
    '?q=a&tag=x&tag=y',
    '?q=a&since=2026-13-01',
    '?q=a&until=today',
    `?q=a&version=${'1'.repeat(201)}`,
    '?q=a&x=1',
    `?q=${'a'.repeat(501)}`,
  ])('reads %j as it is or not at all', async (query) => {
    expect((await ask(query)).status).toBe(query === '?q=' ? 200 : 400)
  })

  it('is read only', async () => expect((await ask('?q=a', 'POST')).status).toBe(405))

  it('71 answers nobody without a session', async () => {
    const releases = { editions: async () => (served === null ? [] : [served]) }
    await using portal = await createTestGate({ releases, endpoints: [search] })
    const path = `/__gate/search?q=${encodeURIComponent('手形')}`
    expect((await portal.ask(path)).status).toBe(401)
    const reader = await portal.ask(path, { headers: { Cookie: await portal.signIn() } })
    expect([reader.status, reader.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
  })

  it.each([
    ['five hundred characters', '関所'.repeat(250)],
    ['a hundred words', Array.from({ length: 100 }, (_, at) => `w${at}`).join(' ')],
    ['a regular expression', '(a+)+$ [^\\w]{1,99999} .*?'],
    ['full-text syntax', 'title:"手形" NEAR(a b, 5) AND NOT * OR ^x {title}:'],
    ['an open quotation', '"'],
    ['SQL', "'; DROP TABLE page; --"],
    ['half a surrogate pair', '\ud83d'],
    ['controls', '\u0000\u0007\u202e'],
    ['a JSON bomb', '{"$ne":1}'.repeat(50)],
    ['combining marks', `手${'\u3099'.repeat(499)}`],
    ['only spaces', ' \u3000\t'],
  ])('answers %s clearly', async (_what, q) => {
    const response = await ask(`?${new URLSearchParams({ q })}`)
    expect(response.status).toBe(200)
    expect(Array.isArray((await readObject(response)).results)).toBe(true)
  })

  it('lets an account search as fast as somebody types, and no faster, with however many sessions', async () => {
    session = { ...SESSION, sub: 'flood' }
    const searchNow = () => askRoute(search, new Request('https://portal.test/__gate/search?q=a&limit=1'))
    const searchIn = (_: unknown, at: number) => {
      session = { ...SESSION, sub: 'flood', id: `session-${at}` }
      return searchNow()
    }
    const responses = await Promise.all(Array.from({ length: 80 }, searchIn))
    const refused = responses.filter(({ status }) => status === 429)
    expect([refused.length, refused[0]?.headers.get('retry-after')]).toEqual([20, '1'])
    session = SESSION
    expect((await searchNow()).status).toBe(200)
  })

  it('says that there is no search while the release has no index', async () => {
    const bare = createSearchRoutes({
      ...withDefaults,
      searches: createFairSearches(runner),
    })
    await warmSearch({ editions: async () => [] }, runner)
    const response = await askRoute(bare, new Request('https://portal.test/__gate/search?q=a'), null)
    expect([response.status, (await readObject(response)).code]).toEqual([503, 'search_unavailable'])
  })
})

describe('the note that a result was opened', () => {
  const OPENED = { q: '手形', rank: 1, page: '/docs/guide' }

  it('goes into the log beside the search, with what was tried before it without a hit', async () => {
    logged.length = 0
    await ask('?q=passport')
    await ask(`?q=${encodeURIComponent('手形')}`)
    expect((await report(OPENED)).status).toBe(204)
    expect(logged).toEqual([
      { q: 'passport', hits: 0, edition: 'default' },
      { q: '手形', hits: 1, edition: 'default' },
      { ...OPENED, edition: 'default', after: 'passport' },
    ])
  })

  it.each([
    ['a page that does not exist', { ...OPENED, page: '/docs/none' }],
    ['rank 0', { ...OPENED, rank: 0 }],
    ['rank 51', { ...OPENED, rank: 51 }],
    ['rank "1"', { ...OPENED, rank: '1' }],
    ['no query', { ...OPENED, q: '' }],
    ['one key more', { ...OPENED, email: 'a@b.test' }],
    ['one key less', { q: '手形', rank: 1 }],
    ['a list', []],
    ['nothing', null],
  ])('is refused with %s', async (_what, body) => {
    logged.length = 0
    expect([(await report(body)).status, logged]).toEqual([400, []])
  })

  it('is refused from a form', async () => {
    expect((await report(OPENED, { 'Content-Type': 'text/plain' })).status).toBe(400)
  })

  it('is refused when it is large, or no JSON', async () => {
    expect((await report(null, {}, `"${'a'.repeat(9_000)}"`)).status).toBe(413)
    expect((await report(null, {}, '{')).status).toBe(400)
  })

  it('is a POST', async () => {
    const request = new Request('https://portal.test/__gate/search/opened')
    expect((await askRoute(search, request)).status).toBe(405)
  })

  it('71 is nothing without a session', async () => {
    await using portal = await createTestGate({ endpoints: [search] })
    expect((await portal.ask('/__gate/search/opened', { method: 'POST' })).status).toBe(401)
  })
})

describe('the search page', () => {
  const show = async (query: string) => {
    nowMs += 60_000
    return askRoute(search, new Request(`https://portal.test/__gate/search-page${query}`))
  }

  it('is a form that needs no script', async () => {
    const response = await show('')
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('<form action="/__gate/search-page" role="search">')
  })

  it('shows what was found, marked, and keeps the reading on record', async () => {
    const text = await (await show(`?q=${encodeURIComponent('手形')}`)).text()
    expect(text).toContain('<a href="/docs/guide#手形"><mark>手形</mark></a>')
    expect(text).toContain('まず<mark>手形</mark>を見せる')
    expect(readings.at(-1)).toMatchObject({ event: 'search_read', path: '/__gate/search-page' })
  })

  it('repeats a query as text only', async () => {
    const text = await (await show(`?q=${encodeURIComponent('"><script>alert(1)</script>')}`)).text()
    expect(text.replace(`<script>${PAGE_SCRIPT}</script>`, '')).not.toContain('<script')
  })

  it('refuses what is no query', async () => {
    expect((await show('?q=a&q=b')).status).toBe(400)
  })
})

describe('a tab of before the last publication', () => {
  const OLD = { ...SESSION, startedAtMs: 0 }

  /** Two releases: the first has the guide, the second says of it what `text` says, or has it no more. */
  async function publishTwice(next: { readonly text: string } | 'withdrawn') {
    const own = await createSearchableBuild()
    onTestFinished(() => own[Symbol.asyncDispose]())
    const releases = await openReleases({ releasesDir: own.releasesDir })
    const first = (await everybodysEdition(releases))?.servedAs ?? ''
    if (next === 'withdrawn')
      await own.writeSite({ pages: [{ path: '/', file: 'index.html', title: 'ホーム' }], redirects: [] })
    else await writeGuideIndex(own, next.text)
    await packRelease({ buildDir: own.buildDir, dataDir: own.dataDir, clock: () => Date.now() + 60_000 })
    await releases.refresh()
    const routes = createSearchRoutes({ ...withDefaults, searches: createFairSearches(runner) })
    const find = async (release: string, who = OLD) => {
      session = who
      nowMs += 60_000
      const query = new URLSearchParams({ q: '手形', release })
      const request = new Request(`https://portal.test/__gate/search?${query}`)
      const response = await askRoute(routes, request, await everybodysEdition(releases))
      session = SESSION
      return { text: JSON.stringify(await readObject(response)), response }
    }
    return { own, first, releases, find }
  }

  it('searches its own release, and learns which one is served', async () => {
    const { first, find, releases } = await publishTwice({ text: '手形は要らなくなった。' })
    const { text, response } = await find(first)
    expect(text).toContain('まず手形を見せる')
    const { servedAs = '' } = (await everybodysEdition(releases)) ?? {}
    expect(servedAs).not.toBe(first)
    expect(response.headers.get('server-timing')).toContain(servedAs)
    expect((await find(servedAs)).text).toContain('要らなくなった')
    expect(readings.at(-1)).toMatchObject({ release: servedAs })
  })

  it.each([
    ['a session that began after the publication', (own: string) => own, Date.now() + 600_000],
    ['a release that nobody made', () => '20200101T000000Z-00000000', 0],
    ['another edition of it', (own: string) => `${own}-operators`, 0],
  ])('%s searches what is served', async (_what, nameOf, startedAtMs) => {
    const { first, find } = await publishTwice({ text: '手形は要らなくなった。' })
    expect((await find(nameOf(first), { ...OLD, startedAtMs })).text).toContain('要らなくなった')
  })

  it('is told nothing of a page that was withdrawn', async () => {
    const { first, find } = await publishTwice('withdrawn')
    const { text } = await find(first)
    expect(JSON.parse(text)).toMatchObject({
      results: [],
      choices: { folders: [], tags: [] },
      didYouMean: null,
    })
  })

  it('searches what is served once its release is removed', async () => {
    const { own, first, find, releases } = await publishTwice({ text: '手形は要らなくなった。' })
    await rm(join(own.releasesDir, first), { recursive: true })
    await releases.refresh()
    expect((await find(first)).text).toContain('要らなくなった')
  })
})

it('76 answers 503 for a damaged index, and works again with a good one', async () => {
  const faults: unknown[] = []
  const damaged = join(build.root, 'damaged.db')
  await writeFile(damaged, 'not an index')
  const index = served?.search('/') ?? expect.fail()
  const spoilt = served === null ? null : { ...served, search: () => ({ ...index, file: damaged }) }
  const fresh = createSearchRunner()
  const broken = createSearchRoutes({
    ...withDefaults,
    searches: createFairSearches(fresh),
  })
  const boundary = createBoundary((request) => askRoute(broken, new Request(request.url), spoilt), {
    https: true,
    newRequestId: () => '1',
    elapsed: () => 0,
    observe: ({ fault }) => faults.push(fault),
  })
  for (const _again of [1, 2]) {
    const request = new Request('https://portal.test/__gate/search?q=a')
    const response = await boundary(request, { clientAddress: '' })
    expect([response.status, (await readObject(response)).code]).toEqual([503, 'search_unavailable'])
  }
  expect(faults.map(String).join()).toContain('ERR_INDEX_MISMATCH')
  expect((await ask('?q=a')).status).toBe(200)
  await fresh.close()
})

it('searches an edition whose pages are in a file that it shares, and does not once this is another file', async () => {
  const { builds, part } = await createSearchableEditions()
  const [own] = builds
  onTestFinished(async () => {
    for (const one of builds) await one[Symbol.asyncDispose]()
  })
  const releases = await openReleases({ releasesDir: own?.releasesDir ?? '' })
  const find = async () => {
    const fresh = createSearchRunner()
    onTestFinished(() => fresh.close())
    const routes = createSearchRoutes({ ...withDefaults, searches: createFairSearches(fresh) })
    nowMs += 60_000
    const query = new URLSearchParams({ q: '手形' })
    const request = new Request(`https://portal.test/__gate/search?${query}`)
    return askRoute(routes, request, (await releases.editions()).at(-1) ?? null)
  }
  expect(await (await find()).text()).toContain('まず手形を見せる')
  await writeFile(part, 'not the pages')
  await expect(find()).rejects.toThrow('ERR_INDEX_MISMATCH')
})
