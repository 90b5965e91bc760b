import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { loadManifest, readPointer } from '@sekisho/release'
import { expect, LONG, test } from '../support/fixtures.ts'
import type { Product } from '../support/product.ts'

async function readRelease({ dataDir }: Product) {
  const folder = path.join(dataDir, 'releases')
  const id = await readPointer(folder)
  if (id === null) throw new Error('nothing is published')
  const { editions } = await loadManifest(folder, id)
  return {
    id,
    files: new Map(editions.flatMap(({ files }) => [...files])),
    redirects: editions.flatMap(({ redirects }) => [...redirects.keys()]),
  }
}

test('not one file of the release is answered without a session', async ({ product, request }) => {
  const release = await readRelease(product)
  const paths = [...release.files.keys(), ...release.redirects]
  expect(paths.length).toBeGreaterThan(50)
  const nothing = await request.get('/there/is/no/such/page')
  const refusal = await nothing.body()

  for (const name of paths) {
    const answer = await request.get(new URL(name, product.origin).href, { maxRedirects: 0 })
    expect(answer.status(), name).toBe(401)
    expect((await answer.body()).equals(refusal), name).toBe(true)
    const digest = release.files.get(name)?.sha256
    if (digest === undefined) continue
    const secret = await readFile(path.join(product.dataDir, 'releases', release.id, 'files', digest))
    expect((await answer.body()).includes(secret.subarray(0, 64)), name).toBe(false)
  }
})

test('a navigation gets the login page, the same one for every address', async ({ product, request }) => {
  const release = await readRelease(product)
  const headers = { accept: 'text/html', 'sec-fetch-mode': 'navigate' }
  const login = await (await request.get('/there/is/no/such/page', { headers })).body()
  for (const name of release.files.keys()) {
    const answer = await request.get(new URL(name, product.origin).href, { headers, maxRedirects: 0 })
    expect(answer.status(), name).toBe(401)
    expect((await answer.body()).equals(login), name).toBe(true)
  }
})

test('sekisho verify finds the running gate closed, and lists the local identity service as open', {
  tag: LONG,
}, async ({ product, readerCookies }) => {
  test.setTimeout(600_000)
  const reader = path.join(product.dataDir, 'reader.cookie')
  await writeFile(reader, readerCookies.map(({ name, value }) => `${name}=${value}`).join('; '))
  const sekisho = fileURLToPath(new URL('../../packages/sekisho/bin/sekisho.mjs', import.meta.url))
  const args = [
    'verify',
    '--quick',
    '--json',
    '--url',
    product.origin,
    '--data-dir',
    product.dataDir,
    '--reader',
    reader,
  ]
  const { stdout } = await promisify(execFile)(process.execPath, [sekisho, ...args], { maxBuffer: 2 ** 26 })
  const report: { findings: unknown[]; surface: { path: string; kind: string }[] } = JSON.parse(stdout)
  expect(report.findings).toEqual([])
  const open = report.surface.map(({ path, kind }) => `${kind} ${path}`)
  expect(open).toContain('identity /emulator/auth/handler')
  expect(open.filter((line) => line.startsWith('unknown'))).toEqual([])
})
