import type { HeaderLine, WireRequest } from '@sekisho/verify'

interface HostileOptions {
  /** Sessions of attackers who may read. */
  readonly cookies: readonly string[]
  readonly host: string
}

const FORM: HeaderLine = ['Content-Type', 'application/x-www-form-urlencoded']
const JSON_BODY: HeaderLine = ['Content-Type', 'application/json']
/** A request line and its headers share 16 KB. */
const LONG = 12_000
const long = (pump: string) => pump.repeat(Math.ceil(LONG / pump.length)).slice(0, LONG)

const originOf = (host: string): HeaderLine => ['Origin', `https://${host}`]

type Kind = (n: number, cookie: HeaderLine, host: string) => WireRequest

const get = (target: string, ...headers: readonly HeaderLine[]): WireRequest => ({
  method: 'GET',
  target,
  headers,
})
const post = (target: string, body: string, ...headers: readonly HeaderLine[]): WireRequest => ({
  ...{ method: 'POST', target, body, headers },
})
/** Behind the trusted proxy, each from a network of its own. */
const from = (n: number): HeaderLine => ['X-Forwarded-For', `2001:db8:${(n % 65_536).toString(16)}::1`]
const code = (n: number) => n.toString(36).padStart(43, 'x')

/** Fifteen kinds, by strangers from ever new networks and by readers. */
const KINDS: readonly Kind[] = [
  (n) =>
    post('/mcp', `{"a":"${'/'.repeat(64_000)}"}`, from(n), JSON_BODY, ['Authorization', `Bearer ${code(n)}`]),
  (n) =>
    post(
      '/oauth/register',
      `{"client_name":"${n}","redirect_uris":["https://a.test/${n}"]}`,
      from(n),
      JSON_BODY,
    ),
  (n) =>
    post(
      '/oauth/token',
      `grant_type=refresh_token&client_id=${n}&refresh_token=${long('%25').slice(0, 6_000)}`,
      from(n),
      FORM,
    ),
  (n) => post('/oauth/revoke', `token=${code(n)}&client_id=${long('é').slice(0, 3_000)}`, from(n), FORM),
  (n, cookie) =>
    get(`/oauth/authorize?response_type=code&client_id=https%3A%2F%2Fslow-${n}.invalid%2Fc`, cookie),
  (n, _, host) =>
    post('/__gate/session', `{"idToken":${'['.repeat(3_000)}${n}`, from(n), JSON_BODY, originOf(host)),
  (n, cookie) =>
    get(`/__gate/search?q=${encodeURIComponent(`${'が\u0301\u{e0100}付'.repeat(20)}${n}`)}`, cookie),
  (_, cookie) => get('/__gate/search-page?q=%F0%9F%98', cookie, ['Accept-Language', long('ja;q=0.1,')]),
  (_, cookie) => get('/docs/secret', cookie, ['Range', `bytes=${long('0-1,')}2-3`]),
  (_, cookie) => get('/docs/secret', cookie, ['If-None-Match', long('W/"a",')]),
  (n) => get(`/docs/${n}`, ['Cookie', long(`__Host-sekisho-sign-in-${n}=x; `)]),
  (n) => get(`/${n}/${long('%252e%252e%255c').slice(0, 8_000)}`, from(n)),
  (n) => get(`/docs/${n}`, ['X-Forwarded-For', `${long('1.2.3.4:5, ')}192.0.2.${n % 256}`]),
  (n) =>
    post('/__gate/publish/plan', `{"${'a'.repeat(4_000)}":${n}}`, from(n), JSON_BODY, [
      'Authorization',
      `Bearer ${code(n)}`,
    ]),
  (n, cookie, host) =>
    post(
      '/__gate/feedback',
      `{"page":"/docs/secret","helpful":false,"comment":"${'あ'.repeat(300)}${n}"}`,
      cookie,
      JSON_BODY,
      originOf(host),
    ),
]

/** Requests of each kind in turn, no two of them alike, until the time is over. */
export function* hostileRequests(
  untilMs: number,
  { cookies, host }: HostileOptions,
): Generator<{ readonly request: WireRequest; readonly kind: number }> {
  for (let n = 0; performance.now() < untilMs; n += 1) {
    const kind = n % KINDS.length
    const cookie: HeaderLine = ['Cookie', cookies[Math.floor(n / KINDS.length) % cookies.length] ?? '']
    const request = KINDS[kind]?.(n, cookie, host)
    if (request !== undefined) yield { request, kind: kind + 1 }
  }
}
