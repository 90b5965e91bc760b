import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ReleaseError } from '../errors.ts'
import { createReleaseId } from '../release-id.ts'
import { PREVIEW_LIMITS } from './incoming-release.ts'
import { createManifestReader } from './manifest-reader.ts'

const FILE = {
  sha256: 'a'.repeat(64),
  bytes: 9,
  type: 'text/html; charset=utf-8',
  delivery: 'page',
  cache: 'no-store',
  encodings: {},
}
const EDITION = {
  name: 'all',
  audiences: [],
  notFound: '/missing',
  search: null,
  redirects: {},
  files: { '/missing': FILE },
}

/** A manifest with more editions or other contents than a packer writes. */
function manifestOf(...editions: readonly object[]) {
  const site = { title: 'a', tagline: 'b', lang: 'ja' }
  const bytes = Buffer.from(JSON.stringify({ format: 2, site, editions }))
  const sha256 = hash('sha256', bytes)
  const id = createReleaseId(0, sha256)
  return { sha256, input: { bytes, id, maxEntries: PREVIEW_LIMITS.maxEntries } }
}

/** A table as large as a preview's manifest may be. */
function tableOf(value: (at: number) => unknown, entryBytes: number): object {
  const count = Math.floor((PREVIEW_LIMITS.maxBytes * 0.97) / entryBytes)
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`/n${at.toString(36)}`, value(at)]))
}

/** This thread's part of the processor time of all threads while something runs: nearly none when another thread does the work. */
async function shareOf(run: () => Promise<unknown>): Promise<number> {
  const [own, all] = [process.threadCpuUsage(), process.cpuUsage()]
  await run()
  const [ownTime, allTime] = [process.threadCpuUsage(own), process.cpuUsage(all)]
  return (ownTime.user + ownTime.system) / (allTime.user + allTime.system)
}

describe('manifests of publishers', () => {
  it('are read and given back as the packer meant them', async () => {
    const { sha256, input } = manifestOf(EDITION)
    const manifests = createManifestReader()
    const manifest = await manifests.read(sha256, input)
    expect(manifest.editions[0]?.files.get('/missing')).toEqual({ ...FILE })
    expect(await manifests.read(sha256, input)).toBe(manifest)
  })

  it.each([
    [
      'names of editions that there are none of',
      { ...EDITION, name: 'b', files: tableOf(() => 'x', 13) },
      /./,
    ],
    ['redirects that lead nowhere', { ...EDITION, redirects: tableOf(() => '/x', 14) }, /./],
    [
      'redirects that lead to a page',
      { ...EDITION, redirects: tableOf(() => '/missing', 20) },
      /more than 10000/,
    ],
    [
      'labels that no edition has',
      { ...EDITION, labels: Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [at, 'x'])) },
      /more than 10000 editions/,
    ],
    [
      'keys of 110,000 characters',
      {
        ...EDITION,
        ...Object.fromEntries(Array.from({ length: 70 }, (_, at) => [at + 'k'.repeat(110_000), 0])),
      },
      /unknown key/,
    ],
    [
      'lists within 5,000 lists, behind a text that closes none',
      { ...EDITION, audiences: ['\\"]]"', JSON.parse('['.repeat(5_000) + ']'.repeat(5_000))] },
      /more than 16 deep/,
    ],
  ])('that are refused hold nobody up: %s', async (_what, edition, problem) => {
    const { sha256, input } = manifestOf(edition)
    const manifests = createManifestReader()
    let error: unknown
    const share = await shareOf(async () => {
      error = await manifests.read(sha256, input).catch((thrown) => thrown)
    })
    if (!(error instanceof ReleaseError)) throw error
    expect(error.problems.length).toBeLessThanOrEqual(100)
    expect(error.message.length).toBeLessThan(40_000)
    expect(String(error.problems[0])).toMatch(problem)
    expect(share).toBeLessThan(0.4)
    expect(() => manifests.assertNotRefused(sha256, input.id, input.maxEntries)).toThrow(ReleaseError)
  })

  it('with as many files as a preview may have are accepted', async () => {
    const files = Object.fromEntries(
      Array.from({ length: PREVIEW_LIMITS.maxEntries - 1 }, (_, at) => [`/${at}`, FILE]),
    )
    const { sha256, input } = manifestOf({ ...EDITION, files: { ...files, '/missing': FILE } })
    expect((await createManifestReader().read(sha256, input)).editions[0]?.files.size).toBe(10_000)
  })
})
