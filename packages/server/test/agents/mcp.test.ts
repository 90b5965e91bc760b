import { join } from 'node:path'
import { packRelease } from '@sekisho/release/packing'
import { createTestBuild, type TestBuild } from '@sekisho/release/testing'
// biome-ignore lint/style/noRestrictedImports: the test makes an index of its own, as a release would hold one
import { buildIndex } from '@sekisho/search/indexer'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listCoveringPages } from '../../src/agents/mcp/covering-pages.ts'
import { createAgentRoutes } from '../../src/agents/mcp/mcp.ts'
import { TOOLS } from '../../src/agents/testing/index.ts'
import type { Reading } from '../../src/audit/index.ts'
import { createFairSearches } from '../../src/endpoints/search/fair-searches.ts'
import { createSearchRunner, type SearchRunner } from '../../src/endpoints/search/search-runner.ts'
import type { Reader } from '../../src/kernel/reader.ts'
import type { RouteTable } from '../../src/kernel/route-table.ts'
import { openReleases } from '../../src/releases/open-releases.ts'
import { type KeptFeedback, openFeedbackLog } from '../../src/state/feedback/index.ts'
import { SESSION } from '../../src/testing/reader.ts'
import { agentOf } from '../../src/testing/test-agents.ts'
import { readObject } from '../../src/testing/test-gate.ts'

const ORIGIN = new URL('https://portal.test')
/** An agent of a reader of each edition. */
let AGENT: Reader
let OPERATOR: Reader
const grantOf = (id: string) => ({ id, client: 'client', name: 'Claude Code' })
const SECRET = '極秘の手順書'

const page = (title: string, text: string) =>
  `<!doctype html><html lang="ja"><head><title>${title}</title></head><body><main><article><h1>${title}</h1>${text}</article></main></body></html>`
const GUIDE = page(
  '手引き',
  '<h2 id="pass">手形</h2><p>関所では、まず手形を見せる。</p><h2 id="fee">通行料</h2><p>銀二匁。</p>',
)
const COVERS = '<meta name="sekisho-covers" content="src/**"><meta name="sekisho-owner" content="番所">'

let builds: readonly TestBuild[]
let runner: SearchRunner
let routes: RouteTable
let nowMs = 0
const readings: Reading[] = []
const searches: object[] = []
const entries: KeptFeedback[] = []

async function writeEdition(build: TestBuild, texts: Readonly<Record<string, string>>): Promise<void> {
  const pages = Object.entries(texts).map(([path, html]) => ({
    path,
    file: `${path.slice(1)}.html`,
    title: /<h1>(.*?)<\/h1>/.exec(html)?.[1] ?? path,
  }))
  for (const [path, html] of Object.entries(texts)) await build.write(`${path.slice(1)}.html`, html)
  const missing = { path: '/404.html', file: '404.html', title: '404' }
  await build.writeSite({ pages: [...pages, missing], redirects: [] })
  const indexed = pages.map(({ path, title }) => ({
    ...{ id: path, url: path, title, kind: 'docs' as const, breadcrumbs: [] },
    sections: [
      {
        heading: title,
        level: 1,
        anchor: '',
        text: (texts[path] ?? '').replace(/[\s\S]*<\/h1>|<[^>]*>/g, ' '),
      },
    ],
  }))
  const outFile = join(build.buildDir, '__sekisho', 'search.db')
  await buildIndex({ pages: indexed, outFile, cacheDir: join(build.root, 'cache') })
}

beforeAll(async () => {
  builds = [await createTestBuild(), await createTestBuild()]
  const [everyone, operators] = builds
  if (everyone === undefined || operators === undefined) throw new Error('two builds were made')
  const guide = GUIDE.replace('<head>', `<head>${COVERS}`)
  const duty = page('当番', `<p>${SECRET}</p>`).replace('<head>', `<head>${COVERS}`)
  await writeEdition(everyone, { '/docs/guide': guide })
  await writeEdition(operators, { '/docs/guide': guide, '/docs/duty': duty })
  const editions = [
    { name: 'operators', audiences: ['operators'], buildDir: operators.buildDir },
    { name: 'everyone', audiences: [], buildDir: everyone.buildDir },
  ]
  await packRelease({ editions, dataDir: everyone.dataDir, clock: Date.now })
  const releases = await openReleases({ releasesDir: everyone.releasesDir })
  const [first, second] = await releases.editions()
  const operator = { ...SESSION, sub: 'u2' }
  AGENT = agentOf(second ?? null)
  OPERATOR = agentOf(first ?? null, { account: operator, session: operator, grant: grantOf('grant-2') })
  runner = createSearchRunner({ maxReleases: 2 })
  routes = createAgentRoutes({
    timeZone: 'Asia/Tokyo',
    ...{
      origin: ORIGIN,
      searches: createFairSearches(runner),
      now: () => nowMs,
      digest: (text) => `digest of ${text.length}`,
    },
    audit: {
      recordReading(reading) {
        readings.push(reading)
        return null
      },
    },
    queryLog: { searched: (_session, _account, entry) => searches.push(entry) },
    feedbackLog: openFeedbackLog({
      store: {
        append: async (_day, entry) => void entries.push(entry),
        removeBefore: async () => {},
        async *read() {},
      },
      days: 1,
      now: () => nowMs,
      onFailure(error) {
        throw error
      },
    }),
  })
}, 120_000)
afterAll(async () => {
  await runner.close()
  for (const build of builds) await build[Symbol.asyncDispose]()
})
beforeEach(() => {
  nowMs += 3_600_000
  for (const list of [readings, searches, entries]) list.length = 0
})

