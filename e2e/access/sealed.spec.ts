import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { Agent, get, type IncomingMessage } from 'node:http'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
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
    files: new Map(editions.flatMap(({ files }) => [...files])),
    redirects: editions.flatMap(({ redirects }) => [...redirects.keys()]),
  }
}

test('not one file of the release is answered without a session, nor is a navigation to it', async ({
  product,
}) => {
  const release = await readRelease(product)
  const paths = [...release.files.keys(), ...release.redirects]
  expect(paths.length).toBeGreaterThan(50)
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  for (const headers of [{ accept: '*/*' }, { accept: 'text/html', 'sec-fetch-mode': 'navigate' }]) {
    const ask = async (name: string) => {
      const asked = get(new URL(name, product.origin), { agent, headers })
      const answer: IncomingMessage = (await once(asked, 'response'))[0]
      return { status: answer.statusCode, body: await buffer(answer) }
    }
    const refusal = await ask('/there/is/no/such/page')
    const answers = await Promise.all(paths.map(async (name) => ({ name, ...(await ask(name)) })))
    for (const { name, status, body } of answers)
      expect([status, body.equals(refusal.body)], name).toEqual([401, true])
  }
  agent.destroy()
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
