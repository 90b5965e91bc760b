import { canonicalPath, equivalentPath } from '@sekisho/contract/canonical-path'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import type { Identify } from './access/identify.ts'
import type { AgentAccess } from './access/identify-agent.ts'
import { createBoundary, createRequestIds, type Exchange, type RequestContext } from './kernel/boundary.ts'
import { isForServiceWorker, isFromOurPages } from './kernel/client/fetch-metadata.ts'
import { problem } from './kernel/pages/problem.ts'
import type { RouteTable, Visit } from './kernel/route-table.ts'
import { redirectTo } from './releases/open-releases.ts'

/** Everything the policy works with; nothing is looked up elsewhere. */
export interface GateDependencies {
  /** Whether the origin is https. */
  readonly https: boolean
  /** Everything that is not a file of the release. */
  readonly routes: RouteTable
  readonly identify: Identify
  /** Who asks with a token; null where the operator turned agents off, and on the hosts of previews. */
  readonly agents: AgentAccess | null
  /** Answers whoever has no session, for a canonical path or for a path that is none (null). */
  readonly signIn: (request: GateRequest, path: string | null) => GateResponse
  /** Answers a reader's request for a file of the release, by canonical path; `textOnly` gives nothing but the text of a page. */
  readonly serve: (
    request: GateRequest,
    path: string,
    session: Visit,
    context: RequestContext,
    textOnly: boolean,
  ) => Promise<GateResponse>
  readonly observe: (exchange: Exchange) => void
}

/** One function from a request to its answer. */
export type Gate = (request: GateRequest, peer: { readonly clientAddress: string }) => Promise<GateResponse>

/** The gate: the order of the lines is the policy. */
export function createGate(dependencies: GateDependencies): Gate {
  const { https, routes, identify, agents, signIn, serve, observe } = dependencies
  async function gate(request: GateRequest, context: RequestContext): Promise<GateResponse> {
    const path = canonicalPath(request.url) // null unless in the one accepted form
    const route = path === null ? undefined : routes.get(path) // exact match only
    if (route?.access === 'agent') {
      const agent = agents === null ? null : await agents.identify(request) // by a token alone
      if (agent === null) return agents?.challenge() ?? problem('not_found')
      context.isReader = true
      return route.answer(request, context, agent)
    }
    if (route !== undefined && route.access !== 'reader') return route.answer(request, context)

    // By a cookie alone; for the text of a page, which is no route of ours, by a script's token alone.
    const script = route === undefined && agents?.isScript(request, path) === true ? agents : null
    const session = await (script === null
      ? identify(request, { touch: true })
      : script.identify(request).then((found) => found?.session ?? null))
    if (session === null) return signIn(request, path)
    context.isReader = true
    if (!isFromOurPages(request)) return problem('cross_site')
    if (isForServiceWorker(request)) return problem('not_found')
    if (path === null) return toCanonical(request) ?? problem('bad_request')
    if (route !== undefined) return route.answer(request, context, session)
    return serve(request, path, session, context, script !== null)
  }
  const elapsed = () => performance.now()
  return createBoundary(gate, { https, newRequestId: createRequestIds(), elapsed, observe })
}

/** Sends an equivalent spelling of a path to the canonical one, which is judged anew; null for an ambiguous one (decisions/010). */
function toCanonical(request: GateRequest): GateResponse | null {
  const path = request.method === 'GET' || request.method === 'HEAD' ? equivalentPath(request.url) : null
  return path === null ? null : redirectTo(path, request)
}
