import type { GateRequest, GateResponse } from '@sekisho/wire'
import { PAGES } from '../fixture-site.ts'
import {
  altered,
  type BrokenGate,
  foundBy,
  headerHas,
  type Inside,
  invented,
  pathOf,
  queryOf,
  refusal,
} from './break-gate.ts'

/** The page a request is for, as a portal that unfurls, exports or describes pages would say it. */
const titleAt = (path: string) =>
  PAGES.find((page) => encodeURI(page.path) === path)?.title ?? PAGES[1]?.title

/** Answers requests of a kind as a reader's. */
const opensFor =
  (isLetIn: (request: GateRequest) => boolean): BrokenGate['breakIt'] =>
  (request, { asReader }) =>
    isLetIn(request) ? asReader(request) : null

/** A page in another form of its bytes. */
const encodedFor =
  (
    isAsked: (request: GateRequest) => boolean,
    type: string,
    encode: (page: Buffer) => Buffer,
  ): BrokenGate['breakIt'] =>
  async (request, { asReader, isFile }) => {
    if (!isAsked(request) || !isFile(pathOf(request))) return null
    const page = Buffer.from(await (await asReader(request)).arrayBuffer())
    const response = invented('', type)
    response.headers.delete('Content-Length')
    return new Response(new Uint8Array(encode(page)), { headers: response.headers })
  }

/** The prover's ordinary lanes: more at once are its crowd. */
const LANES = 8

/** Counts what is asked at the same time, as a gate does that gives up checking when it has too much to do: slow in a crowd, so that one gathers on any machine. */
function whenCrowded(limit: number): BrokenGate['breakIt'] {
  let asking = 0
  return async (request, inside) => {
    asking += 1
    const isCrowded = asking > limit
    await new Promise((resolve) => setTimeout(resolve, asking > LANES ? 50 : 2))
    const response = await (isCrowded ? inside.asReader(request) : refusal(inside, request))
    asking -= 1
    return response
  }
}

/** Gates that open, or disclose something, under a certain condition. */
export const BROKEN_CONDITIONS: readonly BrokenGate[] = [
  ...foundBy('protected-text', {
    'a check that gives up above 48 requests at once': whenCrowded(48),
    'pages to print left open': opensFor((request) => queryOf(request).get('print') === '1'),
    'pictures for pages of the portal, told by their Referer': opensFor(
      (request) =>
        request.headers.get('Referer')?.startsWith('https://portal.test/') === true &&
        request.headers.get('Sec-Fetch-Dest') === 'image',
    ),
  }),
  ...foundBy('not-pinned', {
    'a parameter repeated in the login page': async (request, inside) => {
      const [value] = [...queryOf(request).values()]
      const response = await refusal(inside, request)
      const html = await response.text()
      return value && html.includes('</body>')
        ? altered(response, { body: html.replace('</body>', `<p>${value}</p></body>`) })
        : null
    },
  }),
  ...foundBy('unknown-header', {
    'the release named to speakers of one language': async (request, inside) =>
      request.headers.get('Accept-Language')?.startsWith('ja') === true
        ? altered(await refusal(inside, request), {
            headers: { 'Server-Timing': 'release;desc="20261123-1"' },
          })
        : null,
  }),
  ...foundBy('page-title', {
    'searches by POST left open': (request) =>
      request.method === 'POST' && pathOf(request) === '/__gate/search'
        ? invented(JSON.stringify({ pages: PAGES.map(({ title }) => title) }), 'application/json')
        : null,
  }),
  ...foundBy('answered', {
    'feedback taken from everybody': (request) =>
      request.method === 'POST' && pathOf(request) === '/__gate/feedback'
        ? new Response(null, { status: 204, headers: { 'Cache-Control': 'private, no-store' } })
        : null,
  }),
  // Invented before the prover was taught anything for them.
  ...foundBy('protected-text', {
    'a page shown to programs that unfurl links': opensFor((request) =>
      /^Slackbot-LinkExpanding/.test(request.headers.get('User-Agent') ?? ''),
    ),
    'a file by its hash': (request, { asReader, pathOfDigest }) => {
      const path = pathOfDigest(/^\/__gate\/blobs\/([0-9a-f]{64})$/.exec(pathOf(request))?.[1] ?? '')
      return path === null ? null : asReader(request, path)
    },
    'parts of pages for scripts of a page': opensFor((request) => headerHas(request, 'X-PJAX')),
    'a small form of pages for who saves data': opensFor(
      (request) => request.headers.get('Save-Data') === 'on',
    ),
    'a cookie for previews of a host that skips the check': opensFor((request) =>
      /__prerender_bypass=/.test(request.headers.get('Cookie') ?? ''),
    ),
    'a check that long addresses skip': opensFor((request) => request.url.length > 4_096),
    'every thousandth request let in': (() => {
      let requests = 0
      return (request: GateRequest, { asReader }: Inside) => {
        requests += 1
        return requests % 1_000 === 0 ? asReader(request) : null
      }
    })(),
    'who fails too often from one address is let in': (() => {
      let failures = 0
      return async (request: GateRequest, inside: Inside): Promise<GateResponse> => {
        const response = await refusal(inside, request)
        if (response.status === 401) failures += 1
        return failures > 1_500 ? inside.asReader(request) : response
      }
    })(),
    'whoever asks behind a health check is let in': (() => {
      let isBehind = false
      return (request: GateRequest, { asReader }: Inside) => {
        const wasBehind = isBehind
        isBehind = pathOf(request) === '/__gate/health'
        return wasBehind && !isBehind ? asReader(request) : null
      }
    })(),
  }),
  ...foundBy('page-title', {
    'titles told by oEmbed': (request) => {
      const url = URL.parse(queryOf(request).get('url') ?? '')
      return pathOf(request) === '/oembed' && url !== null
        ? invented(JSON.stringify({ type: 'link', title: titleAt(url.pathname) }), 'application/json')
        : null
    },
    'titles by GraphQL': (request) =>
      request.method === 'POST' && pathOf(request) === '/graphql'
        ? invented(
            JSON.stringify({ data: { pages: PAGES.map(({ title }) => ({ title })) } }),
            'application/json',
          )
        : null,
    'a health check that tells titles to who asks for details': (request) =>
      pathOf(request) === '/__gate/health' && queryOf(request).has('verbose')
        ? invented(JSON.stringify({ pages: PAGES.map(({ title }) => title) }), 'application/json')
        : null,
  }),
  ...foundBy('answered', {
    'a page in UTF-16 for who asks for it': encodedFor(
      (request) => /utf-16/i.test(request.headers.get('Accept-Charset') ?? ''),
      'text/html; charset=utf-16',
      (page) => Buffer.from(page.toString('utf8'), 'utf16le'),
    ),
    'an archive of a page, in base64': encodedFor(
      (request) => request.headers.get('Accept')?.includes('multipart/related') === true,
      'multipart/related',
      (page) => Buffer.from(page.toString('base64')),
    ),
  }),
  // Invented in November 2026, before the prover was taught anything for them.
  ...foundBy('protected-text', {
    'who asks through a network of caches is let in': opensFor((request) => headerHas(request, 'CDN-Loop')),
    'a method in the address that skips the check': opensFor(
      (request) => queryOf(request).get('_method') === 'GET',
    ),
  }),
  ...foundBy('redirected', {
    'who asks without TLS is sent on, where a page exists': async (request, inside) =>
      request.headers.get('X-Forwarded-Proto') === 'http' && inside.isFile(pathOf(request))
        ? altered(await refusal(inside, request), { status: 308, headers: { Location: pathOf(request) } })
        : null,
  }),
]
