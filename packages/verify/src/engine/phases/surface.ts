import { hash } from 'node:crypto'
import { PORTAL_ROUTES, PREVIEW_ROUTES, type Route } from '@sekisho/contract/routes'
import { SIDE_DOOR_ROWS } from '../../catalogue/threats.ts'
import { findHeader, type WireRequest } from '../../client/request.ts'
import { decodeBody, type WireResponse } from '../../client/response.ts'
import { describeRequest } from '../answers/findings.ts'
import type { Manner } from '../answers/proxy-answers.ts'
import type { Reference } from '../answers/reference.ts'
import type { Run } from '../probing/run.ts'

/** One address that answers a stranger with something of its own. */
export interface SurfaceEntry {
  readonly path: string
  readonly status: number
  readonly type: string
  readonly bytes: number
  readonly sha256: string
  /**
   * `pinned`: byte for byte what this product answers without a release. `refusal`: an error of its own, also as
   * the product answers. `identity`: the identity service's answer. `unknown`: none of these, a finding.
   */
  readonly kind: 'pinned' | 'refusal' | 'identity' | 'unknown'
}

/** An address to try while listing the surface. */
interface SurfaceProbe {
  readonly request: WireRequest
  readonly row: string
  readonly manner: Manner
}

/** Every address worth trying: the product's open routes, what its answers link to, and the side doors. */
function surfaceProbes(reference: Reference): SurfaceProbe[] {
  const open = [...reference.openPaths, ...reference.identityPaths].map((path) => ({
    path,
    row: 'open route',
    manner: 'ordinary' as const,
  }))
  const doors = SIDE_DOOR_ROWS.map(({ target, threat, name }) => ({
    path: target,
    row: `${threat} ${name}`,
    manner: 'unusual' as const,
  }))
  return [...open, ...doors].map(({ path, ...probe }) => ({ request: getRequest(path), ...probe }))
}

/** The addresses a page or style sheet names on its own host. */
function linksOf(page: WireResponse): SurfaceProbe[] {
  const html = (decodeBody(page) ?? Buffer.alloc(0)).toString('utf8')
  const links = new Set([...html.matchAll(/(?:src|href)="(\/[^"/][^"]*)"/g)].map((match) => match[1] ?? '/'))
  return [...links].map((path) => ({
    request: getRequest(path),
    row: 'link of the login page',
    manner: 'ordinary',
  }))
}

/** Describes one answer of the surface. */
function surfaceEntry(path: string, response: WireResponse, reference: Reference): SurfaceEntry {
  const body = decodeBody(response) ?? response.body
  const sha256 = hash('sha256', body)
  const entry = {
    path,
    status: response.status,
    type: findHeader(response.headers, 'Content-Type') ?? '',
    bytes: body.length,
    sha256,
  }
  return { ...entry, kind: kindOf(entry, reference) }
}

function kindOf(entry: Omit<SurfaceEntry, 'kind'>, reference: Reference): SurfaceEntry['kind'] {
  if (reference.pinned.has(entry.sha256)) return entry.status < 400 ? 'pinned' : 'refusal'
  if (reference.identityPaths.has(entry.path)) return 'identity'
  return 'unknown'
}

function getRequest(target: string): WireRequest {
  return { method: 'GET', target, headers: [['Accept', '*/*']] }
}

/** With the body that most doors of that kind take: to list what they know. */
function postRequest(target: string): WireRequest {
  const body = JSON.stringify({ query: '{ pages { title } }', q: 'a' })
  const headers = [['Accept', '*/*'] as const, ['Content-Type', 'application/json'] as const]
  return { method: 'POST', target, headers, body }
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/** Asks every route with every method that is not for strangers, and every side door with POST. */
export async function askRoutes(run: Run): Promise<void> {
  const { client } = run.options
  const routes = [...PORTAL_ROUTES, ...Object.values<Route>(PREVIEW_ROUTES)].flatMap(
    ({ path, access, methods }) =>
      METHODS.filter((method) => access !== 'open' || !methods.some((one) => one === method)).map(
        (method) => ({ ...(READING.has(method) ? getRequest(path) : postRequest(path)), method }),
      ),
  )
  const doors = SIDE_DOOR_ROWS.map(({ target }) => postRequest(target))
  const probes = [...routes, ...doors].map((request) => ({ request }))
  await client.exchangeAll(probes, ({ request }, outcome) => {
    run.take({ request, row: `${request.method} at a route or a side door`, manner: 'unusual' }, outcome)
  })
}

const NAVIGATION: WireRequest = { method: 'GET', target: '/', headers: [['Accept', 'text/html']] }

/** Lists every address that answers a stranger with something of its own. */
export async function listSurface(run: Run): Promise<SurfaceEntry[]> {
  const { client, reference } = run.options
  const page = await client.exchange(NAVIGATION)
  const links = page.kind === 'response' ? linksOf(page.response) : []
  const probes = new Map([...links, ...surfaceProbes(reference)].map((one) => [one.request.target, one]))
  const surface: SurfaceEntry[] = []
  await client.exchangeAll(probes.values(), ({ request, row, manner }, outcome) => {
    const answer = run.take({ request, row, manner }, outcome)
    if (outcome.kind !== 'response' || run.refusals.has(answer.id)) return
    const entry = surfaceEntry(request.target, outcome.response, reference)
    surface.push(entry)
    if (entry.kind !== 'unknown') return
    run.findings.add({
      rule: 'not-pinned',
      request: describeRequest(request),
      row,
      detail: `${entry.status} with ${entry.bytes} bytes that this product does not answer by itself`,
    })
  })
  return surface.toSorted((left, right) => (left.path < right.path ? -1 : 1))
}
