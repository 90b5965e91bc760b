import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { zstdDecompressSync } from 'node:zlib'
import { packRelease } from '@sekisho/release/packing'
import { dataFolderAt, makeDataFolder } from '@sekisho/server/data-folder'
import { createGrants } from '@sekisho/server/grants'
import { createSeal, createSessions, sessionKeyOf } from '@sekisho/server/sessions'
import { openSqliteSessions } from '@sekisho/server/sqlite-sessions'
import { HOUR_LIMITS, PLAIN } from '@sekisho/server/state/testing'
import { prepareFolder } from '../../packages/sekisho/src/authoring/static-site/prepare-folder.ts'
import { CONTEXT, HOST, SECRET, startServingGate } from '../../packages/sekisho/test/support/serving-gate.ts'
import { type CorpusPage, writeCorpus } from './corpus-site.ts'

const USAGE =
  'npm run agents:cost -- --corpus FILE.jsonl.zst --queries FILE.json --work FOLDER [--pages 10000]\n\nWhat agents cost a gate; FOLDER keeps the packed pages for the next run. Linux only, for its /proc.'
const { values } = parseArgs({
  options: {
    corpus: { type: 'string', default: '' },
    queries: { type: 'string', default: '' },
    work: { type: 'string', default: '' },
    pages: { type: 'string', default: '10000' },
  },
})
const ISSUER = `https://securetoken.google.com/${CONTEXT.projectId}`
/** Each of them has so many calls at once. */
const READERS = 60
const CALLS = 1_500
const ROUNDS = 3
/** Pages that are at the path of their file, in one spelling. */
const PLAIN_PATH = /^[\w/-]+(?<!\bindex)$/

async function measure(): Promise<void> {
  const pages = readPages()
  const dataDir = await packOnce(pages)
  const queries: readonly { readonly q: string }[] = JSON.parse(readFileSync(values.queries, 'utf8'))
  const work = {
    ids: pages.filter(({ id }) => PLAIN_PATH.test(id)).map(({ id }) => `/${id}.html`),
    queries: queries.map(({ q }) => q),
  }
  console.log(`load average ${loadavg()[0]?.toFixed(1)}`)
  for (let round = 0; round < ROUNDS; round += 1)
    for (const isOn of [false, true]) console.log(JSON.stringify(await serveOnce(dataDir, isOn, work)))
  console.log(`load average ${loadavg()[0]?.toFixed(1)}`)
}

function readPages(): readonly CorpusPage[] {
  const text = zstdDecompressSync(readFileSync(values.corpus)).toString()
  return text
    .trim()
    .split('\n')
    .map((line): CorpusPage => JSON.parse(line))
}

async function packOnce(pages: readonly CorpusPage[]): Promise<string> {
  const [buildDir, dataDir] = [join(values.work, 'build'), join(values.work, 'data')]
  if (existsSync(join(dataDir, 'releases', 'current'))) return dataDir
  await writeCorpus(pages, Number(values.pages), buildDir)
  const cacheDir = join(values.work, 'cache')
  await prepareFolder(buildDir, { baseUrl: '/' }, { cacheDir, vocabulary: { words: [], synonyms: [] } })
  await packRelease({ buildDir, dataDir, clock: Date.now })
  return dataDir
}

