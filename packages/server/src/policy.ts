import { canonicalPath, equivalentPath } from '@sekisho/contract/canonical-path'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import type { Resolve } from './access/resolve.ts'
import { createBoundary, createRequestIds, type Exchange, type RequestContext } from './kernel/boundary.ts'
import { isForServiceWorker, isFromHere, isFromOurPages } from './kernel/client/fetch-metadata.ts'
import { problem } from './kernel/pages/problem.ts'
import type { Reader } from './kernel/reader.ts'
import { FILE_CREDENTIALS, OPEN_CREDENTIALS, type RouteTable } from './kernel/route-table.ts'
import { redirectTo } from './releases/open-releases.ts'
import { accountKey } from './state/limits/index.ts'

/** Everything the policy works with; nothing is looked up elsewhere. */
export interface GateDependencies {
  readonly origin: URL
  /** Everything that is not a file of the release. */
  readonly routes: RouteTable
  /** Called here alone: a handler gets the reader, and decides nothing of it anew. */
  readonly resolve: Resolve
  /** Response to a request without a session, for a canonical path or a non-canonical one (null). */
  readonly signIn: (request: GateRequest, path: string | null) => GateResponse
  /** Response to a request for an agent's route without a valid token. */
  readonly challenge: () => GateResponse
  /** Answers a reader's request for a file of their edition, by canonical path. */
  readonly serve: (
    request: GateRequest,
    path: string,
    reader: Reader,
    context: RequestContext,
  ) => Promise<GateResponse>
  readonly observe: (exchange: Exchange) => void
}

/** One function from a request to its answer. */
export type Gate = (request: GateRequest, peer: { readonly clientAddress: string }) => Promise<GateResponse>

/** The gate: the order of the lines is the policy. */
export function createGate(dependencies: GateDependencies): Gate {
  const { origin, routes, resolve, signIn, challenge, serve, observe } = dependencies
  async function gate(request: GateRequest, context: RequestContext): Promise<GateResponse> {
    const path = canonicalPath(request.url) // null unless in the one accepted form
    const route = path === null ? undefined : routes.get(path) // exact match only
    if (route?.accepts === null)
      return route.answer(request, context, () =>
        resolve(request, { accepts: OPEN_CREDENTIALS, touch: false }),
      )

    const accepts = route?.accepts ?? FILE_CREDENTIALS[asksForText(request, path) ? 'text' : 'all']
    const reader = await resolve(request, { accepts, touch: true })
    if (reader === null) return route?.access === 'agent' ? challenge() : signIn(request, path)
    context.isReader = true
    context.account = accountKey(reader.account)
    if (route?.access === 'agent') return route.answer(request, reader, context)
    if (!isFromOurPages(request)) return problem('cross_site')
    if (isForServiceWorker(request)) return problem('not_found')
    if (path === null) return toCanonical(request) ?? problem('bad_request')
    if (route?.changes.has(request.method) && !isFromHere(request, origin)) return problem('bad_origin')
    if (route !== undefined) return route.answer(request, reader, context)
    return serve(request, path, reader, context)
  }
  const https = origin.protocol === 'https:'
  const elapsed = () => performance.now()
  return createBoundary(gate, { https, newRequestId: createRequestIds(), elapsed, observe })
}

/** Tells if a request is for the text of a page: as `.md` or by `Accept`. */
function asksForText({ headers }: GateRequest, path: string | null): boolean {
  return path?.endsWith('.md') === true || /\btext\/markdown\b/i.test(headers.get('accept') ?? '')
}

/** Sends an equivalent spelling of a path to the canonical one, which is judged anew; null for an ambiguous one (decisions/010). */
function toCanonical(request: GateRequest): GateResponse | null {
  const path = request.method === 'GET' || request.method === 'HEAD' ? equivalentPath(request.url) : null
  return path === null ? null : redirectTo(path, request)
}
