import { hash } from 'node:crypto'
import { encodePath } from '@sekisho/contract/canonical-path'
import { cookieNames } from '@sekisho/contract/cookies'
import { DEFAULT_HEADERS } from '@sekisho/contract/response-headers'
import { PORTAL_ROUTES, ROUTES } from '@sekisho/contract/routes'
import { findHeader, type WireRequest } from '../../client/request.ts'
import { decodeBody, type WireOutcome, type WireResponse } from '../../client/response.ts'
import { problemOf } from '../../texts/index.ts'
import { describeRequest, type Rule } from '../answers/findings.ts'
import { NAVIGATION } from '../probing/probes.ts'
import { type Reader, ReaderRefusedError } from '../probing/reader.ts'
import type { Run } from '../probing/run.ts'
import type { Target } from '../probing/targets.ts'

const ROW = 'behind a reader'
/** Searches made as a reader; what they answer is made from many pages. */
const SEARCHES = 8

/** Routes with which the gate itself answers readers. */
const READER_PATHS = PORTAL_ROUTES.filter(
  ({ access, methods }) => access === 'reader' && methods.includes('GET'),
).map(({ path }) => path)

interface Turn {
  readonly request: WireRequest
  readonly as: 'reader' | 'stranger'
  /** Null for what the gate answers by itself. */
  readonly target: Target | null
}

/** Files of the release that the reader was sent byte for byte: the second positive control of a run. */
export interface SignedIn {
  /** Path of one of the pages among them; null where there is none. */
  readonly page: string | null
  readonly files: number
}

/**
 * Reads everything with a session and asks for it again at once without one, in the next request of the same
 * connection: whatever keeps answers for the next client, or a connection's reader, shows here.
 */
export async function askBehindReader(run: Run, reader: Reader): Promise<SignedIn> {
  const { client, release } = run.options
  let read = 0
  let page: string | null = null
  function takeReading({ request, target }: Turn, outcome: WireOutcome): void {
    const body =
      outcome.kind === 'response' && outcome.response.status === 200 ? decodeBody(outcome.response) : null
    if (body === null) return
    if (outcome.kind === 'response') judgeReading(run, request, outcome.response)
    if (target === null) run.protect({ where: `what a reader got from ${request.target}`, bytes: body })
    else {
      const file = release.files.get(target.path)
      if (hash('sha256', body) !== file?.sha256) return
      read += 1
      if (file.type.startsWith('text/html')) page ??= target.path
    }
  }
  const takeTurn = (turn: Turn, outcome: WireOutcome): void => {
    const { request, target } = turn
    if (turn.as === 'reader') {
      takeReading(turn, outcome)
      return
    }
    const question = { request, row: ROW, manner: 'ordinary' } as const
    const answer = run.take(question, outcome)
    if (target !== null)
      run.uniformity.note({ ...question, group: `${ROW} / ${target.shape}`, target }, answer)
  }
  await client.exchangeAll(turns(run, reader), takeTurn, 1)
  if (read === 0) throw new ReaderRefusedError(problemOf('reader_unread'))
  return { page, files: read }
}

/** Judges a reader's response: no shared cache may keep it, and no browser a page; no page of another origin read or frame it, no script obtain the session. */
function judgeReading({ findings }: Run, request: WireRequest, { headers }: WireResponse): void {
  const add = (rule: Rule, detail: string) =>
    findings.add({
      rule,
      request: describeRequest(request),
      row: ROW,
      detail: `what a reader was sent ${detail}`,
    })
  const cacheControl = findHeader(headers, 'Cache-Control') ?? 'none'
  if (!/\b(?:private|no-store)\b/.test(cacheControl) || /\b(?:public|s-maxage)\b/.test(cacheControl))
    add('cacheable', `has Cache-Control: ${cacheControl}`)
  const isPage = findHeader(headers, 'Content-Type')?.startsWith('text/html') === true
  if (isPage && !/\bno-store\b/.test(cacheControl))
    add('cacheable', 'is a page that a browser may keep beyond the session')
  const missing = DEFAULT_HEADERS.find(([name]) => findHeader(headers, name) === null)
  if (missing !== undefined) add('missing-header', `lacks ${missing[0]}`)
  const policy = findHeader(headers, 'Content-Security-Policy') ?? ''
  if (!/\bframe-ancestors '(?:none|self)'/.test(policy)) add('missing-header', 'may be framed by anybody')
  if (findHeader(headers, 'Access-Control-Allow-Origin') !== null)
    add('cross-site', 'may be read by another origin')
  if (headers.some(([name, value]) => name.toLowerCase() === 'set-cookie' && SESSION_COOKIE.test(value)))
    add('unknown-header', 'sets the cookie of the session')
}

/** With a value: one that is taken back has none. */
const SESSION_COOKIE = new RegExp(
  `^(?:${[true, false].map((isHttps) => cookieNames(isHttps).session).join('|')})=[^;]`,
)

function* turns({ targets, options }: Run, { cookie }: Reader): Generator<Turn> {
  const pages = [...targets.files, ...targets.redirects, ...targets.decoys]
  const titles = [...options.release.files.values()].flatMap(({ title }) => title ?? []).slice(0, SEARCHES)
  const searches = [ROUTES.search.path, ROUTES.searchPage.path].flatMap((path) =>
    titles.map((title) => `${path}?q=${encodeURIComponent(title)}`),
  )
  const own = [ROUTES.session.path, ...READER_PATHS, ...searches]
  const asked = [
    ...pages.map((target) => ({ path: encodePath(target.path), target })),
    ...own.map((path) => ({ path, target: null })),
  ]
  for (const { path, target } of asked) {
    const request = { method: 'GET', target: path, headers: NAVIGATION }
    yield { as: 'reader', target, request: { ...request, headers: [...NAVIGATION, ['Cookie', cookie]] } }
    yield { as: 'stranger', target, request }
  }
}
