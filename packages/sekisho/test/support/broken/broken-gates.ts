import { CLIENT } from '@sekisho/server/testing'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import { FEED_SECRET, PAGES, SCRIPT_SECRET } from '../fixture-site.ts'
import {
  altered,
  asciiJson,
  type BrokenGate,
  decodeOrNull,
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
  {
    name: 'answers kept for the next client',
    found: 'protected-text',
    breakIt: keeping(() => true),
  },
  {
    name: 'search responses kept for the next client',
    found: 'page-title',
    breakIt: keeping((request) => pathOf(request) === '/__gate/search', foundPages),
  },
  {
    name: 'the reader kept for the next client',
    found: 'protected-text',
    breakIt: keeping((request) => pathOf(request) === '/__gate/session'),
  },
  {
    name: 'a prefix left open for assets',
    found: 'protected-text',
    breakIt: (request, { asReader }) => (pathOf(request).startsWith('/assets/') ? asReader(request) : null),
  },
  {
    name: 'a prefix match on an open route',
    found: 'protected-text',
    breakIt: (request, { asReader }) =>
      pathOf(request).startsWith('/__gate/login/assets/..%2f')
        ? asReader(request, decodeURIComponent(pathOf(request)).replace('/__gate/login/assets/../../..', ''))
        : null,
  },
  {
    name: 'an extension left open',
    found: 'protected-text',
    breakIt: (request, { asReader }) => (/\.(?:css|js)$/.test(pathOf(request)) ? asReader(request) : null),
  },
  {
    name: 'a header that names the user',
    found: 'protected-text',
    breakIt: (request, { asReader }) =>
      headerHas(request, 'X-Auth-Request-Email') ? asReader(request) : null,
  },
  {
    name: 'a header that marks a subrequest',
    found: 'protected-text',
    breakIt: (request, { asReader }) =>
      headerHas(request, 'x-middleware-subrequest') ? asReader(request) : null,
  },
  {
    name: 'an encoded slash decoded after the check',
    found: 'protected-text',
    breakIt: (request, { asReader }) =>
      /%2f/i.test(pathOf(request)) ? asReader(request, pathOf(request).replace(/%2f/gi, '/')) : null,
  },
  {
    name: 'double encoding decoded after the check',
    found: 'protected-text',
    breakIt: (request, { asReader }) => {
      const decoded = decodeOrNull(decodeOrNull(pathOf(request)) ?? '')
      return /%25[0-9a-f]{2}/i.test(pathOf(request)) && decoded !== null ? asReader(request, decoded) : null
    },
  },
  {
    name: 'a doubled slash collapsed after the check',
    found: 'protected-text',
    breakIt: (request, { asReader }) =>
      pathOf(request).includes('//') ? asReader(request, pathOf(request).replace(/\/{2,}/g, '/')) : null,
  },
  {
    name: 'case ignored after the check',
    found: 'protected-text',
    breakIt: (request, { asReader }) =>
      /[A-Z]{4}/.test(pathOf(request)) ? asReader(request, pathOf(request).toLowerCase()) : null,
  },
  {
    name: 'an ETag that tells what exists',
    found: 'validator',
    breakIt: async (request, inside) =>
      inside.isFile(pathOf(request))
        ? altered(await refusal(inside, request), { headers: { ETag: `"${pathOf(request).length}"` } })
        : null,
  },
  {
    name: '304 for a validator that matches',
    found: 'validator',
    breakIt: (request, inside) =>
      headerHas(request, 'If-None-Match') && inside.isFile(pathOf(request))
        ? new Response(null, { status: 304, headers: { 'Cache-Control': 'private, no-store' } })
        : null,
  },
  {
    name: 'refusals that a cache may keep',
    found: 'cacheable',
    breakIt: async (request, inside) =>
      pathOf(request).endsWith('.js')
        ? altered(await refusal(inside, request), { headers: { 'Cache-Control': 'public, max-age=60' } })
        : null,
  },
  {
    name: 'the search index left open',
    found: 'protected-text',
    breakIt: (request) =>
      pathOf(request) === '/search-index.json'
        ? invented(JSON.stringify(PAGES.map(({ secret }) => ({ t: secret }))), 'application/json')
        : null,
  },
  {
    name: 'search suggestions left open',
    found: 'page-title',
    breakIt: (request) =>
      pathOf(request) === '/__gate/search'
        ? invented('{"titles":["鍵の入れ替え手順"]}', 'application/json')
        : null,
  },
  {
    name: 'source maps left open',
    found: 'protected-text',
    breakIt: (request) =>
      pathOf(request).endsWith('.js.map')
        ? invented(JSON.stringify({ sourcesContent: [`const t="${SCRIPT_SECRET}"`] }), 'application/json')
        : null,
  },
  {
    name: 'a JSON index whose text is escaped',
    found: 'protected-text',
    breakIt: (request) =>
      pathOf(request) === '/routes.json' ? invented(asciiJson(SCRIPT_SECRET), 'application/json') : null,
  },
  {
    name: 'feeds left open',
    found: 'protected-text',
    breakIt: (request, { asReader }) =>
      /\/(?:rss|atom)\.xml$/.test(pathOf(request)) ? asReader(request) : null,
  },
  {
    name: 'the site map left open',
    found: 'file-name',
    breakIt: (request) =>
      pathOf(request) === '/sitemap-index.xml'
        ? invented('<loc>/blog/rss.xml</loc>', 'application/xml')
        : null,
  },
  {
    name: 'llms.txt left open',
    found: 'protected-text',
    breakIt: (request) => (pathOf(request) === '/llms.txt' ? invented(FEED_SECRET, 'text/plain') : null),
  },
  {
    name: 'HEAD left open',
    found: 'answered',
    breakIt: (request, { asReader }) => (request.method === 'HEAD' ? asReader(request) : null),
  },
  {
    name: 'ranges left open',
    found: 'protected-text',
    breakIt: (request, { asReader }) => (headerHas(request, 'Range') ? asReader(request) : null),
  },
  {
    name: 'a query that skips the check',
    found: 'protected-text',
    breakIt: (request, { asReader }) => (request.url.includes('?import') ? asReader(request) : null),
  },
  {
    name: 'a health checker that skips the check',
    found: 'protected-text',
    breakIt: (request, { asReader }) =>
      /^(?:GoogleHC|kube-probe)/.test(request.headers.get('User-Agent') ?? '') ? asReader(request) : null,
  },
  {
    name: 'an address that skips the check',
    found: 'protected-text',
    breakIt: (request, { asReader }) =>
      request.headers.get('X-Forwarded-For')?.startsWith('127.') === true ? asReader(request) : null,
  },
  {
    name: 'a method override that skips the check',
    found: 'protected-text',
    breakIt: (request, { asReader }) =>
      headerHas(request, 'X-HTTP-Method-Override') ? asReader(request) : null,
  },
  {
    name: 'an unchecked method',
    found: 'not-uniform',
    breakIt: (request, inside) =>
      request.method === 'OPTIONS' && inside.isFile(pathOf(request)) ? invented('', 'text/plain') : null,
  },
  {
    name: '404 for what does not exist',
    found: 'not-uniform',
    breakIt: async (request, inside) =>
      inside.isFile(pathOf(request)) ? null : altered(await refusal(inside, request), { status: 404 }),
  },
  {
    name: 'a redirect only for what exists',
    found: 'redirected',
    breakIt: (request, inside) => {
      const path = pathOf(request).replace(/\/$/, '')
      return path !== pathOf(request) && inside.isFile(path)
        ? new Response(null, {
            status: 308,
            headers: { Location: path, 'Cache-Control': 'private, no-store' },
          })
        : null
    },
  },
  {
    name: 'headers in another order for what exists',
    found: 'not-uniform',
    breakIt: async (request, inside) => {
      if (!inside.isFile(pathOf(request))) return null
      const response = await refusal(inside, request)
      const vary = response.headers.get('Vary') ?? ''
      return altered(response, { headers: { Vary: `${vary}, Accept` } })
    },
  },
  {
    name: 'the page title in the login page',
    found: 'page-title',
    breakIt: async (request, inside) => {
      const page = PAGES.find(({ path }) => encodeURI(path) === pathOf(request))
      const response = await refusal(inside, request)
      const html = await response.text()
      if (page === undefined || !html.includes('<title>')) return null
      return altered(response, { body: html.replace('<title>', `<title>${page.title}: `) })
    },
  },
  {
    name: 'a preload hint that names a script',
    found: 'file-name',
    breakIt: async (request, inside) =>
      altered(await refusal(inside, request), {
        headers: { Link: '</assets/js/keys-rotation.4e5f6a7b.js>; rel=preload' },
      }),
  },
  {
    name: 'a compressed copy sent without saying so',
    found: 'protected-text',
    breakIt: async (request, { asReader }) => {
      if (pathOf(request) !== '/docs/secret.br') return null
      const inner = new Request(request.url, { headers: { 'Accept-Encoding': 'br' } })
      const response = await asReader(inner, '/docs/secret')
      response.headers.delete('Content-Encoding')
      return altered(response, { headers: { 'Content-Type': 'application/octet-stream' } })
    },
  },
  {
    name: 'a fault for some paths',
    found: 'fault',
    breakIt: (request) =>
      pathOf(request).includes('%C0') || /%c0/.test(pathOf(request))
        ? new Response('', { status: 500, headers: { 'Cache-Control': 'no-store' } })
        : null,
  },
  {
    name: 'credentials of a publisher that open pages',
    found: 'protected-text',
    breakIt: (request, { asReader }) => (headerHas(request, 'Authorization') ? asReader(request) : null),
  },
  {
    name: 'a list of releases for everybody',
    found: 'not-pinned',
    breakIt: (request) =>
      pathOf(request) === '/__gate/publish/releases'
        ? invented('{"served":null,"releases":[]}', 'application/json')
        : null,
  },
  {
    name: 'a login page in the language of a page, where there is one',
    found: 'not-uniform',
    breakIt: (request, inside) => {
      const path = pathOf(request)
      return path.startsWith('/en/') && !inside.isFile(path) ? asIf('/none', request, inside) : null
    },
  },
  {
    name: 'a locale without a login page of its own',
    found: 'login-language',
    breakIt: (request, inside) =>
      pathOf(request).startsWith('/en/') ? asIf('/none', request, inside) : null,
  },
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
  {
    name: 'a debug route',
    found: 'not-pinned',
    breakIt: (request) => (pathOf(request) === '/__docusaurus/debug' ? invented('ok', 'text/plain') : null),
  },
]

/** All of them; how many there are is stated in docs/assurance.md. */
export const ALL_BROKEN_GATES = [
  ...BROKEN_GATES,
  ...BROKEN_CONDITIONS,
  ...BROKEN_REFUSALS,
  ...BROKEN_SESSIONS,
]
