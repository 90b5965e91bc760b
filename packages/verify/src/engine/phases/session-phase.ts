import { encodePath } from '@sekisho/contract/canonical-path'
import { cookieNames } from '@sekisho/contract/cookies'
import { AGENT_ROUTES, PORTAL_ROUTES, ROUTES } from '@sekisho/contract/routes'
import { fillTemplate } from '../../catalogue/template.ts'
import { HEADER_ROWS } from '../../catalogue/threats.ts'
import { findHeader, type HeaderLine, type WireRequest } from '../../client/request.ts'
import type { WireOutcome } from '../../client/response.ts'
import { problemOf } from '../../texts/index.ts'
import { describeRequest, type Rule } from '../answers/findings.ts'
import { NAVIGATION, navigationTo, type Probe } from '../probing/probes.ts'
import { ReaderRefusedError, type SessionsToEnd } from '../probing/reader.ts'
import type { Run } from '../probing/run.ts'
import type { Target } from '../probing/targets.ts'

const SIGNED_OUT = 'after signing out'
/** Parameters in which other products look for a token. */
const PARAMETERS = ['token', 'access_token', 'session', 'sekisho', 'sid', 'auth', 'jwt', 'key']
const SCHEMES = ['Bearer', 'Token', 'Session']
const TOKEN_HEADERS = [
  'X-Session-Token',
  'X-Auth-Token',
  'X-Access-Token',
  'X-Api-Key',
  'Proxy-Authorization',
]

/** Every address that answers readers by itself, as a page asks for it. */
const READER_REQUESTS: readonly WireRequest[] = PORTAL_ROUTES.filter(
  ({ access, path }) => access === 'reader' || path === ROUTES.session.path || path === ROUTES.sessions.path,
)
  .filter(({ methods }) => methods.includes('GET'))
  .map(({ path }) => ({ method: 'GET', target: path, headers: [['Accept', '*/*']] }))

/**
 * Shows a living token everywhere but in its cookie, and cut or altered in it: each must be refused like any stranger. Then loads
 * as another site would make a reader's browser load, with the cookie.
 */
export async function askWithToken(run: Run, cookie: string): Promise<void> {
  const { client } = run.options
  const probes = run.targets.sample.flatMap((target) => misplaced(target, cookie))
  await client.exchangeAll(probes, (probe, outcome) => run.uniformity.note(probe, run.take(probe, outcome)))
  const loads = run.targets.sample.flatMap((target) => crossSiteLoads(target, cookie))
  await client.exchangeAll(loads, ({ request, row }, outcome) => {
    if (isRefused(outcome)) return
    report(run, 'cross-site', request, row, outcome)
  })
  await askRefused(run, 'cross-site', toAgents(cookie), 'a reader’s cookie where agents ask')
}

/** Requests a resource that is always refused. */
async function askRefused(run: Run, rule: Rule, request: WireRequest, row: string): Promise<void> {
  const outcome = await run.options.client.exchange(request)
  if (!isRefused(outcome)) report(run, rule, request, row, outcome)
}

/** Reads with the sessions, ends them, and asks with them for everything that was theirs. */
export async function askAfterSignOut(run: Run, { one, together }: SessionsToEnd): Promise<void> {
  for (const cookie of [one, ...together]) await readWith(run, cookie)
  await endSessions(run, ROUTES.session.path, one, [one])
  const [first] = together
  if (first !== undefined) await endSessions(run, ROUTES.sessions.path, first, together)
}

/** Sends the cookie once, so that caches of sessions have seen it. */
async function readWith(run: Run, cookie: string): Promise<void> {
  const probes = run.targets.sample.map((target) => {
    const { request } = navigationTo(target)
    return { request: { ...request, headers: [...request.headers, ['Cookie', cookie] as const] } }
  })
  let read = 0
  await run.options.client.exchangeAll(probes, (_, outcome) => {
    if (outcome.kind === 'response' && outcome.response.status === 200) read += 1
  })
  if (read === 0) throw new ReaderRefusedError(problemOf('ended_session_refused'))
}

async function endSessions(run: Run, path: string, by: string, ended: readonly string[]): Promise<void> {
  const { client, host } = run.options
  const scheme = by.includes(`${cookieNames(true).session}=`) ? 'https' : 'http'
  const origin: HeaderLine = ['Origin', `${scheme}://${host}`]
  const request: WireRequest = { method: 'DELETE', target: path, headers: [origin, ['Cookie', by]] }
  const elsewhere = { ...request, headers: [...ANOTHER_SITE, ['Cookie', by] as const] }
  await askRefused(run, 'cross-site', elsewhere, 'signing out from another site')
  const outcome = await client.exchange(request)
  if (outcome.kind !== 'response' || outcome.response.status !== 204)
    report(run, 'session-lives', request, 'signing out', outcome)
  else if (findHeader(outcome.response.headers, 'Clear-Site-Data') === null)
    run.findings.add({
      rule: 'missing-header',
      request: describeRequest(request),
      row: 'signing out',
      detail: 'the browser is not told to empty its cache',
    })
  for (const cookie of ended) await askAsEnded(run, cookie)
}

