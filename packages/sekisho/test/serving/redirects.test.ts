import type { Gate } from '@sekisho/server'
import { ORIGIN } from '@sekisho/server/testing'
import {
  findHeader,
  type HeaderLine,
  REDIRECT_ROWS,
  type RedirectRow,
  type WireResponse,
} from '@sekisho/verify'
import { afterAll, describe, expect, it } from 'vitest'
import { listenFixtureGate } from '../support/fixture-gate.ts'

const gate = await listenFixtureGate()
const cookie = await gate.signIn()
afterAll(() => gate[Symbol.asyncDispose]())

const NAVIGATION: readonly HeaderLine[] = [['Accept', 'text/html']]
const named = REDIRECT_ROWS.map((row) => [`${row.threat} ${row.name}`, row] as const)

async function ask(target: string, headers: readonly HeaderLine[]): Promise<WireResponse> {
  const outcome = await gate.client.exchange({ method: 'GET', target, headers })
  if (outcome.kind !== 'response') throw new Error(`${target} got no answer: ${outcome.kind}`)
  return outcome.response
}

/** Says what is wrong with an answer to a hostile target, or null. */
function findFlaw({ status, headers, body }: WireResponse): string | null {
  const location = findHeader(headers, 'location')
  if (location !== null) {
    if (!/^\/(?![/\\])/.test(location)) return `Location is no path: ${location}`
    if (new URL(location, ORIGIN).origin !== ORIGIN.origin) return `Location leaves: ${location}`
  }
  if (status === 200 && findHeader(headers, 'content-type')?.startsWith('text/html') !== true) return null
  const names = headers.map(([name]) => name.toLowerCase())
  if (names.includes('set-cookie')) return 'a cookie was set'
  return /alert\(1\)|evil\.example/.test(body.toString('utf8')) ? 'the request is repeated in the body' : null
}

describe('a reader is sent nowhere else, and nothing is repeated', () => {
  it.each(named)('%s', async (_name, row) => {
    expect(findFlaw(await ask(row.target, [...NAVIGATION, ['Cookie', cookie]]))).toBeNull()
  })
})

describe('a stranger gets the same login page', () => {
  it.each(named)('%s', async (_name, row) => {
    const usual = await ask('/docs/secret', NAVIGATION)
    const answer = await ask(row.target, NAVIGATION)
    expect([400, 401]).toContain(answer.status)
    if (answer.status === 401) expect(answer.body.equals(usual.body)).toBe(true)
    expect(findFlaw(answer)).toBeNull()
  })
})

describe('the rows notice a gate that', () => {
  const flawed = async (broken: Gate): Promise<RedirectRow[]> => {
    gate.replace(broken)
    const found: RedirectRow[] = []
    for (const row of REDIRECT_ROWS) if (findFlaw(await ask(row.target, NAVIGATION)) !== null) found.push(row)
    gate.replace(gate.test.gate)
    return found
  }

  it('drops a trailing slash without looking what is left', async () => {
    const found = await flawed(async (request, peer) => {
      const { pathname } = new URL(request.url)
      if (!pathname.endsWith('/') || pathname === '/') return gate.test.gate(request, peer)
      return new Response(null, { status: 308, headers: { Location: pathname.slice(0, -1) } })
    })
    expect(found.length).toBeGreaterThan(3)
  })

  it('repeats the path in its login page', async () => {
    const found = await flawed(async (request) => {
      const url = new URL(request.url)
      return new Response(decodeURIComponent(url.pathname + url.search), { status: 401 })
    })
    expect(found.length).toBeGreaterThan(10)
  })
})
