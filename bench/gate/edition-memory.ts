import { rmSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { ROUTES } from '@sekisho/contract/routes'
import {
  type Edition,
  loadManifest,
  readPointer,
  releasesDirOf,
  type SearchIndex,
  type StoredBytes,
} from '@sekisho/release'
import { type GatePeer, HOST, startGate } from './gate-peer.ts'
import { measureStart, read } from './memory.ts'
import { residentMb } from './processes.ts'

const CONNECTIONS = 8
const STARTS = 3
const QUERIES = ['設定', '認証の手順', 'デプロイ', 'エラー']

interface Audiences {
  readonly name: string
  readonly audiences: readonly string[]
}

/** Disk, start and memory of the release that a data folder serves, with a reader of each edition who opens every page of it; Linux only. */
export async function measureEditions(
  dataDir: string,
  editions: readonly Audiences[],
): Promise<Record<string, number>> {
  const releasesDir = releasesDirOf(dataDir)
  const manifest = await loadManifest(releasesDir, (await readPointer(releasesDir)) ?? '')
  const [largest] = manifest.editions
  if (largest === undefined) throw new Error('the release has no edition')
  const readers = manifest.editions.map((_, at) => `reader-${at}@example.co.jp`)
  const policyFile = join(dataDir, 'bench-policy.json')
  const groups = Object.fromEntries(
    editions.flatMap(({ audiences }) =>
      audiences.map((group) => [
        group,
        readers.filter((_, at) => editions[at]?.audiences.includes(group) === true),
      ]),
    ),
  )
  writeFileSync(policyFile, JSON.stringify({ domains: ['example.co.jp'], groups }))
  const serve = () => startGate(dataDir, { readers: readers.length, policyFile })
  const { startedMs, startProcessorMs } = await measureStart(serve, STARTS)
  await using gate = await serve()
  const startMb = residentMb(gate.pid)
  let peakMb = startMb
  for (const [at, edition] of manifest.editions.entries())
    peakMb = Math.max(peakMb, await readAll(gate, gate.cookies[at] ?? '', edition))
  rmSync(policyFile)
  return {
    'disk MB': megabytes(storedOf(manifest.editions)),
    'disk / largest edition': megabytes(storedOf(manifest.editions)) / megabytes(storedOf([largest])),
    'index / its share, at most': Math.max(
      ...manifest.editions.map(
        (one) => indexOf(one) / indexOf(largest) / (pagesOf(one).length / pagesOf(largest).length),
      ),
    ),
    'start, ms': startedMs,
    'start, processor ms': startProcessorMs,
    'gate at start, MB': startMb,
    'gate at most, MB': peakMb,
  }
}

/** Every page of an edition, and some searches: the most memory that was seen meanwhile. */
async function readAll(gate: GatePeer, cookie: string, edition: Edition): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const pages = pagesOf(edition).values()
  let peak = 0
  const ask = (path: string) =>
    read(agent, gate.port, path, { Host: HOST, Cookie: cookie, 'Accept-Encoding': 'br' })
  for (const query of QUERIES) await ask(`${ROUTES.search.path}?q=${encodeURIComponent(query)}`)
  const reader = async () => {
    for (const path of pages) {
      await ask(encodeURI(path))
      peak = Math.max(peak, residentMb(gate.pid))
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, reader))
  agent.destroy()
  return peak
}

const pagesOf = ({ files }: Edition) =>
  [...files].flatMap(([path, { title }]) => (title === undefined ? [] : [path]))

/** All bytes that editions store, each once. */
function storedOf(editions: readonly Edition[]): ReadonlyMap<string, number> {
  const kept = new Map<string, number>()
  const note = ({ sha256, bytes }: StoredBytes) => kept.set(sha256, bytes)
  for (const { files, search } of editions) {
    for (const file of files.values()) for (const one of [file, ...Object.values(file.encodings)]) note(one)
    for (const one of filesOf(search)) note(one)
  }
  return kept
}

const filesOf = (search: SearchIndex | null) => (search === null ? [] : [search, ...(search.parts ?? [])])
const indexOf = ({ search }: Edition) => filesOf(search).reduce((sum, { bytes }) => sum + bytes, 0)
const megabytes = (stored: ReadonlyMap<string, number>) =>
  [...stored.values()].reduce((sum, bytes) => sum + bytes, 0) / 1e6
