import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { serveConnection } from '../src/connection.ts'
import { anyConnection, type ConnectionBytes, cut } from './connection-bytes.ts'
import { MUTANTS, type Mutant } from './mutants.ts'
import { createReference, findDifference, readOurs } from './read-both.ts'

const SRC = join(import.meta.dirname, '../src')
const SECONDS = Number(process.env.FUZZ_SECONDS ?? 30)
const reference = createReference()
const folder = mkdtempSync(join(tmpdir(), 'sekisho-mutants-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function compare(connection: ConnectionBytes, serve = serveConnection): Promise<string | null> {
  const pieces = cut(connection)
  return findDifference(await readOurs(pieces, serve), await reference.read(pieces), connection.isWellFormed)
}

/** Compares until the time is over; returns the first difference, made smaller, or null. */
async function search(seconds: number, serve = serveConnection, seed = Date.now()): Promise<object | null> {
  const isAlike = fc.asyncProperty(
    anyConnection,
    async (connection) => (await compare(connection, serve)) === null,
  )
  const limit = { interruptAfterTimeLimit: seconds * 1_000, markInterruptAsFailure: false }
  const { failed, counterexample, numRuns } = await fc.check(isAlike, { seed, numRuns: 1e9, ...limit })
  if (process.env.FUZZ_SECONDS !== undefined) console.log(`${numRuns} connections compared`)
  return failed ? { seed, counterexample } : null
}

/** The reader with the mistake in it, from a copy of its sources. */
async function mutate({ file, from, to }: Mutant, index: number): Promise<typeof serveConnection> {
  const copy = join(folder, String(index))
  cpSync(SRC, copy, { recursive: true })
  const source = readFileSync(join(copy, file), 'utf8')
  expect(source.split(from), `the place of ${from}`).toHaveLength(2)
  writeFileSync(
    join(copy, file),
    source.replace(from, () => to),
  )
  return (await import(/* @vite-ignore */ pathToFileURL(join(copy, 'connection.ts')).href)).serveConnection
}

describe('the reader, held against llhttp', () => {
  it('answers nothing that llhttp reads otherwise', { timeout: (SECONDS + 60) * 1_000 }, async () => {
    expect(await search(SECONDS)).toBeNull()
  })

  it('reads the same at every place where a pipeline may be cut', { timeout: 60_000 }, async () => {
    const header = 'Host: portal.test\r\nCookie: a=1\r\n'
    const text =
      `GET /a HTTP/1.1\r\n${header}\r\nPOST /b HTTP/1.1\r\n${header}Content-Length: 5\r\n\r\nhello` +
      `GET /c HTTP/1.1\r\n${header.replace('a=1', 'a=2')}\r\nGET /d HTTP/1.1\r\n${header}Connection: close\r\n\r\n`
    const whole = await readOurs(cut({ text, cuts: [], isWellFormed: true }))
    expect(whole.requests.map(({ target }) => target)).toEqual(['/a', '/b', '/c', '/d'])
    for (let place = 0; place < text.length; place += 1) {
      const connection = { text, cuts: [place, place + 1], isWellFormed: true }
      expect(await readOurs(cut(connection))).toEqual(whole)
      expect(await compare(connection)).toBeNull()
    }
  })

  it.each(MUTANTS.map((mutant, index) => [mutant.mistake, mutant, index] as const))(
    'would find that %s',
    { timeout: 90_000 },
    async (_mistake, mutant, index) => {
      expect(await search(15, await mutate(mutant, index), 1)).not.toBeNull()
    },
  )
})
