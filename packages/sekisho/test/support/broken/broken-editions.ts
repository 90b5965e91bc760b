import { CLIENT } from '@sekisho/server/testing'
import type { Rule } from '@sekisho/verify'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import { EDITIONS } from '../edition-fixture.ts'
import type { FixtureGate } from '../fixture-gate.ts'
import { altered, invented, pathOf, queryOf } from './break-gate.ts'

const HIDDEN = EDITIONS[0].own

/** Access of a gate that is wrong about editions. */
interface Inside {
  readonly real: (request: GateRequest) => Promise<GateResponse>
  /** As a reader of the edition that holds everything would be answered. */
  readonly asStaff: (request: GateRequest, path?: string) => Promise<GateResponse>
  /** Path of the file with that SHA-256. */
  readonly pathOfDigest: (sha256: string) => string | null
}

interface BrokenEdition {
  readonly name: string
  readonly found: Rule
  readonly breakIt: (
    request: GateRequest,
    inside: Inside,
  ) => Promise<GateResponse | null> | GateResponse | null
}

/** Puts one way of breaking before the real gate. */
export function breakEditions(
  { breakIt }: BrokenEdition,
  { test }: FixtureGate,
  staff: string,
  paths: ReadonlyMap<string, string>,
) {
  const inside: Inside = {
    real: async (request) => test.gate(request, CLIENT),
    pathOfDigest: (sha256) => paths.get(sha256) ?? null,
    async asStaff(request, path = pathOf(request)) {
      const headers = new Headers(request.headers)
      headers.set('Cookie', staff)
      const method = request.method === 'HEAD' ? 'HEAD' : 'GET'
      return test.gate(new Request(new URL(path, request.url), { method, headers }), CLIENT)
    },
  }
  return async (request: GateRequest) => (await breakIt(request, inside)) ?? inside.real(request)
}

const when =
  (isWrong: (request: GateRequest) => boolean): BrokenEdition['breakIt'] =>
  (request, { asStaff }) =>
    isWrong(request) ? asStaff(request) : null
const isHidden = (path: string) => path === HIDDEN.path
const cookieOf = (request: GateRequest) => request.headers.get('Cookie') ?? ''

const foundBy = (
  found: Rule,
  ways: Readonly<Record<string, BrokenEdition['breakIt']>>,
): readonly BrokenEdition[] => Object.entries(ways).map(([name, breakIt]) => ({ name, found, breakIt }))