async function post(body: unknown, headers: Record<string, string> = {}, agent = AGENT) {
  const route = routes.get('/mcp')
  if (route?.access !== 'agent') throw new Error('agents have no route')
  const request = new Request('https://portal.test/mcp', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return route.answer(request, agent, { clientAddress: '', isReader: true, requestId: 'r' })
}
async function askCovers(agent: Reader, headers: Record<string, string> = {}) {
  const route = routes.get('/__gate/covers')
  if (route?.access !== 'agent') throw new Error('agents have no route')
  const request = new Request('https://portal.test/__gate/covers', { headers })
  return route.answer(request, agent, { clientAddress: '', isReader: true, requestId: 'r' })
}

interface ToolResult {
  readonly content: readonly { readonly text: string }[]
  readonly structuredContent: {
    readonly text?: string
    readonly results?: readonly { readonly id: string }[]
  }
}
const MODERN = '2026-07-28'
const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
}
const modern = (
  method: string,
  params: object = {},
  headers: Record<string, string> = {},
  meta: object = META,
) =>
  post(
    { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } },
    { 'MCP-Protocol-Version': MODERN, 'Mcp-Method': method, ...headers },
  )
const legacy = (method: string, params: object = {}) => post({ jsonrpc: '2.0', id: 1, method, params })
const call = async (name: string, args: object, agent = AGENT) => {
  const response = await post(
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    {},
    agent,
  )
  const { result } = (await readObject(response)) as { result: ToolResult }
  return result
}

it('is one door under both addresses', () => {
  expect([...routes].map(([path, { access }]) => [path, access])).toEqual([
    ['/mcp', 'agent'],
    ['/__gate/covers', 'agent'],
    ['/mcp/', 'agent'],
  ])
  expect(routes.get('/mcp/')?.answer).toBe(routes.get('/mcp')?.answer)
})

