import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { packRelease } from '@sekisho/release/packing'
import { buildIndex } from '@sekisho/search/indexer'
import { seedSessions } from '@sekisho/server/testing'
import { expect, it } from 'vitest'
import { writeFixtureSite } from '../support/fixture-site.ts'
import { askHost } from '../support/hand-over.ts'
import { CONTEXT, HOST, SECRET, startServingGate } from '../support/serving-gate.ts'

/** An English word whose Japanese ones the search looks through. */
const WORD = 'zebra'
const INNER_NODE = 2

/**
 * Writes an index by the expected schema whose table `gloss` is a tree of a few nodes and some 10^15 ways through it: every branch of a node leads
 * to the same next node. Inspection refuses it, but a release packed here is not inspected.
 */
async function writeSpinningIndex(file: string, cacheDir: string): Promise<void> {
  const page = {
    ...{
      id: '/docs/secret',
      url: '/docs/secret',
      title: '鍵',
      kind: 'docs' as const,
      breadcrumbs: [],
      tags: [],
    },
    ...{
      date: '2026-05-01',
      sections: [{ heading: '鍵', level: 2, anchor: '鍵', text: '鍵を入れ替える。' }],
    },
  }
  await buildIndex({ pages: [page], outFile: file, cacheDir })
  const database = new DatabaseSync(file)
  database.exec('BEGIN')
  const insert = database.prepare(`INSERT INTO gloss VALUES ('${WORD}', ?, 1)`)
  for (let at = 0; at < 40_000; at += 1) insert.run(`${at}`.padStart(60, 'x'))
  database.exec('COMMIT')
  const root = Number(
    database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'gloss'").get()?.rootpage,
  )
  database.close()

  const bytes = await readFile(file)
  const pageBytes = bytes.readUInt16BE(16)
  const startOf = (node: number) => (node - 1) * pageBytes
  /** Position of the numbers of the nodes below a node. */
  const branchesOf = (node: number) => {
    const start = startOf(node)
    const cells = Array.from({ length: bytes.readUInt16BE(start + 3) }, (_, at) =>
      bytes.readUInt16BE(start + 12 + 2 * at),
    )
    return [8, ...cells].map((offset) => start + offset)
  }
  const inner: number[] = []
  let leaf = 0
  for (const waiting = [root]; waiting.length > 0; ) {
    const node = waiting.pop() ?? 0
    if (bytes[startOf(node)] !== INNER_NODE) leaf = node
    else {
      inner.push(node)
      waiting.push(...branchesOf(node).map((at) => bytes.readUInt32BE(at)))
    }
  }
  for (const [at, node] of inner.slice(0, 10).entries())
    for (const branch of branchesOf(node))
      bytes.writeUInt32BE(at === 9 ? leaf : (inner[at + 1] ?? leaf), branch)
  await writeFile(file, bytes)
}

it('SIGTERM ends a whole server while a search spins inside SQLite, and nothing is left of it', async () => {
  await using cleanup = new AsyncDisposableStack()
  const root = await mkdtemp(join(tmpdir(), 'sekisho-spin-'))
  cleanup.defer(() => rm(root, { recursive: true }))
  const [dataDir, buildDir] = [join(root, 'data'), join(root, 'build')]
  await writeFixtureSite(buildDir)
  await mkdir(join(buildDir, '__sekisho'), { recursive: true })
  await writeSpinningIndex(join(buildDir, '__sekisho', 'search.db'), join(root, 'cache'))
  await packRelease({ buildDir, dataDir, clock: Date.now })
  const [token] = await seedSessions(dataDir, SECRET, ['a@example.co.jp'], CONTEXT)
  const gate = cleanup.use(await startServingGate({ dataDir }))
  const ask = (q: string) =>
    askHost(gate.port, HOST, `/__gate/search?q=${encodeURIComponent(q)}`, {
      Cookie: `__Host-sekisho=${token}`,
    })
  expect((await ask('入れ替える')).status).toBe(200)

  const before = await processesBelow(gate.child.pid ?? 0)
  const searching = ask(WORD).then(
    ({ status }) => status,
    () => 'closed',
  )
  await expect.poll(() => busiestMs(before), { timeout: 30_000 }).toBeGreaterThan(500)
  const ended = once(gate.child, 'exit')
  gate.child.kill('SIGTERM')
  expect(await ended, gate.output()).toEqual([0, null])
  expect([503, 'closed']).toContain(await searching)
  expect((await Promise.all([...before.keys()].map(isRunning))).filter(Boolean)).toEqual([])
}, 120_000)

/** Processor time so far of the processes below one, by their ids. */
async function processesBelow(parent: number): Promise<Map<number, number>> {
  const found = new Map<number, number>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = await statOf(Number(name))
    if (stat !== null && stat.parent === parent) {
      found.set(Number(name), stat.ms)
      for (const [pid, ms] of await processesBelow(Number(name))) found.set(pid, ms)
    }
  }
  return found
}

/** The most that one of them has worked since. */
async function busiestMs(before: ReadonlyMap<number, number>): Promise<number> {
  const worked = [...before].map(async ([pid, ms]) => ((await statOf(pid))?.ms ?? ms) - ms)
  return Math.max(...(await Promise.all(worked)))
}

const isRunning = async (pid: number) => (await statOf(pid)) !== null

/** Of `/proc/PID/stat`: the parent, and the processor time at a hundred ticks a second; null for a process that ended. */
async function statOf(pid: number): Promise<{ readonly parent: number; readonly ms: number } | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [state, parent, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return state === undefined || state === '' || state === 'Z'
    ? null
    : { parent: Number(parent), ms: (Number(rest[9]) + Number(rest[10])) * 10 }
}
