import { AGENT_ROUTES, ROUTES, type Route } from '@sekisho/contract/routes'
import { packRelease } from '@sekisho/release/packing'
import { createTestBuild, pageHtml, SITE } from '@sekisho/release/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { readPolicy } from './access/policy.ts'
import { createAgentRoutes } from './agents/mcp/mcp.ts'
import { createFairSearches } from './endpoints/search/fair-searches.ts'
import { createSearchRoutes } from './endpoints/search/search-api.ts'
import { createSearchRunner } from './endpoints/search/search-runner.ts'
import { jsonResponse } from './kernel/pages/problem.ts'
import type { Reader } from './kernel/reader.ts'
import { readerRoute } from './kernel/route-table.ts'
import { openReleases } from './releases/open-releases.ts'
import { cookieHeaderOf, createTestGate, ORIGIN } from './testing/test-gate.ts'
import { createSearchableBuild, writeGuideIndex } from './testing/test-search.ts'

const cleanup = new AsyncDisposableStack()
afterAll(() => cleanup.disposeAsync())

/** A gate whose searches take so long that a release is published meanwhile. */
async function createSlowPortal() {
  const build = cleanup.use(await createSearchableBuild())
  const releases = await openReleases({ releasesDir: build.releasesDir })
  const runner = cleanup.adopt(createSearchRunner(), (started) => started.close())
  const fair = createFairSearches(runner)
  let publications = 0
  const slow: typeof fair = {
    async run(account, job) {
      publications += 1
      await build.write('docs/guide/index.html', pageHtml(`改訂${publications}`))
      await writeGuideIndex(build, `改訂${publications}では手形は要らない。`)
      const clock = () => Date.now() + publications * 60_000
      await packRelease({ buildDir: build.buildDir, dataDir: build.dataDir, clock })
      await releases.refresh()
      return fair.run(account, job)
    },
  }
  const feedbackLog = { keeps: false, write: () => 0, flush: async () => {} }
  const queryLog = { searched() {}, opened() {}, flush: async () => {} }
  const unrecorded = { recordReading: () => null }
  const shared = { origin: ORIGIN, searches: slow, now: Date.now, timeZone: 'Asia/Tokyo' }
  const lines: (string | null)[] = []
  const audit = {
    ...unrecorded,
    recordReading: ({ release }: { release: string | null }) => {
      lines.push(release)
      return null
    },
  }
  const endpoints = [
    createSearchRoutes({ ...shared, log: queryLog, audit }),
    createAgentRoutes({ ...shared, feedbackLog, queryLog, audit, digest: (text) => text }),
  ]
  const portal = cleanup.use(await createTestGate({ releases, endpoints }))
  const servedNow = async () => (await releases.editions())[0]?.servedAs
  return { portal, lines, servedNow }
}

describe('a request during which a release is published', () => {
  it('is a search that sees one release: results, headers and the line in the trail', async () => {
    const { portal, lines, servedNow } = await createSlowPortal()
    const headers = { Cookie: await portal.signIn() }
    const before = await servedNow()
    const response = await portal.ask(`${ROUTES.search.path}?q=${encodeURIComponent('手形')}`, { headers })
    const text = await response.text()
    expect(await servedNow()).not.toBe(before)
    expect(text).toContain('まず手形を見せる')
    expect(text).not.toContain('改訂')
    expect(response.headers.get('server-timing')).toContain(before)
    expect(lines).toEqual([before])
  })

  it('is an agent’s call that sees one release: index, text of pages and the line in the trail', async () => {
    const { portal, lines, servedNow } = await createSlowPortal()
    const headers = { Authorization: await portal.signInAgent(), 'Content-Type': 'application/json' }
    const params = { name: 'search', arguments: { query: '手引き' } }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const before = await servedNow()
    const response = await portal.ask(AGENT_ROUTES.mcp.path, { method: 'POST', headers, body })
    const text = await response.text()
    expect(await servedNow()).not.toBe(before)
    expect(text).toContain('/docs/guide')
    expect(text).not.toContain('改訂')
    expect(lines).toEqual([before])
  })
})