/** Readers search and read, then do so again; with agents in use, it is they who do the second half. */
async function serveOnce(
  dataDir: string,
  hasAgents: boolean,
  { ids, queries }: { readonly ids: readonly string[]; readonly queries: readonly string[] },
) {
  const readers = await signIn(dataDir)
  await using gate = await startServingGate({
    dataDir,
    env: { SEKISHO_AGENTS: hasAgents ? 'on' : 'off' },
  })
  const pid = gate.child.pid ?? 0
  const ask = askAt(gate.port)
  const startMb = residentMb(pid)
  const idAt = (n: number) => ids[(n * 7) % ids.length] ?? ''
  const queryAt = (n: number) => queries[n % queries.length] ?? ''
  const read = async () => {
    for (let n = 0; n < CALLS; n += 1) {
      const { cookie } = readers[n % READERS] ?? raise()
      await ask('GET', encodeURI(idAt(n)), { Cookie: cookie })
      await ask('GET', `/__gate/search?${new URLSearchParams({ q: queryAt(n) })}`, { Cookie: cookie })
    }
  }
  await read()
  const readersMb = residentMb(pid)
  const call = (n: number, name: string, args: object) =>
    ask(
      'POST',
      '/mcp',
      {
        Authorization: (readers[n % READERS] ?? raise()).bearer,
        'Content-Type': 'application/json',
      },
      { jsonrpc: '2.0', id: n, method: 'tools/call', params: { name, arguments: args } },
    )
  const timed = async (name: string, argsAt: (n: number) => object) => {
    const [clock, processor] = [[] as number[], [] as number[]]
    for (let n = 0; n < CALLS; n += 1) {
      const [startedMs, beforeMs] = [performance.now(), processorMs(pid)]
      await call(n, name, argsAt(n))
      clock.push(performance.now() - startedMs)
      processor.push(processorMs(pid) - beforeMs)
    }
    return { clock: describeTimes(clock), processor: describeTimes(processor) }
  }
  const load = Number(loadavg()[0]?.toFixed(1))
  if (!hasAgents) {
    await read()
    return { agents: 'off', load, startMb, readersMb, twiceMb: residentMb(pid) }
  }
  const search = await timed('search', (n) => ({ query: queryAt(n) }))
  const fetch = await timed('fetch', (n) => ({ id: idAt(n) }))
  return { agents: 'on', load, startMb, readersMb, twiceMb: residentMb(pid), search, fetch }
}

/** Milliseconds. */
function describeTimes(times: number[]) {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) => Number(sorted[Math.floor(sorted.length * share)]?.toFixed(1))
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99) }
}

async function signIn(dataDir: string) {
  const folder = dataFolderAt(dataDir)
  for (const file of [folder.sessions, `${folder.sessions}-wal`, `${folder.sessions}-shm`])
    rmSync(file, { force: true })
  makeDataFolder(folder)
  const store = openSqliteSessions(folder.sessions, { context: { issuer: ISSUER, ...CONTEXT } })
  const seal = createSeal(SECRET)
  const sessions = createSessions({ store, seal, limits: HOUR_LIMITS, now: Date.now })
  const grants = createGrants({ store: store.grants, seal, now: Date.now })
  const made: { readonly cookie: string; readonly bearer: string }[] = []
  for (let n = 0; n < READERS; n += 1) {
    const identity = { ...PLAIN, issuer: ISSUER, sub: `r${n}`, email: `r${n}@example.co.jp`, name: null }
    const spent = { digest: randomBytes(9).toString('hex'), expiresAtMs: Date.now() }
    const started = await sessions.start({ identity, refreshToken: 'r', spent, device: '', address: '' })
    const offline =
      started.kind === 'started' ? await sessions.createOfflineSession(sessionKeyOf(started.token)) : raise()
    if (offline.kind !== 'offline' || offline.renewed === null) raise()
    const who = { session: offline.key, account: identity, client: 'c', name: 'Agent' }
    const begun = await grants.begin({ ...who, binding: '' })
    const issued = await grants.redeem(begun?.code ?? '', () => true)
    if (issued.kind !== 'issued') raise()
    made.push({
      cookie: `__Host-sekisho=${offline.renewed.token}`,
      bearer: `Bearer ${issued.access}`,
    })
  }
  await store.close()
  return made
}

function askAt(port: number) {
  return (method: string, path: string, headers: Readonly<Record<string, string>>, body?: object) =>
    new Promise<void>((resolve, reject) => {
      const text = body === undefined ? '' : JSON.stringify(body)
      const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(text)) }
      const sent = request(
        { host: '127.0.0.1', port, method, path, headers: { Host: HOST, ...headers, ...length } },
        (response) => {
          if (response.statusCode !== 200) reject(new Error(`${path} is answered ${response.statusCode}`))
          response.resume().once('end', resolve)
        },
      )
      sent.once('error', reject).end(text)
    })
}

const residentMb = (pid: number): number =>
  Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024)

/** Processor time of all threads of a process, in nanosecond resolution: the ticks of its own line are ten milliseconds. */
function processorMs(pid: number): number {
  const folder = `/proc/${pid}/task`
  return readdirSync(folder).reduce((sum, thread) => sum + readThreadMs(`${folder}/${thread}/schedstat`), 0)
}

function readThreadMs(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6
  } catch {
    return 0 // it ended in between
  }
}

function raise(): never {
  throw new Error('a reader could not be signed in')
}

if (values.corpus === '' || values.queries === '' || values.work === '') {
  console.error(USAGE)
  process.exitCode = 2
} else await measure()
