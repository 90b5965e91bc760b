import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveAgents } from '../../src/testing/test-agents.ts'
import { createSearchableBuild } from '../../src/testing/test-search.ts'

let cleanup: AsyncDisposableStack
let url: URL

beforeAll(async () => {
  cleanup = new AsyncDisposableStack()
  const build = cleanup.use(await createSearchableBuild())
  url = cleanup.use(await serveAgents(build.releasesDir, { isUnlimited: true })).url
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

/** Messages of the suite on prompts, resources and its own diagnostic tools, which this server declares as absent. */
const OF_WHAT_IS_NOT_HERE =
  /Unknown tool|Method not found|Not testable: server|not found\. Available tools: search, fetch, list, feedback|initial InputRequiredResult|Expected InputRequiredResult/

/** Scenarios that each have to pass whole, by the revision whose requirements they belong to. */
const PASSED: Readonly<Record<string, readonly string[]>> = {
  '2025-11-25': ['dns-rebinding-protection', 'ping', 'server-initialize', 'tools-list'],
  '2026-07-28': ['dns-rebinding-protection', 'http-header-validation', 'tools-list'],
}

interface Check {
  readonly id: string
  readonly status: string
  readonly errorMessage?: string
}

describe('the conformance suite', () => {
  it.each(Object.keys(PASSED))(
    'finds nothing against the requirements of %s, but for what is not here',
    async (revision) => {
      const folder = await mkdtemp(join(tmpdir(), 'sekisho-conformance-'))
      const args = [SUITE, 'server', '--url', url.href, '--requirements', revision, '-o', folder]
      await promisify(execFile)(process.execPath, args, { maxBuffer: 16e6 }).catch(() => {}) // what failed is in the folder
      const scenarios = await readResults(folder)
      await rm(folder, { recursive: true })
      const wrong = [...scenarios].flatMap(([scenario, checks]) =>
        checks
          .filter(
            ({ status, errorMessage = '' }) =>
              status === 'FAILURE' && !OF_WHAT_IS_NOT_HERE.test(errorMessage),
          )
          .map(({ id, errorMessage }) => ({ scenario, id, errorMessage })),
      )
      expect(wrong).toEqual([])
      const passed = [...scenarios].flatMap(([scenario, checks]) =>
        checks.some(({ status }) => status === 'SUCCESS') &&
        checks.every(({ status }) => status !== 'FAILURE')
          ? [scenario]
          : [],
      )
      expect(passed).toEqual(expect.arrayContaining([...(PASSED[revision] ?? [])]))
      const successes = [...scenarios.values()].flat().filter(({ status }) => status === 'SUCCESS')
      expect(successes.length).toBeGreaterThan(30)
    },
    180_000,
  )
})

/** The checks of each scenario, but for those of an extension that is not here (tasks). */
async function readResults(folder: string): Promise<ReadonlyMap<string, readonly Check[]>> {
  const results = new Map<string, readonly Check[]>()
  for (const name of await readdir(folder)) {
    const [, scenario] = /^server-(?!tasks-)(.+)-\d{4}-\d\d-\d\dT/.exec(name) ?? []
    const text = await readFile(join(folder, name, 'checks.json'), 'utf8').catch(() => null)
    if (scenario !== undefined && text !== null) results.set(scenario, JSON.parse(text))
  }
  return results
}
