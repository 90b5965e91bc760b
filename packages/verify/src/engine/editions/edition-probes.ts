import { encodePath } from '@sekisho/contract/canonical-path'
import { FEEDBACK_PATH } from '@sekisho/contract/page-feedback'
import { ROUTES } from '@sekisho/contract/routes'
import type { HeaderLine, WireRequest } from '../../client/request.ts'
import type { OpenedEdition } from '../../leaks/protected-release.ts'
import { NAVIGATION, type Probe } from '../probing/probes.ts'
import type { Target, Targets } from '../probing/targets.ts'

const CHOOSING_HEADERS = [
  'X-Edition',
  'X-Audience',
  'X-Group',
  'X-Groups',
  'X-Forwarded-Groups',
  'X-Auth-Request-Groups',
  'X-Role',
  'X-View-As',
]

/** Headers by which some gate might choose an edition: named by it, or by one of its groups. */
export function choosingLines({ name, audiences }: OpenedEdition): HeaderLine[] {
  const words = [name, ...audiences].join(',')
  return CHOOSING_HEADERS.map((header): HeaderLine => [header, words])
}

/** Validators of bytes that another edition has at the same path. */
export const validatorLines = (sha256: string): HeaderLine[] =>
  [`"${sha256}"`, `W/"${sha256}"`, `"${sha256.slice(0, 32)}"`].map((tag) => ['If-None-Match', tag])

/** Every hidden path and decoy with what might choose the edition that has it: headers, a cookie, a parameter, a folder before the path. */
export function* choosingProbes(targets: Targets, other: OpenedEdition, cookie: string): Generator<Probe> {
  const { name } = other
  const cookies = ['edition', 'audience', 'group', 'sekisho-edition']
    .map((key) => `${key}=${name}`)
    .join('; ')
  const parameters = ['edition', 'audience', 'group', 'as', 'view_as']
    .map((key) => `${key}=${name}`)
    .join('&')
  const plain: HeaderLine[] = [...NAVIGATION, ['Cookie', cookie]]
  for (const target of [...targets.files, ...targets.redirects, ...targets.decoys]) {
    const path = encodePath(target.path)
    const make = (way: string, address: string, headers: readonly HeaderLine[]): Probe => {
      const row = `${name} chosen by ${way}`
      const request = { method: 'GET', target: address, headers }
      return { request, row, group: `${row} / ${target.shape}`, manner: 'unusual', target }
    }
    yield make('headers', path, [...plain, ...choosingLines(other)])
    yield make('a cookie', path, [...NAVIGATION, ['Cookie', `${cookie}; ${cookies}`]])
    yield make('a cookie before the session’s', path, [...NAVIGATION, ['Cookie', `${cookies}; ${cookie}`]])
    yield make('parameters', `${path}?${parameters}`, plain)
    for (const folder of [`/${name}`, `/editions/${name}`, `/@${name}`])
      yield make(`the folder ${folder}`, folder + path, plain)
  }
}

/** Changes of a page that may not be there. */
export function comparisonOf(target: Target, cookie: string): Probe {
  const row = 'a comparison'
  const page = new URLSearchParams({ page: target.path })
  const headers: HeaderLine[] = [['Cookie', cookie]]
  const request = { method: 'GET', target: `${ROUTES.whatsNew.path}?${page}`, headers }
  return { request, row, group: row, manner: 'unusual', target }
}

/** That a page helped, said of a page that may not be there. */
export function feedbackProbe(target: Target, origin: string, cookie: string): Probe {
  const row = 'feedback'
  const request = postOf(FEEDBACK_PATH, { page: target.path, helpful: true }, origin, cookie)
  return { request, row, group: row, manner: 'unusual', target }
}

/** A question about an open page that may not be there. */
export function questionOf(target: Target, origin: string, cookie: string): Probe {
  const row = 'a question'
  const asked = { question: 'Summary of this page', page: target.path }
  const request = postOf(ROUTES.answers.path, asked, origin, cookie)
  return { request, row, group: row, manner: 'unusual', target }
}

/** JSON as a page of the portal posts it. */
export function postOf(target: string, value: object, origin: string, cookie: string): WireRequest {
  const headers: HeaderLine[] = [
    ['Content-Type', 'application/json'],
    ['Origin', origin],
    ['Cookie', cookie],
  ]
  const body = Buffer.from(JSON.stringify(value)).toString('latin1')
  return { method: 'POST', target, headers, body }
}
