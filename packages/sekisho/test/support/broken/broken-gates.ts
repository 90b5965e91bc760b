import { CLIENT } from '@sekisho/server/testing'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import { FEED_SECRET, PAGES, SCRIPT_SECRET } from '../fixture-site.ts'
import {
  altered,
  asciiJson,
  type BrokenGate,
  decodeOrNull,
  foundBy,
  headerHas,
  type Inside,
  invented,
  pathOf,
  refusal,
} from './break-gate.ts'
import { BROKEN_CONDITIONS } from './broken-conditions.ts'
import { BROKEN_REFUSALS } from './broken-refusals.ts'
import { BROKEN_SESSIONS } from './broken-sessions.ts'

/** Caches successful responses by address, and answers every next client from them. */
function keeping(isKept: (request: GateRequest) => boolean, answer = toReaders): BrokenGate['breakIt'] {
  const kept = new Map<string, Response>()
  return async (request, inside) => {
    if (request.method !== 'GET' || !isKept(request)) return null
    const response = kept.get(request.url) ?? (await altered(await answer(request, inside), {}))
    if (response.status === 200) kept.set(request.url, response)
    return response.clone()
  }
}

const toReaders = (request: GateRequest, inside: Inside) => refusal(inside, request)

/** A stranger's response for another path. */
const asIf = (path: string, request: GateRequest, inside: Inside) =>
  inside.real(new Request(new URL(path, request.url), request), CLIENT)

/** The fixture's release has no search index. */
async function foundPages(request: GateRequest, inside: Inside): Promise<GateResponse> {
  const session = await inside.real(new Request(new URL('/__gate/session', request.url), request), CLIENT)
  return session.status === 200
    ? invented(JSON.stringify({ pages: PAGES.map(({ title }) => title) }), 'application/json')
    : refusal(inside, request)
}

