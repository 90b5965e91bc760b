import { PAGES } from '../fixture-site.ts'
import { altered, type BrokenGate, foundBy, pathOf, refusal } from './break-gate.ts'

/** Gates whose refusals say more than that they refuse. */
export const BROKEN_REFUSALS: readonly BrokenGate[] = [
  ...foundBy('page-title', {
    'the name of a request that holds a title': async (request, inside) => {
      const page = PAGES.find(({ path }) => encodeURI(path) === pathOf(request))
      const name = page === undefined ? 'f3Jk2-17' : encodeURI(page.title)
      return altered(await refusal(inside, request), { headers: { 'X-Request-Id': name } })
    },
  }),
  ...foundBy('not-uniform', {
    'the size of a file in a refusal of HEAD': async (request, inside) => {
      if (request.method !== 'HEAD' || !inside.isFile(pathOf(request))) return null
      const { headers } = await inside.asReader(request)
      const response = await refusal(inside, request)
      response.headers.set('Content-Length', headers.get('Content-Length') ?? '0')
      return response
    },
  }),
  ...foundBy('unknown-header', {
    'a cookie for whoever asks for a page that exists': async (request, inside) =>
      inside.isFile(pathOf(request))
        ? altered(await refusal(inside, request), { headers: { 'Set-Cookie': 'wanted=1; Path=/' } })
        : null,
    'another origin that may read with credentials': async (request, inside) => {
      const origin = request.headers.get('Origin')
      return origin === null
        ? null
        : altered(await refusal(inside, request), {
            headers: { 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true' },
          })
    },
  }),
  ...foundBy('not-pinned', {
    'a folder of the machine in the answer to what cannot be decoded': async (request, inside) =>
      /%(?![0-9a-f]{2})/i.test(pathOf(request))
        ? altered(await refusal(inside, request), {
            body: 'URIError: URI malformed\n    at read (/srv/portal/packages/gate/src/app.ts:80:17)',
          })
        : null,
  }),
  ...foundBy('missing-header', {
    'refusals of a method without the security headers': async (request, inside) => {
      if (request.method !== 'DELETE') return null
      const response = await altered(await refusal(inside, request), {})
      for (const name of ['Content-Security-Policy', 'X-Content-Type-Options', 'X-Frame-Options'])
        response.headers.delete(name)
      return response
    },
  }),
]
