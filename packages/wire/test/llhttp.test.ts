import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { serveConnection } from '../src/connection.ts'
import { createNodeServer } from '../src/server.ts'
import { anyConnection, type ConnectionBytes, cut } from './connection-bytes.ts'
import { MUTANTS, type Mutant, WRITER_MUTANTS } from './mutants.ts'
import { createReference, findDifference, readOurs } from './read-both.ts'
import { anyExchanges, findMisread } from './read-responses.ts'

const SRC = join(import.meta.dirname, '../src')
/** Set by `npm run fuzz:wire`, which compares by the clock; otherwise the comparison ends by count, on whatever machine. */
const { FUZZ_SECONDS, TEST_LONG } = process.env
/** Four times what it takes to find the rarest of the mistakes below, and at night seventeen times. */
const CONNECTIONS = TEST_LONG === undefined ? 5_000 : 20_000
const RESPONSES = 300
const byClock = {
  numRuns: 1e9,
  interruptAfterTimeLimit: Number(FUZZ_SECONDS) * 1_000,
  markInterruptAsFailure: false,
}
const reference = createReference()
const folder = mkdtempSync(join(tmpdir(), 'sekisho-mutants-'))

async function compare(connection: ConnectionBytes, serve = serveConnection): Promise<string | null> {
  const pieces = cut(connection)
  return findDifference(await readOurs(pieces, serve), await reference.read(pieces), connection.isWellFormed)
}

type Limits = Pick<
  fc.Parameters<unknown>,
  'numRuns' | 'seed' | 'endOnFailure' | 'interruptAfterTimeLimit' | 'markInterruptAsFailure'
>

/** Compares as many connections as the limits allow; returns the first difference, made smaller unless they end it there, or null. */
async function search(limits: Limits, serve = serveConnection): Promise<object | null> {
  const isAlike = fc.asyncProperty(
    anyConnection,
    async (connection) => (await compare(connection, serve)) === null,
  )
  const { failed, counterexample, numRuns, seed } = await fc.check(isAlike, limits)
  if (FUZZ_SECONDS !== undefined) console.log(`${numRuns} connections compared`)
  return failed ? { seed, counterexample } : null
}

/** Compares what clients read of as many connections; returns the first that was misread, or null. */
async function searchWritten(limits: Limits, create = createNodeServer) {
  const isAlike = fc.asyncProperty(
    anyExchanges,
    async (exchanges) => (await findMisread(exchanges, create)) === null,
  )
  const { failed, counterexample, numRuns, seed } = await fc.check(isAlike, limits)
  if (FUZZ_SECONDS !== undefined) console.log(`responses of ${numRuns} connections compared`)
  return failed ? { seed, counterexample } : null
}

/** A copy of the sources with the mistake in it. */
async function mutate({ file, from, to }: Mutant, name: string) {
  const copy = join(folder, name)
  cpSync(SRC, copy, { recursive: true })
  const source = readFileSync(join(copy, file), 'utf8')
  expect(source.split(from), `the place of ${from}`).toHaveLength(2)
  writeFileSync(
    join(copy, file),
    source.replace(from, () => to),
  )
  const load = (entry: string) => import(/* @vite-ignore */ pathToFileURL(join(copy, entry)).href)
  return {
    serve: async (): Promise<typeof serveConnection> => (await load('connection.ts')).serveConnection,
    create: async (): Promise<typeof createNodeServer> => (await load('server.ts')).createNodeServer,
  }
}

describe('the reader, held against llhttp', () => {
  it('answers nothing that llhttp reads otherwise', {
    timeout: (Number(FUZZ_SECONDS ?? 30) + 60) * 1_000,
  }, async () => {
    expect(await search(FUZZ_SECONDS === undefined ? { numRuns: CONNECTIONS } : byClock)).toBeNull()
  })

  it('reads the same at every place where a pipeline may be cut', { timeout: 60_000 }, async () => {
    const header = 'Host: portal.test\r\nCookie: a=1\r\n'
    const text =
      `GET /a HTTP/1.1\r\n${header}\r\nPOST /b HTTP/1.1\r\n${header}Content-Length: 5\r\n\r\nhello` +
      `PUT /e HTTP/1.1\r\n${header}Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n00A\r\nlo, world!\r\n0\r\n\r\n` +
      `GET /c HTTP/1.1\r\n${header.replace('a=1', 'a=2')}\r\nGET /d HTTP/1.1\r\n${header}Connection: close\r\n\r\n`
    const whole = await readOurs(cut({ text, cuts: [], isWellFormed: true }))
    expect(whole.requests.map(({ target }) => target)).toEqual(['/a', '/b', '/e', '/c', '/d'])
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
      // Nobody reads the smallest example of a mistake that was made on purpose.
      const limits = { seed: 1, numRuns: 5_000, endOnFailure: true }
      const { serve } = await mutate(mutant, String(index))
      expect(await search(limits, await serve())).not.toBeNull()
    },
  )
})

describe('the writer, held against llhttp', () => {
  it('writes nothing that llhttp reads otherwise', {
    timeout: (Number(FUZZ_SECONDS ?? 30) + 60) * 1_000,
  }, async () => {
    expect(await searchWritten(FUZZ_SECONDS === undefined ? { numRuns: RESPONSES } : byClock)).toBeNull()
  })

  it.each(WRITER_MUTANTS.map((mutant, index) => [mutant.mistake, mutant, index] as const))(
    'would find that %s',
    { timeout: 90_000 },
    async (_mistake, mutant, index) => {
      const { create } = await mutate(mutant, `writer-${index}`)
      expect(
        await searchWritten({ seed: 1, numRuns: RESPONSES, endOnFailure: true }, await create()),
      ).not.toBeNull()
    },
  )
})
