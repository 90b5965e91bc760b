import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveAgents } from '../../testing/test-agents.ts'
import { createSearchableBuild } from '../../testing/test-search.ts'

let cleanup: AsyncDisposableStack
let url: URL

beforeAll(async () => {
  cleanup = new AsyncDisposableStack()
  const build = cleanup.use(await createSearchableBuild())
  url = cleanup.use(await serveAgents(build.releasesDir)).url
}, 60_000)
afterAll(() => cleanup.disposeAsync())

describe('the official client', () => {
  it.each([
    ['of the stateless era', { mode: { pin: '2026-07-28' } }],
    ['of the era before', { mode: 'legacy' }],
    ['that finds out', { mode: 'auto' }],
  ] as const)('%s connects, lists, searches and fetches', async (_what, versionNegotiation) => {
    const client = new Client({ name: 'judge', version: '1' }, { versionNegotiation })
    await client.connect(new StreamableHTTPClientTransport(url))
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['search', 'fetch', 'list', 'feedback'])
    const found = await client.callTool({ name: 'search', arguments: { query: '手形' } })
    expect(found.structuredContent).toMatchObject({ results: [{ id: '/docs/guide#手形' }] })
    const page = await client.callTool({ name: 'fetch', arguments: { id: '/docs/guide' } })
    expect(page.structuredContent).toMatchObject({ id: '/docs/guide', title: '手引き' })
    await client.close()
  })
})

/** The suite's own program. */
const SUITE = createRequire(import.meta.url)
  .resolve('@modelcontextprotocol/conformance/package.json')
  .replace(/package\.json$/, 'dist/index.js')

/** What is asked of prompts, resources and the suite's own diagnostic tools, of which this server says that it has none. */
const OF_WHAT_IS_NOT_HERE: Readonly<Record<string, readonly string[]>> = {
  caching: [
    'sep-2549-prompts-list-caching-hints',
    'sep-2549-resources-list-caching-hints',
    'sep-2549-resources-templates-list-caching-hints',
  ],
  'server-stateless': [
    'sep-2575-server-rejects-undeclared-capability',
    'sep-2575-missing-capability-http-400',
    'sep-2575-http-server-no-independent-requests-on-stream',
    'sep-2575-server-no-log-without-loglevel',
  ],
}

describe('the conformance suite', () => {
  it.each([
    ...['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection', 'http-header-validation'],
    ...Object.keys(OF_WHAT_IS_NOT_HERE),
  ])(
    'finds nothing in %s',
    async (scenario) => {
      const folder = await mkdtemp(join(tmpdir(), 'sekisho-conformance-'))
      const args = [SUITE, 'server', '--url', url.href, '--scenario', scenario, '-o', folder]
      await promisify(execFile)(process.execPath, args).catch(() => {}) // what failed is in the folder
      const [result = ''] = await readdir(folder)
      const checks: readonly { id: string; status: string }[] = JSON.parse(
        readFileSync(join(folder, result, 'checks.json'), 'utf8'),
      )
      await rm(folder, { recursive: true })
      const idsOf = (status: string) => checks.filter((check) => check.status === status).map(({ id }) => id)
      expect(idsOf('SUCCESS').length).toBeGreaterThan(1)
      expect(idsOf('FAILURE')).toEqual(OF_WHAT_IS_NOT_HERE[scenario] ?? [])
    },
    60_000,
  )
})
