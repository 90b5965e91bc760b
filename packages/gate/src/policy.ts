import { canonicalPath } from '@sekisho/contract/canonical-path'
import type { Session } from '@sekisho/state/sessions'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import type { Identify } from './access/identify.ts'
import { createBoundary, createRequestIds, type Exchange, type RequestContext } from './frame/boundary.ts'
import { isForServiceWorker, isFromOurPages } from './frame/fetch-metadata.ts'
import { problem } from './frame/problem.ts'
import type { RouteTable } from './frame/route-table.ts'

/** Everything the policy works with; nothing is looked up elsewhere. */
export interface GateDependencies {
  /** Whether the origin is https. */
  readonly https: boolean
  /** Everything that is not a file of the release. */
  readonly routes: RouteTable
  readonly identify: Identify
  /** Answers whoever has no session, for a canonical path or for a path that is none (null). */
  readonly signIn: (request: GateRequest, path: string | null) => GateResponse
  /** Answers a reader's request for a file of the release, by canonical path. */
  readonly serve: (
    request: GateRequest,
    path: string,
    session: Session,
    context: RequestContext,
  ) => Promise<GateResponse>
  readonly observe: (exchange: Exchange) => void
}

/** One function from a request to its answer. */
export type Gate = (request: GateRequest, peer: { readonly clientAddress: string }) => Promise<GateResponse>

/** The gate: the order of the lines is the policy. */
export function createGate({ https, routes, identify, signIn, serve, observe }: GateDependencies): Gate {
  async function gate(request: GateRequest, context: RequestContext): Promise<GateResponse> {
    const path = canonicalPath(request.url) // null unless in the one accepted form
    const route = path === null ? undefined : routes.get(path) // exact match only
    if (route !== undefined && route.access !== 'reader') return route.answer(request, context)

    const session = await identify(request, { touch: true })
    if (session === null) return signIn(request, path)
    context.isReader = true
    if (path === null) return problem('bad_request')
    if (!isFromOurPages(request)) return problem('cross_site')
    if (isForServiceWorker(request)) return problem('not_found')
    return route === undefined
      ? serve(request, path, session, context)
      : route.answer(request, context, session)
  }
  const elapsed = () => performance.now()
  return createBoundary(gate, { https, newRequestId: createRequestIds(), elapsed, observe })
}