async function askAsEnded(run: Run, cookie: string): Promise<void> {
  const files = [...run.targets.sample, ...run.targets.files.slice(0, 100)].map(({ path }) => path)
  const pages = files.map((path) => ({ method: 'GET', target: encodePath(path), headers: NAVIGATION }))
  const titles = [...run.options.release.files.values()].flatMap(({ title }) => title ?? []).slice(0, 4)
  const searches = titles.map((title) => ({
    method: 'GET',
    target: `${ROUTES.search.path}?q=${encodeURIComponent(title)}`,
    headers: [['Accept', '*/*'] as const],
  }))
  const heads = pages.slice(0, run.targets.sample.length).map((request) => ({ ...request, method: 'HEAD' }))
  const conditional = HEADER_ROWS.filter(({ headers }) => findHeader(headers, 'If-None-Match') !== null)
  const kept = run.targets.sample.flatMap((target) =>
    conditional.map(({ headers }) => ({
      method: 'GET',
      target: encodePath(target.path),
      headers: headers.map(([name, value]) => [name, fillTemplate(value, target)] as const),
    })),
  )
  const probes = [...pages, ...heads, ...kept, ...READER_REQUESTS, ...searches].map((request) => ({
    request: { ...request, headers: [...request.headers, ['Cookie', cookie] as const] },
    row: SIGNED_OUT,
  }))
  await run.options.client.exchangeAll(probes, ({ request, row }, outcome) => {
    run.take({ request, row, manner: 'ordinary' }, outcome)
    if (!isRefused(outcome)) report(run, 'session-lives', request, row, outcome)
  })
}

const ANOTHER_SITE: readonly HeaderLine[] = [
  ['Origin', 'https://another.example'],
  ['Sec-Fetch-Site', 'cross-site'],
]

/** An agent's first request; a browser's cookie does not count there. */
function toAgents(cookie: string): WireRequest {
  const hello = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'verify', version: '1' } },
  }
  const headers: readonly HeaderLine[] = [
    ['Content-Type', 'application/json'],
    ['Accept', 'application/json, text/event-stream'],
    ['Cookie', cookie],
  ]
  return { method: 'POST', target: AGENT_ROUTES.mcp.path, headers, body: JSON.stringify(hello) }
}

function report(run: Run, rule: Rule, request: WireRequest, row: string, outcome: WireOutcome): void {
  const answer = outcome.kind === 'response' ? `answered ${outcome.response.status}` : outcome.kind
  run.findings.add({ rule, request: describeRequest(request), row, detail: answer })
}

const isRefused = (outcome: WireOutcome) => outcome.kind !== 'response' || outcome.response.status >= 400

/** The token in every other place, and in its own one cut, altered and under other names. */
function misplaced(target: Target, cookie: string): Probe[] {
  const { name, token } = readSession(cookie)
  const path = fillTemplate('{path}', target)
  const half = token.slice(0, token.length / 2)
  const other = cookieNames(!name.startsWith('__Host-')).session
  const probe = (place: string, line: HeaderLine | null, parameter = ''): Probe => {
    const headers = line === null ? NAVIGATION : [...NAVIGATION, line]
    const query = parameter === '' ? '' : `?${parameter}=${token}`
    const row = `a token ${place}`
    const request = { method: 'GET', target: path + query, headers }
    return { request, row, group: `${row} / ${target.shape}`, manner: 'unusual', target }
  }
  const inCookie = (place: string, value: string) => probe(place, ['Cookie', value])
  return [
    ...PARAMETERS.map((parameter) => probe(`as parameter ${parameter}`, null, parameter)),
    ...TOKEN_HEADERS.map((header) => probe(`in ${header}`, [header, token])),
    ...SCHEMES.map((scheme) => probe(`as ${scheme}`, ['Authorization', `${scheme} ${token}`])),
    probe('as a user’s name', ['Authorization', `Basic ${Buffer.from(`${token}:`).toString('base64')}`]),
    ...['Cookie2', 'X-Cookie'].map((header) => probe(`in ${header}`, [header, cookie])),
    inCookie('under the name without or with its prefix', `${other}=${token}`),
    inCookie('under its name in capitals', `${name.toUpperCase()}=${token}`),
    inCookie('cut in half', `${name}=${half}`),
    inCookie('with another second half', `${name}=${half}${'A'.repeat(token.length - half.length)}`),
    inCookie('with another first half', `${name}=${'A'.repeat(half.length)}${token.slice(half.length)}`),
    inCookie('with a letter more', `${name}=${token}A`),
    inCookie('in small letters', `${name}=${token.toLowerCase()}`),
  ]
}

function readSession(cookie: string): { readonly name: string; readonly token: string } {
  const names = [cookieNames(true).session, cookieNames(false).session]
  for (const part of cookie.split('; ')) {
    const [name = '', token = ''] = part.split('=')
    if (names.includes(name)) return { name, token }
  }
  return { name: '', token: '' }
}

/** Requests that another site's page makes a browser send, and those that load service workers. */
function crossSiteLoads(target: Target, cookie: string) {
  const rows = HEADER_ROWS.filter(({ headers }) => headers.some(([, value]) => value === 'cross-site'))
  const worker: HeaderLine = ['Service-Worker', 'script']
  return [
    ...rows.map(({ name, headers }) => ({ name, headers })),
    { name: 'a service worker', headers: [worker] },
  ].map(({ name, headers }) => ({
    row: `${name}, with a reader’s cookie`,
    request: {
      method: 'GET',
      target: fillTemplate('{path}', target),
      headers: [...headers, ['Cookie', cookie] as const],
    },
  }))
}