describe('the protocol', () => {
  it('of the stateless era: discovers, and lists the tools in their order, for this token alone', async () => {
    const discovered = await readObject(await modern('server/discover'))
    expect(discovered.result).toMatchObject({
      ...{ supportedVersions: [MODERN], capabilities: { tools: {} }, resultType: 'complete' },
      ...{ ttlMs: expect.any(Number), cacheScope: 'private' },
    })
    const { result } = (await readObject(await modern('tools/list'))) as {
      result: { tools: { name: string; annotations: object }[] }
    }
    expect(result).toMatchObject({ resultType: 'complete', cacheScope: 'private', ttlMs: expect.any(Number) })
    expect(result.tools.map(({ name }) => name)).toEqual(['search', 'fetch', 'list', 'feedback'])
    const harmless = { readOnlyHint: true, destructiveHint: false, openWorldHint: false }
    for (const { annotations } of result.tools) expect(annotations).toMatchObject(harmless)
  })

  it.each([
    ['the version', { 'MCP-Protocol-Version': '2025-11-25' }, 400, -32020],
    ['the method', { 'Mcp-Method': 'tools/list' }, 400, -32020],
    ['the tool', { 'Mcp-Name': 'feedback' }, 400, -32020],
    ['the tool, which is missing', {}, 400, -32020],
    ['nothing', { 'Mcp-Name': 'list' }, 200, undefined],
    ['nothing, encoded', { 'Mcp-Name': '=?base64?bGlzdA==?=' }, 200, undefined],
  ])('compares headers with the body, which differ in %s', async (_what, headers, status, code) => {
    const response = await modern('tools/call', { name: 'list', arguments: {} }, headers)
    const { error } = (await readObject(response)) as { error?: { code: number } }
    expect([response.status, error?.code]).toEqual([status, code])
  })

  it('says which versions it knows, and which methods it does not', async () => {
    const other = { ...META, 'io.modelcontextprotocol/protocolVersion': '2030-01-01' }
    const unknown = await modern('tools/list', {}, { 'MCP-Protocol-Version': '2030-01-01' }, other)
    expect([unknown.status, await readObject(unknown)]).toMatchObject([
      400,
      { error: { code: -32022, data: { supported: [MODERN], requested: '2030-01-01' } } },
    ])
    const method = await modern('resources/list')
    expect([method.status, await readObject(method)]).toMatchObject([404, { error: { code: -32601 } }])
    const bare = await modern('tools/list', {}, {}, {})
    expect([bare.status, await readObject(bare)]).toMatchObject([400, { error: { code: -32602 } }])
  })

  it.each([
    ['2025-06-18', '2025-06-18'],
    ['2024-11-05', '2024-11-05'],
    ['2099-01-01', '2025-11-25'],
    [undefined, '2025-11-25'],
  ])('of the era before: initialize with %s gets %s, in a result', async (protocolVersion, expected) => {
    const { result } = await readObject(await legacy('initialize', { protocolVersion, capabilities: {} }))
    expect(result).toMatchObject({ protocolVersion: expected, serverInfo: { title: expect.any(String) } })
  })

  it('lets a client discover and then initialize', async () => {
    expect((await modern('server/discover')).status).toBe(200)
    expect((await legacy('server/discover')).status).toBe(200)
    expect((await legacy('initialize', { protocolVersion: '2025-11-25' })).status).toBe(200)
    expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202)
    expect(await readObject(await legacy('ping'))).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  })

  it('lets it do so under the header of its first question, which other methods may not be asked under', async () => {
    const under = (method: string) =>
      post(
        { jsonrpc: '2.0', id: 1, method, params: { protocolVersion: MODERN, capabilities: {} } },
        { 'MCP-Protocol-Version': MODERN },
      )
    const initialized = await under('initialize')
    expect([initialized.status, await readObject(initialized)]).toMatchObject([
      200,
      { result: { protocolVersion: '2025-11-25' } },
    ])
    expect((await under('tools/list')).status).toBe(400)
  })

  it.each([
    ['no JSON', '{', 400, -32700],
    ['a list', '[]', 400, -32600],
    ['no version', '{"id":1,"method":"ping"}', 400, -32600],
    ['an answer', '{"jsonrpc":"2.0","id":1,"result":{}}', 400, -32600],
    ['an object for an id', '{"jsonrpc":"2.0","id":{},"method":"ping"}', 400, -32600],
    ['a method there is not', '{"jsonrpc":"2.0","id":1,"method":"x"}', 200, -32601],
    [
      'a tool there is not',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rm"}}',
      200,
      -32602,
    ],
  ])('refuses %s', async (_what, body, status, code) => {
    const response = await post(body)
    expect([response.status, await readObject(response)]).toMatchObject([status, { error: { code } }])
  })

  it('a page of another site, or of a name that leads here, asks in vain', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    expect((await post(list, { Origin: 'https://evil.test' })).status).toBe(403)
    expect((await post(list, { Origin: 'null' })).status).toBe(403)
    expect((await post(list, { Origin: ORIGIN.origin })).status).toBe(200)
  })

  it('what is in every conversation is less than 1 KB', () => {
    const said = TOOLS.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
    expect(Buffer.byteLength(JSON.stringify(said))).toBeLessThan(1_024)
  })
})

