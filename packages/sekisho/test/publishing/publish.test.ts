import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isIntact, openReleaseStore, publishRelease, readPointer } from '@sekisho/release'
import { packRelease } from '@sekisho/release/packing'
import { startS3Server } from '@sekisho/release/testing'
import { dataFolderAt } from '@sekisho/server/data-folder'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CommandIo, RunCommand } from '../../src/command.ts'
import { connectPortal } from '../../src/commands/publish/portal-client.ts'
import { previewNameOf, runPublish } from '../../src/commands/publish/publish.ts'
import { sendRelease } from '../../src/commands/publish/send-release.ts'
import { runTokens } from '../../src/commands/publish/tokens.ts'
import { runReleases } from '../../src/commands/releases/releases.ts'
import { writeFixtureSite } from '../support/fixture-site.ts'
import { askHost } from '../support/hand-over.ts'
import { startServingGate } from '../support/serving-gate.ts'

const MINUTE_MS = 60_000
const LARGE_BYTES = 1_800_000

let cleanup: AsyncDisposableStack
let root: string
/** The publisher's own machine. */
let laptop: string
let nowMs: number

beforeEach(async () => {
  cleanup = new AsyncDisposableStack()
  root = await mkdtemp(join(tmpdir(), 'sekisho-publish-'))
  cleanup.defer(() => rm(root, { recursive: true, force: true }))
  laptop = join(root, 'laptop')
  nowMs = Date.UTC(2026, 0, 1)
  await writeFixtureSite(join(root, 'build'))
  await writeFile(join(root, 'build', 'files', 'large.bin'), randomBytes(LARGE_BYTES))
})
afterEach(() => cleanup.disposeAsync())

async function pack(dataDir = laptop): Promise<string> {
  const clock = () => (nowMs += 60_000)
  return (await packRelease({ buildDir: join(root, 'build'), dataDir, clock })).id
}

/** Changes a page; the large file beside it stays. */
async function edit(text: string): Promise<void> {
  await writeFile(
    join(root, 'build', 'docs', 'secret', 'index.html'),
    `<!doctype html><title>${text}</title>${text}`,
  )
}

async function startPortal(env: Readonly<Record<string, string>> = {}) {
  const dataDir = join(root, 'portal')
  const gate = cleanup.use(await startServingGate({ dataDir, isLocal: true, env }))
  return { origin: `http://localhost:${gate.port}`, folder: dataFolderAt(dataDir), dataDir }
}

