import { CLIENT, ORIGIN } from '@sekisho/server/testing'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import { PAGES } from '../fixture-site.ts'
import {
  altered,
  type BrokenGate,
  foundBy,
  type Inside,
  invented,
  pathOf,
  queryOf,
  without,
} from './break-gate.ts'

const SESSION = '__Host-sekisho'

const tokenOf = (cookie: string | null) =>
  new RegExp(`(?:^|; ?)${SESSION}=([^;]*)`).exec(cookie ?? '')?.[1] ?? null

/** Remembers the tokens that opened something once, and what was ended with which. */
function remembering(
  answer: (
    request: GateRequest,
    inside: Inside,
    seen: ReadonlySet<string>,
  ) => Promise<GateResponse | null> | null,
): BrokenGate['breakIt'] {
  const seen = new Set<string>()
  return async (request, inside) => {
    const token = tokenOf(request.headers.get('Cookie'))
    const response = await inside.real(request, CLIENT)
    if (token !== null && response.status === 200) seen.add(token)
    return response.status === 401 ? ((await answer(request, inside, seen)) ?? response) : response
  }
}

/** A session that is known, whether or not it was ended, at some addresses. */
const livesOnAt = (isThere: (path: string) => boolean, answer = toReader) =>
  remembering((request, inside, seen) =>
    seen.has(tokenOf(request.headers.get('Cookie')) ?? '') && isThere(pathOf(request))
      ? answer(request, inside)
      : null,
  )

const toReader = (request: GateRequest, inside: Inside) => inside.asReader(request)

/** Readers' responses, changed. */
const toReaders =
  (change: (response: GateResponse) => Promise<GateResponse>): BrokenGate['breakIt'] =>
  async (request, inside) => {
    const response = await inside.real(request, CLIENT)
    return response.status === 200 && inside.isFile(pathOf(request)) ? change(response) : response
  }

/** Admits requests with a known token in another place than the cookie. */
const tokenIn = (find: (request: GateRequest) => string | null) =>
  remembering((request, inside, seen) => (seen.has(find(request) ?? '') ? inside.asReader(request) : null))

/** Gates that are wrong about who has a session, or what a reader may get. */
export const BROKEN_SESSIONS: readonly BrokenGate[] = [
  ...foundBy('session-lives', {
    'a session that lives on after its reader signed out': livesOnAt(() => true),
  }),
  // Invented before the prover was taught anything for them.
  ...foundBy('session-lives', {
    'a search that answers who has signed out': livesOnAt(
      (path) => path === '/__gate/search',
      async () => invented(JSON.stringify({ pages: PAGES.map(({ title }) => title) }), 'application/json'),
    ),
    'a reader named after they signed out': livesOnAt((path) => path === '/__gate/session'),
    'other sessions that live on after "sign out everywhere"': (() => {
      const ended = new Set<string>()
      const rest = livesOnAt(() => true)
      return async (request: GateRequest, inside: Inside) => {
        const token = tokenOf(request.headers.get('Cookie')) ?? ''
        if (request.method === 'DELETE') ended.add(token)
        return ended.has(token) ? null : rest(request, inside)
      }
    })(),
  }),
  ...foundBy('protected-text', {
    'a token in the address': tokenIn((request) => queryOf(request).get('token')),
    'a token as a bearer’s': tokenIn(
      (request) => /^Bearer (.*)$/.exec(request.headers.get('Authorization') ?? '')?.[1] ?? null,
    ),
    'a token of which only the first half is compared': remembering((request, inside, seen) => {
      const token = tokenOf(request.headers.get('Cookie')) ?? ''
      const isLike = token.length > 21 && [...seen].some((one) => one.slice(0, 21) === token.slice(0, 21))
      return isLike ? inside.asReader(request) : null
    }),
    'a session in a cookie of the name without its prefix': tokenIn(
      (request) => /(?:^|; ?)sekisho=([^;]*)/.exec(request.headers.get('Cookie') ?? '')?.[1] ?? null,
    ),
  }),
  ...foundBy('cacheable', {
    'pages of readers that any cache may keep': async (request, inside) => {
      const response = await inside.real(request, CLIENT)
      return response.status === 200 && inside.isFile(pathOf(request))
        ? altered(response, { headers: { 'Cache-Control': 'public, max-age=300' } })
        : response
    },
  }),
  ...foundBy('cross-site', {
    'pages of a reader for another site': async (request, inside) => {
      const response = await inside.real(request, CLIENT)
      return response.status === 403 ? inside.asReader(request) : response
    },
  }),
  // Invented in November 2026, before the prover was taught anything for them.
  ...foundBy('missing-header', {
    'a sign-out that leaves the browser its cache': async (request, inside) =>
      request.method === 'DELETE' ? without(await inside.real(request, CLIENT), 'Clear-Site-Data') : null,
    'pages of a reader in a frame of anybody': toReaders((response) =>
      without(response, 'Content-Security-Policy'),
    ),
    'pages of a reader without what keeps their scripts apart': toReaders((response) =>
      without(response, 'Cross-Origin-Opener-Policy'),
    ),
  }),
  ...foundBy('cross-site', {
    'a sign-out by another site': (request, inside) => {
      if (request.method !== 'DELETE') return null
      const headers = new Headers(request.headers)
      headers.set('Origin', ORIGIN.origin)
      headers.delete('Sec-Fetch-Site')
      return inside.real({ method: request.method, url: request.url, headers, body: null }, CLIENT)
    },
    'pages of a reader that any origin may read': toReaders((response) =>
      altered(response, { headers: { 'Access-Control-Allow-Origin': '*' } }),
    ),
    'a reader’s cookie where agents ask': (request) =>
      pathOf(request) === '/mcp' && tokenOf(request.headers.get('Cookie')) !== null
        ? invented('{"jsonrpc":"2.0","id":1,"result":{}}', 'application/json')
        : null,
  }),
  ...foundBy('unknown-header', {
    'a session renewed in a cookie that scripts may read': toReaders((response) =>
      altered(response, { headers: { 'Set-Cookie': `${SESSION}=renewed; Path=/; Secure` } }),
    ),
  }),
  ...foundBy('session-lives', {
    '304 for who has signed out and kept a page': remembering(async (request, _inside, seen) =>
      seen.has(tokenOf(request.headers.get('Cookie')) ?? '') && request.headers.has('If-None-Match')
        ? new Response(null, { status: 304 })
        : null,
    ),
    'HEAD for who has signed out': remembering((request, inside) =>
      request.method === 'HEAD' && tokenOf(request.headers.get('Cookie')) !== null
        ? inside.asReader(request)
        : null,
    ),
  }),
  ...foundBy('cacheable', {
    'pages of a reader that their browser may keep for an hour': toReaders((response) =>
      altered(response, { headers: { 'Cache-Control': 'private, max-age=3600' } }),
    ),
  }),
]
