import { describe, expect, it } from 'vitest'
import { type Admission, openSession } from './open-session.ts'
import { retryWhilePassing } from './retry.ts'

const TOKENS = { idToken: 'id', refreshToken: 'refresh' }

function gate(...answers: (Response | Error)[]): { fetcher: typeof fetch; requests: Request[] } {
  const requests: Request[] = []
  const fetcher: typeof fetch = async (input, init) => {
    requests.push(new Request(new URL(String(input), 'https://portal.example'), init))
    const answer = answers.shift()
    if (answer === undefined || answer instanceof Error) throw answer ?? new Error('asked too often')
    return answer
  }
  return { fetcher, requests }
}

const problem = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  Response.json({ type: 'about:blank', title: 'x', status, code }, { status, headers })
const noContent = (): Response => new Response(null, { status: 204 })

describe('opening a session', () => {
  it('sends both tokens as JSON and checks that the cookie was stored', async () => {
    const { fetcher, requests } = gate(noContent(), Response.json({ email: 'a@b.example' }))
    expect(await openSession(fetcher, '/__gate/session', TOKENS)).toEqual({ kind: 'admitted' })
    expect(requests[0]?.method).toBe('POST')
    expect(requests[0]?.headers.get('content-type')).toBe('application/json')
    expect(await requests[0]?.json()).toEqual(TOKENS)
  })

  it('says when the browser dropped the cookie, instead of reloading for ever', async () => {
    const { fetcher } = gate(noContent(), problem(401, 'signed_out'))
    expect(await openSession(fetcher, '/s', TOKENS)).toMatchObject({ kind: 'failed', reason: 'cookie-lost' })
  })

  it.each([
    [401, 'rejected', 'rejected'],
    [429, 'too_many_requests', 'too-many-requests'],
    [503, 'identity_unavailable', 'identity-unavailable'],
    [503, 'not_configured', 'not-configured'],
    [400, 'bad_request', 'unexpected'],
    [403, 'bad_origin', 'unexpected'],
    [503, 'unavailable', 'unavailable'],
    [500, 'something_else', 'unavailable'],
  ])('%i %s means %s', async (status, code, reason) => {
    const { fetcher } = gate(problem(status, code))
    expect(await openSession(fetcher, '/s', TOKENS)).toMatchObject({ kind: 'failed', reason })
  })

  it('distinguishes a refused account from a failure', async () => {
    expect(await openSession(gate(problem(403, 'not_admitted')).fetcher, '/s', TOKENS)).toEqual({
      kind: 'refused',
    })
  })

  it.each([
    ['30', 30],
    ['Wed, 21 Oct 2026 07:28:00 GMT', null],
    ['-1', null],
  ])('reads Retry-After: %s as %s', async (header, seconds) => {
    const { fetcher } = gate(problem(429, 'too_many_requests', { 'retry-after': header }))
    expect(await openSession(fetcher, '/s', TOKENS)).toMatchObject({ retryAfterSeconds: seconds })
  })

  it('survives an unreachable gate and a response from a proxy', async () => {
    expect(await openSession(gate(new TypeError('x')).fetcher, '/s', TOKENS)).toMatchObject({
      reason: 'unreachable',
    })
    const html = new Response('<html>proxy</html>', { status: 502 })
    expect(await openSession(gate(html).fetcher, '/s', TOKENS)).toMatchObject({
      reason: 'unavailable',
    })
  })
})

describe('trying again', () => {
  const failed = (reason: 'unreachable' | 'rejected'): Admission => ({
    kind: 'failed',
    reason,
    retryAfterSeconds: null,
  })

  async function run(outcomes: Admission[]): Promise<{ outcome: Admission; waits: number[] }> {
    const waits: number[] = []
    const attempt = async (): Promise<Admission> => outcomes.shift() ?? { kind: 'refused' }
    const outcome = await retryWhilePassing(attempt, async (ms) => void waits.push(ms))
    return { outcome, waits }
  }

  it('stops at the first answer that counts', async () => {
    const { outcome, waits } = await run([failed('unreachable'), { kind: 'admitted' }])
    expect(outcome.kind).toBe('admitted')
    expect(waits).toHaveLength(1)
  })

  it('gives up after a few tries, waiting longer each time', async () => {
    const { outcome, waits } = await run(Array.from({ length: 9 }, () => failed('unreachable')))
    expect(outcome).toMatchObject({ reason: 'unreachable' })
    expect(waits).toEqual([1000, 2500, 5000])
  })

  it('never repeats a rejection', async () => {
    expect((await run([failed('rejected')])).waits).toEqual([])
  })
})