async function run(command: RunCommand, args: readonly string[], env: CommandIo['env'] = {}) {
  const out: string[] = []
  const err: string[] = []
  const io = { env: { SEKISHO_LANG: 'en', ...env }, cwd: root, clock: Date.now }
  const code = await command(args, {
    ...io,
    print: (line) => out.push(line),
    complain: (line) => err.push(line),
  })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

async function createToken(dataDir: string, ...more: string[]): Promise<string> {
  const args = ['create', '--name', 'laptop', '--expires', '1d', '--data-dir', dataDir, ...more]
  return (await run(runTokens, args)).out.split('\n')[0] ?? ''
}

const publish = (origin: string, token: string, ...more: string[]) =>
  run(runPublish, ['--to', origin, '--data-dir', laptop, ...more], { SEKISHO_PUBLISH_TOKEN: token })

const TOPIC = ['--preview', 'topic', '--branch', 'topic', '--commit', 'abcdef01']

it(
  'publishes to a gate, sends little for an edit, previews for nothing, and rolls back from afar',
  async () => {
    await pack(join(root, 'portal'))
    const { origin, folder, dataDir } = await startPortal()
    const token = await createToken(dataDir)
    await edit('二つ目の版')
    const second = await pack()
    expect(await publish(origin, token)).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining(`${second} is served`),
    })
    expect([await readPointer(folder.releases), await isIntact(folder.releases, second)]).toEqual([
      second,
      true,
    ])

    await edit('三つ目の版')
    const third = await pack()
    const { out } = await publish(origin, token)
    expect(out).not.toContain('every other gate') // there is none
    expect(Number(/sent ([\d.]+) MB/.exec(out)?.[1])).toBeLessThan(0.05)
    expect(await isIntact(folder.releases, third)).toBe(true)

    const preview = await publish(origin, token, ...TOPIC)
    expect(preview.out).toMatch(/is served: http:\/\/topic--portal\.localhost:\d+\n {2}sent 0\.0\d MB/)
    expect(await readPointer(join(dataDir, 'previews', 'topic', 'releases'))).toBe(third)

    const ofBranch = await createToken(dataDir, '--may', 'preview')
    const proven = await publish(origin, ofBranch, '--preview', 'other', ...TOPIC.slice(2))
    expect(proven, 'files are proven, not sent').toMatchObject({
      code: 0,
      out: expect.stringMatching(/sent 0\.0\d MB/),
    })
    expect(await isIntact(join(dataDir, 'previews', 'other', 'releases'), third)).toBe(true)

    const remote = (...args: string[]) =>
      run(runReleases, [...args, '--to', origin], { SEKISHO_PUBLISH_TOKEN: token })
    expect((await remote('list')).out.split('\n')).toEqual([
      expect.stringContaining(`* ${third}`),
      expect.stringContaining(`  ${second}`),
      expect.any(String),
    ])
    expect(await remote('rollback')).toMatchObject({
      code: 0,
      out: `Release ${second} is served instead of ${third}.`,
    })
    expect(await readPointer(folder.releases)).toBe(second)
    const { lines } = folder.audit
    const trail = await Promise.all((await readdir(lines)).map((name) => readFile(join(lines, name), 'utf8')))
    for (const event of ['publisher_admitted', 'release_published', 'release_rolled_back'])
      expect(trail.join('')).toMatch(new RegExp(`"${event}".*"by":"token laptop`))
  },
  2 * MINUTE_MS,
)

it(
  'goes on through lines that break, and sends nothing twice but what was under way',
  async () => {
    await pack(join(root, 'portal'))
    const { origin, folder, dataDir } = await startPortal()
    await edit('途切れながら送る版')
    const id = await pack()
    const token = await createToken(dataDir)
    let asked = 0
    /** Every third answer is lost, and every fifth request never arrives. */
    const broken: typeof fetch = async (...request) => {
      asked += 1
      if (asked % 5 === 0) throw new TypeError('fetch failed')
      const answer = await fetch(...request)
      if (asked % 3 === 0) throw new TypeError('fetch failed')
      return answer
    }
    const target = 'production'
    const portal = await connectPortal({
      origin: new URL(origin),
      credentials: async () => token,
      target,
      fetch: broken,
    })
    await sendRelease(portal, dataFolderAt(laptop).releases, { id })
    expect([await readPointer(folder.releases), await isIntact(folder.releases, id)]).toEqual([id, true])
    expect(portal.sentBytes()).toBeLessThan(3 * LARGE_BYTES)
  },
  2 * MINUTE_MS,
)

it(
  'publishes to a bucket through any of the gates that follow it',
  async () => {
    const server = cleanup.use(await startS3Server())
    const { accessKeyId, secretAccessKey } = server.credentials
    const query = new URLSearchParams({ endpoint: server.endpoint.origin, region: server.region })
    const env = {
      ...{ SEKISHO_RELEASES: `s3://${server.bucket}/p/?${query}` },
      ...{ AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey },
    }
    const bucket = { ...server, prefix: 'p/', credentials: () => server.credentials }
    const store = openReleaseStore({ bucket })
    await pack(join(root, 'first'))
    const { releases: releasesDir } = dataFolderAt(join(root, 'first'))
    const first = (await readPointer(releasesDir)) ?? ''
    await publishRelease({ releasesDir, id: first, from: await store.readPointer() }, store)
    const { origin, dataDir } = await startPortal(env)
    const token = await createToken(dataDir)
    await edit('共有の場所に送る版')
    const id = await pack()
    const { code, err, out } = await publish(origin, token)
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('every other gate looks for it every 1 s')
    expect(Number(/sent ([\d.]+) MB/.exec(out)?.[1])).toBeLessThan(0.05)
    expect((await store.readPointer()).id).toBe(id)
    expect(await readPointer(join(dataDir, 'fetched-releases'))).toBe(id)
    expect(await isIntact(join(dataDir, 'fetched-releases'), id)).toBe(true)
    const [one] = await store.uploads.list()
    expect(one?.name, 'only the manifest waits').toMatch(/\.0$/)
    const preview = await publish(origin, token, ...TOPIC)
    expect(preview).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/sent 0\.0\d MB/) })
    const ofBranch = await createToken(dataDir, '--may', 'preview')
    const proven = await publish(origin, ofBranch, '--preview', 'other', ...TOPIC.slice(2))
    expect(proven).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/sent 0\.0\d MB/) })
    const { port } = new URL(origin)
    const { status } = await askHost(Number(port), `topic--portal.localhost:${port}`)
    expect(status, 'the gate that was asked knows its host at once').toBe(401)
  },
  3 * MINUTE_MS,
)

