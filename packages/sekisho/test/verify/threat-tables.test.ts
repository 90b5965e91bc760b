import { ORIGIN } from '@sekisho/server/testing'
import {
  decodeBody,
  fillTemplate,
  findHeader,
  HEADER_ROWS,
  type HeaderLine,
  METHOD_ROWS,
  PATH_ROWS,
  RAW_ROWS,
  SIDE_DOOR_ROWS,
  type TemplateSubject,
  type ThreatRow,
  type WireOutcome,
  type WireRequest,
} from '@sekisho/verify'
import { afterAll, describe, expect, it } from 'vitest'
import { listenFixtureGate } from '../support/fixture-gate.ts'
import { PAGES } from '../support/fixture-site.ts'

const gate = await listenFixtureGate()
const cookie = await gate.signIn()
afterAll(() => gate[Symbol.asyncDispose]())

const subject = (path: string): TemplateSubject => ({
  path,
  host: ORIGIN.host,
  sha256: gate.edition.files.get(path)?.sha256 ?? '0'.repeat(64),
})
const TARGETS = ['/docs/secret', '/docs/がぎぐげご', '/docs/nothing-here']
const name = (row: ThreatRow) => `${row.threat} ${row.name}`
const named = <Row extends ThreatRow>(rows: readonly Row[]) => rows.map((row) => [name(row), row] as const)
const fill = (lines: readonly HeaderLine[], one: TemplateSubject): HeaderLine[] =>
  lines.map(([header, value]) => [header, fillTemplate(value, one)])

/** Status of an answer to a stranger, after checking what holds for all of them. */
function resultOf(outcome: WireOutcome | undefined): number | 'closed' {
  if (outcome === undefined || outcome.kind !== 'response') return 'closed'
  const { response } = outcome
  const text = (decodeBody(response) ?? response.body).toString('utf8')
  for (const { title, secret } of PAGES) {
    expect(text).not.toContain(title)
    expect(text).not.toContain(secret)
  }
  if (response.status !== 200) {
    expect(findHeader(response.headers, 'cache-control')).toBe('private, no-store')
    expect(findHeader(response.headers, 'etag')).toBeNull()
    expect(findHeader(response.headers, 'x-content-type-options')).toBe('nosniff')
  }
  return response.status
}

async function askStranger(request: WireRequest): Promise<number | 'closed'> {
  return resultOf(await gate.client.exchange(request))
}

describe('a stranger', () => {
  it.each(named(PATH_ROWS))('%s', async (_name, row) => {
    for (const path of TARGETS) {
      const target = fillTemplate(row.target, subject(path))
      expect(row.anonymous, path).toContain(await askStranger({ method: 'GET', target, headers: [] }))
    }
  })

  it.each(named(METHOD_ROWS))('%s', async (_name, row) => {
    for (const path of TARGETS) {
      const one = subject(path)
      const request = {
        method: row.method,
        target: fillTemplate('{path}', one),
        headers: fill(row.headers, one),
      }
      const body = row.body === undefined ? {} : { body: row.body }
      expect(row.anonymous, path).toContain(await askStranger({ ...request, ...body }))
    }
  })

  it.each(named(HEADER_ROWS))('%s', async (_name, row) => {
    for (const path of TARGETS) {
      const one = subject(path)
      const request = {
        method: 'GET',
        target: fillTemplate(row.target, one),
        headers: fill(row.headers, one),
      }
      expect(row.anonymous, path).toContain(await askStranger(request))
    }
  })

  it.each(named(RAW_ROWS))('%s', async (_name, row) => {
    for (const path of TARGETS) {
      const bytes = Buffer.from(fillTemplate(row.bytes, subject(path)), 'latin1')
      const outcomes = await gate.client.exchangeBytes(bytes, row.maxAnswers + 1)
      const answers = outcomes.filter((outcome) => outcome.kind === 'response')
      expect(answers.length, path).toBeLessThanOrEqual(row.maxAnswers)
      expect(row.anonymous, path).toContain(resultOf(outcomes[0]))
    }
  })

  it.each(SIDE_DOOR_ROWS.map((row) => [`${name(row)} ${row.target}`, row] as const))(
    '%s',
    async (_name, row) => {
      const { target } = row
      expect(row.anonymous).toContain(
        await askStranger({ method: 'GET', target, headers: [['Accept', '*/*']] }),
      )
    },
  )
})

describe('a signed-in reader who writes a path another way', () => {
  it.each(named(PATH_ROWS))('%s', async (_name, row) => {
    for (const path of ['/docs/secret', '/docs/がぎぐげご']) {
      const one = subject(path)
      const target = fillTemplate(row.target, one)
      const outcome = await gate.client.exchange({ method: 'GET', target, headers: [['Cookie', cookie]] })
      if (outcome.kind !== 'response') continue
      const { status, headers } = outcome.response
      const isFile = status === 200
      const isRedirect = status === 308 && findHeader(headers, 'location') === fillTemplate('{path}', one)
      const isNothing = [400, 404, 414, 431].includes(status)
      const isFine = {
        ...{ nothing: isNothing, file: isFile || isNothing, redirect: isRedirect || isNothing },
        refused: status === 401,
      }
      expect(isFine[row.signedIn], `${status} for ${path}`).toBe(true)
    }
  })
})

describe('the tables themselves', () => {
  it('notice a gate that admits every request: no row gets its refusal', async () => {
    gate.replace((request, peer) => {
      const headers = new Headers(request.headers)
      headers.set('Cookie', cookie)
      headers.delete('Sec-Fetch-Site')
      return gate.test.gate({ ...request, headers }, peer)
    })
    const one = subject('/docs/secret')
    const requests: [ThreatRow, WireRequest][] = [
      ...PATH_ROWS.filter(({ signedIn }) => signedIn !== 'refused').map(
        (row) => [row, { method: 'GET', target: row.target, headers: [] }] as [ThreatRow, WireRequest],
      ),
      ...HEADER_ROWS.map((row) => [row, { ...row, method: 'GET' }] as [ThreatRow, WireRequest]),
      ...METHOD_ROWS.map(
        (row) =>
          [row, { method: row.method, target: '{path}', headers: row.headers }] as [ThreatRow, WireRequest],
      ),
    ]
    const blind: string[] = []
    for (const [row, { method, target, headers }] of requests) {
      if (row.anonymous.join() !== '401') continue
      const request = { method, target: fillTemplate(target, one), headers: fill(headers, one) }
      const outcome = await gate.client.exchange(request)
      if (outcome.kind === 'response' && outcome.response.status === 401) blind.push(name(row))
    }
    gate.replace(gate.test.gate)
    expect(blind).toEqual([])
  })
})