/** Everything that a handler can reach from the reader without calling anything. */
function reachable(value: unknown, seen = new Set<unknown>()): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || seen.has(value)) return []
  seen.add(value)
  const parts =
    value instanceof Map
      ? [...value].flat()
      : value instanceof Set
        ? [...value]
        : Object.entries(value).flat()
  return parts.flatMap((part) => reachable(part, seen))
}

describe('an endpoint that never mentions access', () => {
  const SECRET = { path: '/docs/duty', file: 'docs/duty/index.html', title: '夜間の当番表' }
  const ROUTE = {
    path: '/__gate/test',
    methods: ['GET'],
    access: 'reader',
    maxBodyBytes: 0,
  } as const satisfies Route

  /** It hands out whatever the gate gave it. */
  async function everythingOf({ served, viewingAs }: Reader) {
    const pages = await Promise.all([SECRET.path, '/docs/guide'].map((path) => served?.markdown(path)))
    const request = new Request(ORIGIN.origin + SECRET.path)
    const responded = await served?.respond(request, SECRET.path, 'all')
    return { pages, status: responded?.response.status, found: reachable(served), viewingAs }
  }

  it('can give a reader nothing but their own edition, whatever they ask with', async () => {
    const [ops, all] = [cleanup.use(await createTestBuild()), cleanup.use(await createTestBuild())]
    await ops.writeSite({ pages: [...SITE.pages, SECRET], redirects: [] })
    await ops.write(SECRET.file, pageHtml(SECRET.title))
    const editions = [
      { name: 'operators', audiences: ['operators'], buildDir: ops.buildDir },
      { name: 'everyone', audiences: [], buildDir: all.buildDir },
    ]
    await packRelease({ editions, dataDir: ops.dataDir, clock: () => Date.UTC(2026, 10, 21) })
    const releases = await openReleases({ releasesDir: ops.releasesDir })
    const GET = async (_request: unknown, reader: Reader) => jsonResponse(await everythingOf(reader))
    const portal = cleanup.use(
      await createTestGate({ releases, endpoints: [new Map([readerRoute(ROUTE, { GET })])] }),
    )
    portal.state.policy = readPolicy(['example.co.jp'], [], { operators: ['op@example.co.jp'] }, [
      'operators',
    ]).policy
    const operator = await portal.signIn({ sub: 'op', email: 'op@example.co.jp', jti: 'op' })
    const reader = await portal.signIn({ sub: 'other', email: 'other@example.co.jp', jti: 'other' })

    const ask = async (Cookie: string, query = '', headers: Record<string, string> = {}) =>
      (await portal.ask(ROUTE.path + query, { headers: { Cookie, ...headers } })).text()
    const own = await ask(operator)
    expect(JSON.parse(own)).toMatchObject({ status: 200 })
    expect(own).toContain(SECRET.title)

    const begun = await portal.ask(ROUTES.viewAs.path, {
      method: 'POST',
      headers: {
        Cookie: operator,
        Origin: ORIGIN.origin,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: 'action=begin&edition=everyone',
    })
    const viewing = cookieHeaderOf(begun)
    const asOthers = await ask(`${operator}; ${viewing}`)
    expect(JSON.parse(asOthers)).toMatchObject({ status: 404, viewingAs: 'everyone' })

    const others = await Promise.all([
      ask(reader),
      ask(reader, '?edition=operators'),
      ask(reader, '', { 'X-Forwarded-Groups': 'operators', 'X-Edition': 'operators' }),
      ask(`${reader}; ${viewing}`),
      ask(reader, '', {
        Authorization: await portal.signInAgent({ sub: 'op', email: 'op@example.co.jp', jti: 'agent' }),
      }),
    ])
    for (const text of [asOthers, ...others]) {
      expect(text).toContain('/docs/guide')
      for (const hidden of [SECRET.title, SECRET.path, 'operators']) expect(text).not.toContain(hidden)
    }
  })
})
