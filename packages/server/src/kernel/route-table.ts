import type { Method, Route } from '@sekisho/contract/routes'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import type { GrantKind } from '../state/grants/index.ts'
import type { Session } from '../state/sessions/index.ts'
import type { Handler, RequestContext } from './boundary.ts'
import { problem } from './pages/problem.ts'

/** A session as a request finds it; its reader may have asked to see the portal as another edition, which the policy judges each time. */
export interface Visit extends Session {
  /** Name of that edition; absent where nobody asked. */
  readonly viewingAs?: string
}

/** Answers a request of a signed-in reader. */
export type ReaderHandler = (
  request: GateRequest,
  context: RequestContext,
  session: Visit,
) => GateResponse | Promise<GateResponse>

/** Whoever asks with a token that a reader let them have, in that reader's name. */
export interface Agent {
  /** The account as it is proven now, to whom the policy gives groups and an edition: no more than `edition`, where the token says one. */
  readonly session: Session & { readonly edition?: string }
  /** By which the trail and limits know it. */
  readonly grantId: string
  /** Empty for a personal token. */
  readonly clientId: string
  readonly clientName: string
  readonly kind: GrantKind
}

/** Answers a request of an agent. */
export type AgentHandler = (
  request: GateRequest,
  context: RequestContext,
  agent: Agent,
) => GateResponse | Promise<GateResponse>

/** A route of the contract together with what answers it. */
export type BoundRoute =
  | { readonly access: 'open' | 'publisher'; readonly answer: Handler }
  | { readonly access: 'reader'; readonly answer: ReaderHandler }
  | { readonly access: 'agent'; readonly answer: AgentHandler }

/** Everything that is not a file of the release, by canonical path. */
export type RouteTable = ReadonlyMap<string, BoundRoute>

/** One table of several. A path that two of them bind is a mistake of ours, said at start. */
export function joinRoutes(...tables: readonly RouteTable[]): RouteTable {
  const joined = new Map<string, BoundRoute>()
  for (const [path, route] of tables.flatMap((table) => [...table])) {
    if (joined.has(path)) throw new Error(`two doors answer ${path}`)
    joined.set(path, route)
  }
  return joined
}

/** One handler for each method of a route, no more and no less. */
type ByMethod<R extends Route, H> = Readonly<Record<R['methods'][number], H>>

/** Binds a route that answers without a session. */
export function openRoute<const R extends Route & { readonly access: 'open' }>(
  route: R,
  handlers: ByMethod<R, Handler>,
): readonly [path: string, route: BoundRoute] {
  return [route.path, { access: 'open', answer: dispatch(route.methods, handlers) }]
}

/** Binds a route that asks for a publisher's credentials itself. */
export function publisherRoute<const R extends Route & { readonly access: 'publisher' }>(
  route: R,
  handlers: ByMethod<R, Handler>,
): readonly [path: string, route: BoundRoute] {
  return [route.path, { access: 'publisher', answer: dispatch(route.methods, handlers) }]
}

/** Binds a route for readers; `createGate` calls it with their session. */
export function readerRoute<const R extends Route & { readonly access: 'reader' }>(
  route: R,
  handlers: ByMethod<R, ReaderHandler>,
): readonly [path: string, route: BoundRoute] {
  return [route.path, { access: 'reader', answer: dispatch(route.methods, handlers) }]
}

/** Binds a route for agents; `createGate` calls it with whom it found behind their token. */
export function agentRoute<const R extends Route & { readonly access: 'agent' }>(
  route: R,
  handlers: ByMethod<R, AgentHandler>,
): readonly [path: string, route: BoundRoute] {
  return [route.path, { access: 'agent', answer: dispatch(route.methods, handlers) }]
}

/** Chooses the handler of the request's method; any other method gets 405 with the list. */
function dispatch<Rest extends readonly unknown[]>(
  methods: readonly Method[],
  handlers: Readonly<Record<string, (request: GateRequest, ...rest: Rest) => ReturnType<Handler>>>,
) {
  const table = new Map(Object.entries(handlers))
  const allow = methods.join(', ')
  return (request: GateRequest, ...rest: Rest): ReturnType<Handler> => {
    const handler = table.get(request.method)
    return handler === undefined
      ? problem('method_not_allowed', { headers: { Allow: allow } })
      : handler(request, ...rest)
  }
}
