import type { GateResponse } from '@sekisho/wire'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestGate, NAVIGATION, type TestGate } from './testing/test-gate.ts'

let portal: TestGate
let cookie: string

beforeAll(async () => {
  portal = await createTestGate()
  cookie = await portal.signIn()
})
afterAll(() => portal[Symbol.asyncDispose]())

async function whole(response: GateResponse): Promise<string> {
  return JSON.stringify([response.status, [...response.headers], await response.text()])
}

/** Existing, missing and hostile: an anonymous client must not be able to tell them apart. */
const PATHS = [
  '/',
  '/docs/guide',
  '/docs/guide/',
  '/docs/guide/index.html',
  '/docs/guide.html',
  '/docs',
  '/docs/%E7%92%B0%E5%A2%83',
  '/404.html',
  '/assets/js/main.0a1b2c3d.js',
  '/img/logo.svg',
  '/files/manual.pdf',
  '/blog/rss.xml',
  '/sitemap.xml',
  '/robots.txt',
  '/llms.txt',
  '/.well-known/llms.txt',
  '/.git/config',
  '/.env',
  '/manifest.json',
  '/search.db',
  '/favicon.ico',
  '/metrics',
  '/__gate',
  '/__gate/',
  '/__gate/login',
  '/__gate/login/',
  '/__gate/login/assets/',
  '/__gate/login/assets/none.js',
  '/__gate/login/assets/login-1.js/',
  '/__gate/login/assets/login-1.js%2F..%2Fx',
  '/__gate/login/assets/login-1.js;x',
  '/__gate/health/',
  '/__gate/health.json',
  '/__gate/Health',
  '/__gate/%68ealth',
  '/__gate/search?q=a',
  '/__/auth/handler/x',
  '/__/auth/',
  '//docs/guide',
  '/docs%2Fguide',
  '/%64ocs/guide',
  '/docs/%e7%92%b0%e5%a2%83',
  '/docs/C%2B%2B',
  '/docs/guide?x=/__gate/health',
  '/docs/guide?/__gate/login/assets/login-1.js',
  '/docs/guide;/__gate/health',
  '/DOCS/Guide',
  '/docs/guide%00.css',
  '/docs/%zz',
]