describe('sekisho tokens', () => {
  it(
    'makes one that counts until it is removed, and shows it once',
    async () => {
      await pack(join(root, 'portal'))
      const { origin, dataDir } = await startPortal()
      await pack()
      const token = await createToken(dataDir, '--may', 'rollback')
      const listed = await run(runTokens, ['list', '--data-dir', dataDir])
      expect(listed.out).toMatch(/^[0-9a-f]{8} {2}laptop {2}rollback {2}until /)
      expect(listed.out).not.toContain(token)
      expect((await publish(origin, token)).err).toContain('may not')
      const id = listed.out.slice(0, 8)
      expect((await run(runTokens, ['remove', id, '--data-dir', dataDir])).code).toBe(0)
      expect((await publish(origin, token)).err).toContain('does not accept these credentials')
      expect((await run(runTokens, ['remove', id, '--data-dir', dataDir])).code).toBe(1)
    },
    2 * MINUTE_MS,
  )

  it.each([
    [['create', '--name', 'x']],
    [['create', '--name', 'x', '--expires', '400d']],
    [['create', '--name', 'x', '--expires', 'never']],
    [['create', '--expires', '1d']],
    [['create', '--name', 'x', '--expires', '1d', '--may', 'everything']],
    [['remove']],
    [['list', '--name', 'x']],
  ])('refuses %j', async (args) => {
    expect((await run(runTokens, [...args, '--data-dir', join(root, 'none')])).code).toBe(2)
  })
})

it.each([
  [['--to', 'http://docs.example.co.jp'], 2, '--to must be an https origin'],
  [['--to', 'https://docs.example.co.jp/docs'], 2, '--to must be an https origin'],
  [['--to', 'https://docs.example.co.jp'], 1, 'there are no credentials'],
])('says what is wrong with %j', async (args, code, said) => {
  await pack()
  const result = await run(runPublish, [...args, '--data-dir', laptop])
  expect([result.code, result.err]).toEqual([code, expect.stringContaining(said)])
})

it.each([
  ['no credentials', ['--to', 'https://docs.example.co.jp']],
  ['a preview of nothing', ['--to', 'https://docs.example.co.jp', '--preview', 'x', '--expires', '0']],
])('a Japanese job reads of %s in Japanese', async (_what, args) => {
  await pack()
  const { code, err } = await run(runPublish, [...args, '--data-dir', laptop], { SEKISHO_LANG: 'ja' })
  expect(code).toBe(1)
  for (const line of err.split('\n')) expect(line).toMatch(/[ぁ-ん].*。 \[publishing\.\w+\]$/)
})

it('calls a preview after its branch, and two branches never alike', () => {
  expect(previewNameOf('topic-1')).toBe('topic-1')
  const odd = ['Topic-1', 'topic/1', 'topic_1', '鍵', 'a', 'x'.repeat(80), 'topic--1', '-', '']
  const names = odd.map(previewNameOf)
  expect(new Set([...names, 'topic-1']).size).toBe(odd.length + 1)
  for (const name of names) expect(name).toMatch(/^(?=.{3,40}$)[a-z0-9]+(?:-[a-z0-9]+)*$/)
})
