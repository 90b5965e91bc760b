import { hash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { PARTS_TYPE } from '@sekisho/contract/publishing'
import { ROUTES } from '@sekisho/contract/routes'
import { bytesOfPart, PART_BYTES, partCount, writeFrames } from '@sekisho/release'
import { packRelease } from '@sekisho/release/packing'
import { seedSessions } from '@sekisho/server/testing'
import { expect, it } from 'vitest'
import { runTokens } from '../../src/commands/publish/tokens.ts'
import { writeFixtureSite } from '../support/fixture-site.ts'
import { CONTEXT, HOST, SECRET, startServingGate } from '../support/serving-gate.ts'

const READERS = 106
const PLANS = 12
/** As much as a publisher of previews alone may send. */
const MAX_BYTES = 8 * 1024 * 1024

const FILE = {
  ...{ sha256: 'a'.repeat(64), bytes: 9, type: 'text/html; charset=utf-8' },
  ...{ delivery: 'page', cache: 'no-store', encodings: {} },
}
const EDITION = {
  ...{ name: 'all', audiences: [], notFound: '/missing', search: null, redirects: {} },
  files: { '/missing': FILE },
}

/** Entries that fill a manifest. */
const tableOf = (value: unknown, entryBytes: number, count = Math.floor((MAX_BYTES * 0.95) / entryBytes)) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`/n${at.toString(36)}`, value]))

/** The last two are accepted, and planned in turn, so that each is read again. */
const EDITIONS: readonly (readonly object[])[] = [
  [EDITION, { ...EDITION, name: 'b', files: tableOf('x', 13) }],
  [{ ...EDITION, redirects: tableOf('/x', 14) }],
  [{ ...EDITION, redirects: tableOf('/missing', 20) }],
  ['one', 'two'].map((name) => ({
    ...EDITION,
    name,
    files: { ...tableOf(FILE, 0, 4_900), '/missing': FILE },
  })),
  [{ ...EDITION, files: { ...tableOf({ ...FILE, partOf: ['/missing'] }, 0, 9_000), '/missing': FILE } }],
]

interface Sent {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
}

it(
  `${READERS} readers at a time are served while a publisher of previews plans hostile manifests`,
  async () => {
    const root = await mkdtemp(join(tmpdir(), 'sekisho-hostile-'))
    await using cleanup = new AsyncDisposableStack()
    cleanup.defer(() => rm(root, { recursive: true }))
    const dataDir = join(root, 'data')
    await writeFixtureSite(join(root, 'build'))
    await packRelease({ buildDir: join(root, 'build'), dataDir, clock: Date.now })
    const emails = Array.from({ length: READERS }, (_, at) => `r${at}@example.co.jp`)
    const sessions = await seedSessions(dataDir, SECRET, emails, CONTEXT)
    const gate = cleanup.use(await startServingGate({ dataDir }))

    async function ask({ path, method = 'POST', headers = {}, body }: Sent) {
      const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
      const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
      const all = { Host: HOST, ...length, ...headers }
      const sent = request(
        { host: '127.0.0.1', port: gate.port, path, method, headers: all },
        async (answer) => {
          const text = Buffer.concat(await answer.toArray()).toString()
          resolve({ status: answer.statusCode ?? 0, text })
        },
      )
      sent.on('error', reject).end(body)
      return promise
    }

    const printed: string[] = []
    const io = { env: {}, cwd: root, clock: Date.now, complain: () => {} }
    const args = ['create', '--name', 'ci', '--expires', '1d', '--data-dir', dataDir, '--may', 'preview']
    await runTokens(args, { ...io, print: (line) => printed.push(line) })
    const json = (ticket: string) => ({
      Authorization: `Bearer ${ticket}`,
      'Content-Type': 'application/json',
    })
    const target = { preview: 'topic', branch: 'topic', commit: 'abcdef01' }
    const begun = await ask({
      ...{ path: ROUTES.publish.path, headers: json(printed[0]?.split('\n')[0] ?? '') },
      body: JSON.stringify({ target }),
    })
    const { ticket } = JSON.parse(begun.text)

    const plans: string[] = []
    for (const editions of EDITIONS) {
      const site = { title: 'a', tagline: 'b', lang: 'ja' }
      const content = Buffer.from(JSON.stringify({ format: 2, site, editions }))
      const sha256 = hash('sha256', content)
      const bytes = content.length
      for (let part = 0; part < partCount(bytes); part += 1) {
        const payload = content.subarray(part * PART_BYTES, part * PART_BYTES + bytesOfPart(bytes, part))
        const frames = writeFrames([{ sha256, bytes, part, kind: 'part', payload }])
        const headers = { Authorization: `Bearer ${ticket}`, 'Content-Type': PARTS_TYPE }
        const body = zstdCompressSync(frames)
        expect((await ask({ path: ROUTES.publishParts.path, headers, body })).status).toBe(200)
      }
      plans.push(JSON.stringify({ id: `20260101T000000Z-${sha256.slice(0, 8)}`, sha256, bytes }))
    }

    const outcomes: number[] = []
    let isPlanning = true
    const planning = (async () => {
      for (let at = 0; at < PLANS; at += 1) {
        const body = plans[at % plans.length] ?? ''
        outcomes.push((await ask({ path: ROUTES.publishPlan.path, headers: json(ticket), body })).status)
      }
      isPlanning = false
    })()
    const statuses = new Map<number, number>()
    await Promise.all(
      sessions.map(async (token) => {
        while (isPlanning) {
          const headers = { Cookie: `__Host-sekisho=${token}` }
          const { status } = await ask({ path: '/docs/secret', method: 'GET', headers })
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
        }
      }),
    )
    await planning
    expect([...statuses.keys()]).toEqual([200])
    expect(statuses.get(200)).toBeGreaterThanOrEqual(READERS)
    expect([...new Set(outcomes)].sort()).toEqual([200, 422])
  },
  5 * 60_000,
)