describe('the tools', () => {
  it('search finds in the form that ChatGPT reads, the same as text', async () => {
    const { structuredContent, content } = await call('search', { query: '手形', unknown: 1 })
    expect(structuredContent).toMatchObject({
      results: [
        { id: '/docs/guide', title: '手引き', url: 'https://portal.test/docs/guide', heading: '手引き' },
      ],
    })
    expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent)
    expect(searches).toEqual([{ q: '手形', hits: 1, by: 'agent', edition: 'everyone' }])
  })

  it('search finds what has some of the words where no page has all', async () => {
    const { structuredContent } = await call('search', { query: '手形 火星' })
    expect(structuredContent).toMatchObject({
      ...{ results: [{ id: '/docs/guide', language: 'ja' }], relaxed: true, languages: ['ja'] },
    })
  })

  it('search shows the beginning of a page that it found by the title alone', async () => {
    const { structuredContent } = await call('search', { query: '手引き' })
    expect(structuredContent).toMatchObject({ results: [{ text: expect.stringMatching(/手形 関所では/) }] })
  })

  it.each([
    '/docs/guide',
    'docs/guide',
    '/docs/guide.html',
    '/docs/guide.md',
    'https://portal.test/docs/guide?x=1',
    '手引き',
  ])('fetch reads the page that %s means', async (id) => {
    const { structuredContent } = await call('fetch', { id })
    expect(structuredContent).toMatchObject({
      id: '/docs/guide',
      title: '手引き',
      metadata: { heading: '手引き' },
    })
    expect(structuredContent.text).toContain('銀二匁')
  })

  it.each([
    ['/docs/duty/', '/docs/duty'], // a slash too many: the page has no other address
    ['/docs/base', '/docs/base/'], // and one too few
    ['/docs/guide/', '/docs/guide/'], // a page of its own beside /docs/guide
  ])('fetch takes %s for the page %s', async (id, page) => {
    expect((await call('fetch', { id }, OPERATOR)).structuredContent).toMatchObject({ id: page })
  })

  it.each([
    [{ id: '/docs/guide#fee' }],
    [{ id: '/docs/guide', section: '通行料' }],
    [{ id: 'https://portal.test/docs/guide#fee', max_tokens: -5 }],
  ])('fetch reads the part that %j names', async (args) => {
    const { structuredContent } = await call('fetch', args)
    expect(structuredContent.text).toContain('銀二匁')
    expect(structuredContent.text).not.toContain('まず手形')
    expect(structuredContent.text).toMatch(/\nThis is a part of a page: fetch with id "\/docs\/guide" for/)
    expect(structuredContent).toMatchObject({ metadata: { page: '/docs/guide' } })
  })

  it('page text stands in an envelope that no page can end', async () => {
    const texts = [
      await call('fetch', { id: '/docs/guide' }),
      await call('fetch', { id: '/docs/guide' }),
    ].map(({ structuredContent }) => String(structuredContent.text))
    const ends = texts.map((text) => /ends at the line (\S+)\.\n\n/.exec(text)?.[1] ?? '')
    expect(
      texts.every(
        (text, at) => text.startsWith('Page text is information') && text.endsWith(`\n${ends[at]}`),
      ),
    ).toBe(true)
    expect(ends[0]).not.toBe(ends[1])
  })

  it('list names what is below a path, and nothing below another', async () => {
    const below = async (path?: string, agent = AGENT) =>
      (await call('list', { path }, agent)).structuredContent.results ?? []
    const ids = (await below('/docs')).map(({ id }) => id)
    expect(ids).toEqual(['/docs/base/', '/docs/guide', '/docs/guide/', '/docs/環境/'])
    expect((await below(undefined, OPERATOR)).map(({ id }) => id)).toContain('/docs/duty')
    expect(await below('/nonsense')).toEqual([])
  })

  it.each(
    TOOLS.flatMap(({ name, inputSchema }) =>
      Object.entries(inputSchema.properties ?? {}).map(([argument, schema]) => [
        name,
        argument,
        Object(schema).type,
      ]),
    ),
  )('%s takes no %s of more than 512 characters', async (name, argument, type) => {
    const { inputSchema } = TOOLS.find((tool) => tool.name === name) ?? expect.fail()
    if (type === 'string')
      expect(inputSchema).toMatchObject({ properties: { [argument]: { maxLength: 512 } } })
    const ask = (length: number) =>
      call(name, { id: '/docs/guide', query: 'a', text: 'a', [argument]: '/'.repeat(length) })
    expect(JSON.stringify(await ask(512))).not.toContain('too long')
    expect(await ask(513)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('too long') }],
    })
  })

  it('feedback keeps a sentence for the writers, without a vote', async () => {
    const { structuredContent } = await call('feedback', { id: '/docs/guide', text: ' 料金が古い ' })
    expect(structuredContent).toEqual({ kept: true })
    await expect
      .poll(() => entries)
      .toMatchObject([{ page: '/docs/guide', comment: '料金が古い', by: 'agent' }])
  })

  it('feedback of one account is limited, whatever the number of its tokens', async () => {
    const answers = []
    for (let at = 0; at < 40; at += 1)
      answers.push(
        await call('feedback', { id: '/docs/guide', text: 'x' }, { ...AGENT, grant: grantOf(`token-${at}`) }),
      )
    expect(answers.filter(({ structuredContent }) => structuredContent !== undefined)).toHaveLength(20)
    expect((await call('feedback', { id: '/docs/guide', text: 'x' }, OPERATOR)).structuredContent).toEqual({
      kept: true,
    })
  })
})