/** Ways to break the gate, each with the rule of `verify` that must notice it. */
const BROKEN_GATES: readonly BrokenGate[] = [
  ...foundBy('protected-text', {
    'answers kept for the next client': keeping(() => true),
    'the reader kept for the next client': keeping((request) => pathOf(request) === '/__gate/session'),
    'a prefix left open for assets': (request, { asReader }) =>
      pathOf(request).startsWith('/assets/') ? asReader(request) : null,
    'a prefix match on an open route': (request, { asReader }) =>
      pathOf(request).startsWith('/__gate/login/assets/..%2f')
        ? asReader(request, decodeURIComponent(pathOf(request)).replace('/__gate/login/assets/../../..', ''))
        : null,
    'an extension left open': (request, { asReader }) =>
      /\.(?:css|js)$/.test(pathOf(request)) ? asReader(request) : null,
    'a header that names the user': (request, { asReader }) =>
      headerHas(request, 'X-Auth-Request-Email') ? asReader(request) : null,
    'a header that marks a subrequest': (request, { asReader }) =>
      headerHas(request, 'x-middleware-subrequest') ? asReader(request) : null,
    'an encoded slash decoded after the check': (request, { asReader }) =>
      /%2f/i.test(pathOf(request)) ? asReader(request, pathOf(request).replace(/%2f/gi, '/')) : null,
    'double encoding decoded after the check': (request, { asReader }) => {
      const decoded = decodeOrNull(decodeOrNull(pathOf(request)) ?? '')
      return /%25[0-9a-f]{2}/i.test(pathOf(request)) && decoded !== null ? asReader(request, decoded) : null
    },
    'a doubled slash collapsed after the check': (request, { asReader }) =>
      pathOf(request).includes('//') ? asReader(request, pathOf(request).replace(/\/{2,}/g, '/')) : null,
    'case ignored after the check': (request, { asReader }) =>
      /[A-Z]{4}/.test(pathOf(request)) ? asReader(request, pathOf(request).toLowerCase()) : null,
    'the search index left open': (request) =>
      pathOf(request) === '/search-index.json'
        ? invented(JSON.stringify(PAGES.map(({ secret }) => ({ t: secret }))), 'application/json')
        : null,
    'source maps left open': (request) =>
      pathOf(request).endsWith('.js.map')
        ? invented(JSON.stringify({ sourcesContent: [`const t="${SCRIPT_SECRET}"`] }), 'application/json')
        : null,
    'a JSON index whose text is escaped': (request) =>
      pathOf(request) === '/routes.json' ? invented(asciiJson(SCRIPT_SECRET), 'application/json') : null,
    'feeds left open': (request, { asReader }) =>
      /\/(?:rss|atom)\.xml$/.test(pathOf(request)) ? asReader(request) : null,
    'llms.txt left open': (request) =>
      pathOf(request) === '/llms.txt' ? invented(FEED_SECRET, 'text/plain') : null,
    'ranges left open': (request, { asReader }) => (headerHas(request, 'Range') ? asReader(request) : null),
    'a query that skips the check': (request, { asReader }) =>
      request.url.includes('?import') ? asReader(request) : null,
    'a health checker that skips the check': (request, { asReader }) =>
      /^(?:GoogleHC|kube-probe)/.test(request.headers.get('User-Agent') ?? '') ? asReader(request) : null,
    'an address that skips the check': (request, { asReader }) =>
      request.headers.get('X-Forwarded-For')?.startsWith('127.') === true ? asReader(request) : null,
    'a method override that skips the check': (request, { asReader }) =>
      headerHas(request, 'X-HTTP-Method-Override') ? asReader(request) : null,
    'a compressed copy sent without saying so': async (request, { asReader }) => {
      if (pathOf(request) !== '/docs/secret.br') return null
      const inner = new Request(request.url, { headers: { 'Accept-Encoding': 'br' } })
      const response = await asReader(inner, '/docs/secret')
      response.headers.delete('Content-Encoding')
      return altered(response, { headers: { 'Content-Type': 'application/octet-stream' } })
    },
    'credentials of a publisher that open pages': (request, { asReader }) =>
      headerHas(request, 'Authorization') ? asReader(request) : null,
  }),
  ...foundBy('page-title', {
    'search responses kept for the next client': keeping(
      (request) => pathOf(request) === '/__gate/search',
      foundPages,
    ),
    'search suggestions left open': (request) =>
      pathOf(request) === '/__gate/search'
        ? invented('{"titles":["鍵の入れ替え手順"]}', 'application/json')
        : null,
    'the page title in the login page': async (request, inside) => {
      const page = PAGES.find(({ path }) => encodeURI(path) === pathOf(request))
      const response = await refusal(inside, request)
      const html = await response.text()
      if (page === undefined || !html.includes('<title>')) return null
      return altered(response, { body: html.replace('<title>', `<title>${page.title}: `) })
    },
  }),
  ...foundBy('validator', {
    'an ETag that tells what exists': async (request, inside) =>
      inside.isFile(pathOf(request))
        ? altered(await refusal(inside, request), { headers: { ETag: `"${pathOf(request).length}"` } })
        : null,
    '304 for a validator that matches': (request, inside) =>
      headerHas(request, 'If-None-Match') && inside.isFile(pathOf(request))
        ? new Response(null, { status: 304, headers: { 'Cache-Control': 'private, no-store' } })
        : null,
  }),
  ...foundBy('cacheable', {
    'refusals that a cache may keep': async (request, inside) =>
      pathOf(request).endsWith('.js')
        ? altered(await refusal(inside, request), { headers: { 'Cache-Control': 'public, max-age=60' } })
        : null,
  }),
  ...foundBy('file-name', {
    'the site map left open': (request) =>
      pathOf(request) === '/sitemap-index.xml'
        ? invented('<loc>/blog/rss.xml</loc>', 'application/xml')
        : null,
    'a preload hint that names a script': async (request, inside) =>
      altered(await refusal(inside, request), {
        headers: { Link: '</assets/js/keys-rotation.4e5f6a7b.js>; rel=preload' },
      }),
  }),
  ...foundBy('answered', {
    'HEAD left open': (request, { asReader }) => (request.method === 'HEAD' ? asReader(request) : null),
  }),
  ...foundBy('not-uniform', {
    'an unchecked method': (request, inside) =>
      request.method === 'OPTIONS' && inside.isFile(pathOf(request)) ? invented('', 'text/plain') : null,
    '404 for what does not exist': async (request, inside) =>
      inside.isFile(pathOf(request)) ? null : altered(await refusal(inside, request), { status: 404 }),
    'headers in another order for what exists': async (request, inside) => {
      if (!inside.isFile(pathOf(request))) return null
      const response = await refusal(inside, request)
      const vary = response.headers.get('Vary') ?? ''
      return altered(response, { headers: { Vary: `${vary}, Accept` } })
    },
    'a login page in the language of a page, where there is one': (request, inside) => {
      const path = pathOf(request)
      return path.startsWith('/en/') && !inside.isFile(path) ? asIf('/none', request, inside) : null
    },
  }),
  ...foundBy('redirected', {
    'a redirect only for what exists': (request, inside) => {
      const path = pathOf(request).replace(/\/$/, '')
      return path !== pathOf(request) && inside.isFile(path)
        ? new Response(null, {
            status: 308,
            headers: { Location: path, 'Cache-Control': 'private, no-store' },
          })
        : null
    },
  }),
  ...foundBy('fault', {
    'a fault for some paths': (request) =>
      pathOf(request).includes('%C0') || /%c0/.test(pathOf(request))
        ? new Response('', { status: 500, headers: { 'Cache-Control': 'no-store' } })
        : null,
  }),
  ...foundBy('not-pinned', {
    'a list of releases for everybody': (request) =>
      pathOf(request) === '/__gate/publish/releases'
        ? invented('{"served":null,"releases":[]}', 'application/json')
        : null,
    'a debug route': (request) =>
      pathOf(request) === '/__docusaurus/debug' ? invented('ok', 'text/plain') : null,
  }),
  ...foundBy('login-language', {
    'a locale without a login page of its own': (request, inside) =>
      pathOf(request).startsWith('/en/') ? asIf('/none', request, inside) : null,
  }),
  ...[
    { name: 'a timing for files', found: 'not-uniform', headers: { 'Server-Timing': 'db;dur=1' } },
    { name: 'the type of a file', found: 'unknown-header', headers: { 'Content-Type': 'image/png' } },
    { name: 'a server with a word more', found: 'unknown-header', headers: { Server: 'nginx hit' } },
    { name: 'a name to save a refusal by', found: 'validator', headers: { 'Content-Disposition': 'inline' } },
    { name: 'a remark with a title', found: 'page-title', body: `<!-- ${PAGES[1]?.title} -->` },
  ].map(
    ({ name, found, ...change }): BrokenGate => ({
      name: `${name}, at what exists`,
      found: found as BrokenGate['found'], // as the rows above
      breakIt: async (request, inside) =>
        inside.isFile(pathOf(request)) && request.method === 'GET' && !headerHas(request, 'Cookie')
          ? altered(await refusal(inside, request), change)
          : null,
    }),
  ),
]

/** All of them; how many there are is stated in docs/assurance.md. */
export const ALL_BROKEN_GATES = [
  ...BROKEN_GATES,
  ...BROKEN_CONDITIONS,
  ...BROKEN_REFUSALS,
  ...BROKEN_SESSIONS,
]