const HEADERS: readonly (readonly [row: string, headers: Record<string, string>])[] = [
  ['none', {}],
  ['22 method override', { 'X-HTTP-Method-Override': 'GET' }],
  ['23 range', { Range: 'bytes=0-10' }],
  ['23 many ranges', { Range: 'bytes=0-1,2-3,4-5', 'If-Range': '"x"' }],
  ['24 any ETag', { 'If-None-Match': '*' }],
  ['24 date', { 'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' }],
  ['25 framework-internal', { 'x-middleware-subrequest': 'middleware:middleware:middleware' }],
  ['26 original URL', { 'X-Original-URL': '/__gate/health', 'X-Rewrite-URL': '/__gate/health' }],
  ['26 forwarded path', { 'X-Forwarded-Uri': '/__gate/health', 'X-Forwarded-Prefix': '/__gate' }],
  ['27 underscore alias', { X_Forwarded_Proto: 'https', X_FORWARDED_FOR: '127.0.0.1' }],
  ['28 hop-by-hop', { 'X-User': 'a@example.co.jp' }],
  ['29 health checker', { 'User-Agent': 'GoogleHC/1.0' }],
  ['29 probe', { 'User-Agent': 'kube-probe/1.30' }],
  ['30 loopback client', { 'X-Forwarded-For': '127.0.0.1', 'X-Real-IP': '127.0.0.1' }],
  ['31 other host', { 'X-Forwarded-Host': 'evil.test', 'X-Forwarded-Proto': 'http' }],
  [
    '32 injected identity',
    { 'X-Auth-Request-Email': 'a@example.co.jp', 'Remote-User': 'a', Authorization: 'Bearer owner' },
  ],
  [
    '32 injected proxy identity',
    { 'X-Goog-Authenticated-User-Email': 'a@example.co.jp', 'Cf-Access-Jwt-Assertion': 'x' },
  ],
  [
    '34 cross-site',
    { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' },
  ],
  ['35 prefetch', { Purpose: 'prefetch', 'Sec-Purpose': 'prefetch;prerender' }],
  ['37 malformed cookie', { Cookie: '__Host-sekisho=%%%' }],
  ['37 huge cookie', { Cookie: `__Host-sekisho=${'a'.repeat(8_000)}` }],
  ['37 empty cookie', { Cookie: '__Host-sekisho=' }],
  ['56 guessed cookie', { Cookie: `__Host-sekisho=${'A'.repeat(43)}` }],
  ['38 unprefixed cookie', { Cookie: `sekisho=${'A'.repeat(43)}` }],
]

const METHODS = ['GET', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']

describe('an anonymous client', () => {
  it.each(HEADERS)('gets one answer for every path with header: %s', async (_row, headers) => {
    const answers = new Set<string>()
    for (const path of PATHS) answers.add(await whole(await portal.ask(path, { headers })))
    expect(answers.size).toBe(1)
    expect([...answers][0]).toMatch(/^\[401,.*"private, no-store"/)
  })

  it.each(METHODS)('gets one answer for every path with %s', async (method) => {
    const answers = new Set<string>()
    for (const path of PATHS) {
      answers.add(await whole(await portal.ask(path, { method })))
      answers.add(await whole(await portal.ask(path, { method: 'GET' })))
    }
    expect(answers.size).toBe(1)
  })

  it('gets the login page at every path it navigates to, and HEAD without its body', async () => {
    const answers = new Set<string>()
    for (const path of PATHS) answers.add(await whole(await portal.ask(path, { headers: NAVIGATION })))
    expect(answers.size).toBe(1)
    const [answer = ''] = answers
    expect(answer).toContain('ログイン | Sekisho')
    for (const hidden of ['手引き', 'guide', '環境', 'ホーム']) expect(answer).not.toContain(hidden)
    const head = await portal.ask('/docs/guide', { method: 'HEAD', headers: NAVIGATION })
    expect([head.status, await head.text()]).toEqual([401, ''])
  })

  it.each([
    ['a browser', NAVIGATION, 'text/html; charset=utf-8'],
    ['Accept alone', { Accept: 'application/xhtml+xml,TEXT/HTML;q=0.9' }, 'text/html; charset=utf-8'],
    ['anything', { Accept: '*/*' }, 'application/problem+json'],
    ['JSON', { Accept: 'application/json' }, 'application/problem+json'],
    ['Markdown', { Accept: 'text/markdown' }, 'application/problem+json'],
    ['a script', { Accept: '*/*', 'Sec-Fetch-Mode': 'no-cors' }, 'application/problem+json'],
  ])('35 gets the shape that fits %s', async (_row, headers, type) => {
    const response = await portal.ask('/docs/guide', { headers })
    expect([response.status, response.headers.get('content-type')]).toEqual([401, type])
  })

  it.each([
    ['x', '/docs/guide'],
    ['', '/docs/guide'],
    ['x', '/__gate/session'],
    ['A'.repeat(43), '/__gate/session'],
  ])('37 loses a stale cookie %j at %s', async (value, path) => {
    const headers = { ...NAVIGATION, Cookie: `__Host-sekisho=${value}` }
    const response = await portal.ask(path, { headers })
    expect(response.headers.getSetCookie()[0]).toMatch(/^__Host-sekisho=; .*Max-Age=0; .*Secure/)
  })

  it('gets the open surface and nothing beside it', async () => {
    const open = ['/__gate/health', '/__gate/live', '/__gate/login/assets/login-1.js']
    for (const path of open) expect((await portal.ask(path)).status).toBe(200)
    expect((await portal.ask('/__gate/health', { method: 'POST' })).status).toBe(405)
    expect((await portal.ask('/__gate/session')).status).toBe(401)
  })

  it('38 is not let in by a good cookie sent twice, quoted, or under another name', async () => {
    const [own = ''] = cookie.split('; ')
    const value = own.split('=')[1]
    for (const header of [
      `${own}; ${own}`,
      `__Host-sekisho=x; ${own}`,
      `__Host-sekisho="${value}"`,
      `sekisho=${value}`,
    ]) {
      expect((await portal.ask('/docs/guide', { headers: { Cookie: header } })).status).toBe(401)
    }
  })
})
