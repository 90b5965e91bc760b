import { PROBLEMS, type ProblemCode } from '@sekisho/contract/problems'
import { describe, expect, it } from 'vitest'
import { problem } from './problem.ts'
import { showToPeople } from './problem-page.ts'

const CODES = Object.keys(PROBLEMS) as ProblemCode[]
const opened = new Request('https://portal.test/docs', {
  headers: { 'Sec-Fetch-Mode': 'navigate', Accept: 'text/html' },
})
const fetched = new Request('https://portal.test/docs', {
  headers: { 'Sec-Fetch-Mode': 'cors', Accept: 'text/html' },
})
/** Of a browser without fetch metadata, or of an origin in plain http. */
const openedPlain = new Request('https://portal.test/docs', { headers: { Accept: 'text/html,*/*;q=0.8' } })
const typeOf = (response: { readonly headers: Headers }) => response.headers.get('content-type')

describe('a problem shown to people', () => {
  it.each(CODES)('is a page that runs and loads nothing: %s', async (code) => {
    const answer = problem(code, { requestId: 'request <1>', headers: { 'Retry-After': '5' } })
    const page = showToPeople(opened, { isReader: true }, answer)
    expect([page.status, typeOf(page)]).toEqual([answer.status, 'text/html; charset=utf-8'])
    expect(page.headers.get('retry-after')).toBe('5')
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
    const text = await page.text()
    expect(page.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
    expect(text).toContain('request &#60;1&#62;')
    expect(text).not.toMatch(/<script|<img|<link/)
  })

  it.each(CODES)('is the bare document for a stranger, unless the gate failed: %s', (code) => {
    const answer = problem(code)
    const shown = showToPeople(opened, { isReader: false }, answer)
    expect(shown === answer).toBe(answer.status < 500)
  })

  it('is a page too where a browser does not say that it opened the address', () => {
    const page = showToPeople(openedPlain, { isReader: true }, problem('bad_request'))
    expect(typeOf(page)).toBe('text/html; charset=utf-8')
  })

  it('is the document for what a script asks, and an answer that is no problem stays as it is', () => {
    const answer = problem('fault')
    expect(showToPeople(fetched, { isReader: true }, answer)).toBe(answer)
    const other = new Response('{}', { status: 500, headers: { 'Content-Type': 'application/problem+json' } })
    expect(showToPeople(opened, { isReader: true }, other)).toBe(other)
  })
})