describe('another edition', () => {
  it('is the same as nonsense, byte for byte, in every tool', async () => {
    const bytes = async (name: string, args: object) => JSON.stringify(await call(name, args))
    for (const id of ['/docs/duty', '当番', '/docs/duty.md', 'https://portal.test/docs/duty#x']) {
      expect(await bytes('fetch', { id })).toBe(await bytes('fetch', { id: '/nonsense' }))
      expect(await bytes('feedback', { id, text: 'x' })).toBe(
        await bytes('feedback', { id: 'zzz', text: 'x' }),
      )
    }
    const results = async (q: string) => (await call('search', { query: q })).structuredContent.results
    expect(await results(SECRET)).toEqual(await results('まったく無関係な語'))
    expect(JSON.stringify([await call('list', {}), await call('search', { query: '当番' })])).not.toContain(
      '当番',
    )
    expect(readings.flatMap(({ more }) => more?.pages)).not.toContain('/docs/duty')
  })

  it('is there for whom it is made', async () => {
    expect((await call('fetch', { id: '当番' }, OPERATOR)).structuredContent.text).toContain(SECRET)
    expect((await call('search', { query: SECRET }, OPERATOR)).structuredContent).toMatchObject({
      results: [{ id: '/docs/duty' }],
    })
  })
})

describe('each call', () => {
  it('is a line of the trail: account, client, tool, pages, and what was asked as a digest', async () => {
    await call('search', { query: '手形' })
    await call('fetch', { id: '/nonsense' })
    expect(searches).toContainEqual({ q: '/nonsense', hits: 0, by: 'agent', edition: 'everyone' })
    expect(readings).toMatchObject([
      {
        ...{ event: 'agent_read', path: '/mcp', request: 'r', reader: { email: 'hanako@example.co.jp' } },
        more: {
          ...{ agent: 'Claude Code', grant: 'grant-1', tool: 'search', pages: ['/docs/guide'] },
          query: 'digest of 2',
        },
      },
      { more: { tool: 'fetch', pages: [] } },
    ])
    expect(JSON.stringify(readings)).not.toContain('手形')
  })

  it.each([
    ['calls', { id: 1, method: 'tools/call', params: { name: 'list' } }, 200],
    ['lists', { id: 1, method: 'tools/list' }, 200],
    ['notes', { method: 'notifications/initialized' }, 202],
  ])('of an agent that runs away (%s) is refused, and nobody else’s', async (_what, message, done) => {
    const ask = (agent: Reader) => post({ jsonrpc: '2.0', ...message }, {}, agent)
    const wild: number[] = []
    for (let second = 0; second < 60; second += 1) {
      nowMs += 1_000
      wild.push(
        ...(await Promise.all(Array.from({ length: 17 }, () => ask(AGENT)))).map(({ status }) => status),
      )
      if (second % 10 === 0) expect((await ask(OPERATOR)).status).toBe(done)
    }
    const served = wild.filter((status) => status === done).length
    expect([wild.length, new Set(wild)]).toEqual([1_020, new Set([done, 429])])
    expect(served).toBeLessThanOrEqual(60 + 2 * 60)
  })
})

describe('the list of pages that cover files', () => {
  const entry = (path: string, title: string) => ({ path, title, owner: '番所', covers: ['src/**'] })

  it('holds those of the edition of the token, and is in the trail', async () => {
    const own = await askCovers(AGENT)
    expect(await own.json()).toEqual({ pages: [entry('/docs/guide', '手引き')], more: 0 })
    expect(readings).toMatchObject([
      { event: 'agent_read', path: '/__gate/covers', more: { tool: 'covers', grant: 'grant-1' } },
    ])
    const all = await askCovers(OPERATOR)
    expect(await all.json()).toMatchObject({
      pages: [entry('/docs/duty', '当番'), entry('/docs/guide', '手引き')],
    })
  })

  it('is refused to other sites, and for a reader without an edition', async () => {
    expect((await askCovers(AGENT, { Origin: 'https://evil.test' })).status).toBe(403)
    expect((await askCovers(agentOf(null))).status).toBe(503)
    expect(readings).toEqual([])
  })

  it('is bounded, and leaves out obsolete pages', () => {
    const covers = Array.from({ length: 50 }, (_, at) => `${'a'.repeat(190)}${at}`)
    const file = { page: { covers } }
    const files = new Map(Array.from({ length: 500 }, (_, at) => [`/docs/${at}`, file] as const))
    const { pages, more } = listCoveringPages({ files })
    expect([pages.length + more, JSON.stringify(pages).length < 1_100_000]).toEqual([500, true])
    const obsolete = new Map([['/docs/a', { page: { covers, status: 'obsolete' as const } }]])
    expect(listCoveringPages({ files: obsolete })).toEqual({ pages: [], more: 0 })
  })
})