/** Gates by which a reader learns what only another edition holds. */
export const BROKEN_EDITIONS: readonly BrokenEdition[] = [
  ...foundBy('other-edition', {
    'an edition chosen by a cookie': when((request) => cookieOf(request).includes('edition=staff')),
    'an edition chosen by a header': when(
      (request) => request.headers.get('X-Edition')?.startsWith('staff') === true,
    ),
    'groups believed from a header': when((request) => request.headers.has('X-Forwarded-Groups')),
    'an edition chosen by a parameter': when((request) => queryOf(request).get('edition') === 'staff'),
    'an edition chosen by the path': (request, { asStaff }) =>
      pathOf(request).startsWith('/staff/') ? asStaff(request, pathOf(request).slice('/staff'.length)) : null,
    'scripts of every edition for everybody': when((request) => pathOf(request).startsWith('/assets/')),
    'a file by its hash': (request, { asStaff, pathOfDigest }) => {
      const path = pathOfDigest(/^\/files\/([0-9a-f]{64})$/.exec(pathOf(request))?.[1] ?? '')
      return path === null ? null : asStaff(request, path)
    },
    '304 for the form of another edition': when(
      (request) => pathOf(request) === '/' && request.headers.has('If-None-Match'),
    ),
    'pages kept by their path, whoever asks next': (() => {
      const kept = new Map<string, GateResponse>()
      return async (request: GateRequest, { real }: Inside) => {
        const path = pathOf(request)
        if (request.method !== 'GET' || !path.startsWith('/docs/')) return null
        const response = kept.get(path) ?? (await altered(await real(request), {}))
        if (response.status === 200) kept.set(path, response)
        return (response as Response).clone()
      }
    })(),
    'an open door for agents: Markdown of every edition': when(
      (request) => request.headers.get('Accept') === 'text/markdown',
    ),
    'every edition for prefetches': when((request) => request.headers.has('Sec-Purpose')),
    'every edition with a second slash': (request, { asStaff }) =>
      pathOf(request).includes('//') ? asStaff(request, pathOf(request).replace(/\/{2,}/g, '/')) : null,
    'a 404 page that was kept from another reader': async (request, { real, asStaff }) => {
      const response = await real(request)
      return response.status === 404 ? asStaff(request, '/nothing-of-anybody') : response
    },
  }),
  ...foundBy('not-uniform', {
    '403 for what others may read': async (request, { real }) => {
      const response = await real(request)
      return isHidden(pathOf(request)) && response.status === 404
        ? altered(response, { status: 403 })
        : response
    },
    'a header for what others may read': async (request, { real }) => {
      const response = await real(request)
      return isHidden(pathOf(request)) && response.status === 404
        ? altered(response, { headers: { 'X-Audience': 'staff' } })
        : response
    },
    'HEAD by the files of every edition': when((request) => request.method === 'HEAD'),
    'a redirect of another edition': when((request) => pathOf(request).startsWith('/go-')),
    'feedback taken of pages of others alone': async (request) => {
      if (pathOf(request) !== '/__gate/feedback') return null
      const body = await new Response(request.body).text()
      return body.includes(HIDDEN.path) ? invented('{}', 'application/json') : null
    },
    'another refusal to answer for pages of others': async (request, { real }) => {
      if (pathOf(request) !== '/__gate/answers') return null
      const body = await new Response(request.body).text()
      const response = await real(new Request(request.url, { headers: request.headers }))
      return body.includes(HIDDEN.path) ? altered(response, { headers: { 'X-Reason': 'a' } }) : response
    },
    'another refusal of a part of what others may read': async (request, { real }) => {
      const response = await real(request)
      const isPart = request.headers.has('Range') && isHidden(pathOf(request))
      return isPart && response.status === 404 ? altered(response, { status: 416 }) : response
    },
  }),
  ...foundBy('page-title', {
    'one index for the search of all': (request) =>
      pathOf(request) === '/__gate/search'
        ? invented(JSON.stringify({ results: EDITIONS.map(({ own }) => own?.title) }), 'application/json')
        : null,
    'suggestions from words of all': (request) =>
      pathOf(request) === '/__gate/search-page'
        ? invented(`<p>もしかして: ${HIDDEN.title}</p>`, 'text/html; charset=utf-8')
        : null,
    'an account page that lists what others read': (request) =>
      pathOf(request) === '/__gate/account'
        ? invented(`<a href="${HIDDEN.path}">x</a>`, 'text/html; charset=utf-8')
        : null,
    'questions answered from pages of every edition': async (request) => {
      if (pathOf(request) !== '/__gate/answers') return null
      const { page = '' } = JSON.parse(await new Response(request.body).text())
      const nearest = isHidden(page) ? [{ url: '/', title: HIDDEN.title }] : []
      return invented(`data: ${JSON.stringify({ event: 'end', nearest })}\n\n`, 'text/event-stream')
    },
    'a title asked for, answered with its page of another edition': async (request) => {
      if (pathOf(request) !== '/__gate/answers') return null
      const { question } = JSON.parse(await new Response(request.body).text())
      const nearest = question === HIDDEN.title ? [{ url: HIDDEN.path, title: question }] : []
      return invented(`data: ${JSON.stringify({ event: 'end', nearest })}\n\n`, 'text/event-stream')
    },
    'one list of what to fetch ahead for all': async (request, { real }) =>
      pathOf(request) === '/'
        ? altered(await real(request), { headers: { Link: `<${HIDDEN.path}>; rel=prefetch` } })
        : null,
    'pages beside a page, out of every edition': async (request, { real }) => {
      if (pathOf(request) !== '/') return null
      const response = await altered(await real(request), {})
      return altered(response, { body: `${await response.clone().text()}<a>${HIDDEN.title}</a>` })
    },
    'one site map for all': (request) =>
      pathOf(request) === '/sitemap.xml'
        ? invented(`<loc>https://portal.test${HIDDEN.path}</loc>`, 'application/xml')
        : null,
  }),
  ...['X-Audience', 'X-Group', 'X-Role', 'X-View-As', 'X-Auth-Request-Groups'].map(
    (header): BrokenEdition => ({
      name: `an edition chosen by ${header}`,
      found: 'other-edition',
      breakIt: when((request) => request.headers.has(header)),
    }),
  ),
  ...[
    { name: '410 for what others may read', change: { status: 410 } },
    { name: 'a validator for what others may read', change: { headers: { ETag: '"0a1b"' } } },
    { name: 'a pause for what others may read', change: { headers: { 'Retry-After': '1' } } },
    { name: 'other words for what others may read', change: { body: 'not found here' } },
    { name: 'a cache for what others may read', change: { headers: { 'Cache-Control': 'private' } } },
  ].map(
    ({ name, change }): BrokenEdition => ({
      name,
      found: 'not-uniform',
      breakIt: async (request, { real }) => {
        const response = await real(request)
        return isHidden(pathOf(request)) && response.status === 404 ? altered(response, change) : null
      },
    }),
  ),
]
