import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packRelease } from '@sekisho/release/packing'
import { createTestBuild, loadOnlyEdition } from '@sekisho/release/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { everybodysEdition } from '../testing/reader.ts'
import { openReleases } from './open-releases.ts'

const PIECES = [
  '/',
  '.',
  '..',
  '%2e',
  '%2f',
  '\\',
  '\0',
  'docs',
  'guide',
  '環境',
  'index',
  '.html',
  'files',
  'current',
  'manifest.json',
  'search.db',
  'releases',
  'etc',
  'passwd',
  '.env',
  '__sekisho',
  'site.json',
  '.map',
  '__proto__',
  'constructor',
  'assets',
  'js',
  'main.0a1b2c3d.js',
  '404.html',
  '~',
  ';',
  'か\u3099',
  'が',
  '／',
  '．．',
  '\ud800',
]

it('answers any path with a file of the manifest, a redirect to one, or the 404 page', async () => {
  await using build = await createTestBuild()
  const { id } = await packRelease({ ...build, clock: () => Date.UTC(2025, 3, 1) })
  const { files, notFound } = await loadOnlyEdition(build.releasesDir, id)
  const folder = join(build.releasesDir, id, 'files')
  const stored = await readdir(folder)
  const served = await everybodysEdition(await openReleases({ releasesDir: build.releasesDir }))
  if (served === null) throw new Error('nothing is served')
  const request = new Request('https://portal.test/')
  const anyPath = fc.oneof(
    fc.array(fc.constantFrom(...PIECES, ...stored), { maxLength: 8 }).map((parts) => `/${parts.join('')}`),
    fc.array(fc.constantFrom(...PIECES, ...stored), { maxLength: 8 }).map((parts) => parts.join('/')),
    fc.constantFrom(...files.keys()).chain((path) => fc.string().map((tail) => path + tail)),
    fc.string({ unit: 'binary' }),
  )
  await fc.assert(
    fc.asyncProperty(anyPath, async (path) => {
      const { response } = await served.respond(request, path, 'all')
      if (response.status === 308) {
        expect(response.headers.get('Location')).toMatch(/^\/(?!\/)[\x21-\x7e]*$/)
        return
      }
      const expected = path === notFound ? undefined : files.get(path)
      expect(response.status).toBe(expected === undefined ? 404 : 200)
      const body = new Uint8Array(await response.arrayBuffer())
      expect(hash('sha256', body)).toBe((expected ?? files.get(notFound))?.sha256)
    }),
    { numRuns: 2_000 },
  )
})

it('answers each path of the manifest with exactly its bytes', async () => {
  await using build = await createTestBuild()
  const { id } = await packRelease({ ...build, clock: () => Date.UTC(2025, 3, 1) })
  const { files, notFound } = await loadOnlyEdition(build.releasesDir, id)
  const served = await everybodysEdition(await openReleases({ releasesDir: build.releasesDir }))
  if (served === null) throw new Error('nothing is served')
  for (const [path, file] of files) {
    const { response } = await served.respond(new Request('https://portal.test/'), path, 'all')
    expect([path, response.status]).toEqual([path, path === notFound ? 404 : 200])
    const plain = await readFile(join(build.releasesDir, id, 'files', file.sha256))
    expect(Buffer.from(await response.arrayBuffer()).equals(plain)).toBe(true)
  }
})
