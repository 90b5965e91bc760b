import type { Method, Route } from '@sekisho/contract/routes'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import type { Handler, RequestContext } from './boundary.ts'
import { problem } from './pages/problem.ts'
import type { FileScope, Reader } from './reader.ts'

/** Answers a request of a reader. */
export type ReaderHandler = (
  request: GateRequest,
  reader: Reader,
  context: RequestContext,
) => GateResponse | Promise<GateResponse>

/** Finds the reader behind a request to an open route, without counting it as use of the session. */
type FindReader = () => Promise<Reader | null>

/** Answers a request whose reader may be signed out. */
export type VisitorHandler = (
  request: GateRequest,
  context: RequestContext,
  findReader: FindReader,
) => GateResponse | Promise<GateResponse>

/** Credentials by which a reader may request a route. */
export type Credentials = ReadonlySet<Reader['via']>

/** A route of the contract together with what answers it. */
type BoundRoute =
  /** Its handler judges for itself. */
  | { readonly access: 'open' | 'publisher'; readonly accepts: null; readonly answer: VisitorHandler }
  | { readonly access: 'agent'; readonly accepts: Credentials; readonly answer: ReaderHandler }
  | {
      readonly access: 'reader'
      readonly accepts: Credentials
      readonly answer: ReaderHandler
      /** Methods by which something changes, which are taken from our pages alone. */
      readonly changes: ReadonlySet<string>
    }

/** A session reads everything that a reader may read; a token reads through routes for agents alone. */
const BY_SESSION: Credentials = new Set(['session'])
const BY_TOKEN: Credentials = new Set(['agent', 'token'])

/** Credentials by which an open route may find a reader. */
export const OPEN_CREDENTIALS = BY_SESSION

/** Credentials for files of the release: a reader's own token is for the text of pages alone. */
export const FILE_CREDENTIALS: Readonly<Record<FileScope, Credentials>> = {
  all: BY_SESSION,
  text: new Set(['session', 'token']),
}

/** Everything that is not a file of the release, by canonical path. */
export type RouteTable = ReadonlyMap<string, BoundRoute>

/** One table of several. A path that two of them bind is a mistake of ours, said at start. */
export function joinRoutes(...tables: readonly RouteTable[]): RouteTable {
  const joined = new Map<string, BoundRoute>()
  for (const [path, route] of tables.flatMap((table) => [...table])) {
    if (joined.has(path)) throw new Error(`two endpoints answer ${path}`)
    joined.set(path, route)
  }
  return joined
}

/** One handler for each method of a route, no more and no less. */
type ByMethod<R extends Route, H> = Readonly<Record<R['methods'][number], H>>

/** Binds a route that answers without a session. */
export function openRoute<const R extends Route & { readonly access: 'open' }>(
  route: R,
  handlers: ByMethod<R, VisitorHandler>,
): readonly [path: string, route: BoundRoute] {
  return [route.path, { access: 'open', accepts: null, answer: dispatch(route.methods, handlers) }]
}

/** Binds a route that asks for a publisher's credentials itself. */
export function publisherRoute<const R extends Route & { readonly access: 'publisher' }>(
  route: R,
  handlers: ByMethod<R, Handler>,
): readonly [path: string, route: BoundRoute] {
  return [route.path, { access: 'publisher', accepts: null, answer: dispatch(route.methods, handlers) }]
}

/** Binds a route for browsers of readers; the policy calls it with the reader that it resolved. */
export function readerRoute<const R extends Route & { readonly access: 'reader' }>(
  route: R,
  handlers: ByMethod<R, ReaderHandler>,
  accepts: Credentials = BY_SESSION,
): readonly [path: string, route: BoundRoute] {
  const changes = new Set(route.methods).difference(new Set(['GET', 'HEAD']))
  return [route.path, { access: 'reader', accepts, changes, answer: dispatch(route.methods, handlers) }]
}

/** Binds a reader's route that their personal tokens may read too, as they may read the text of pages. */
export function textRoute<const R extends Route & { readonly access: 'reader' }>(
  route: R,
  handlers: ByMethod<R, ReaderHandler>,
): readonly [path: string, route: BoundRoute] {
  return readerRoute(route, handlers, FILE_CREDENTIALS.text)
}

/** Binds a route for agents; the policy calls it with the reader behind their token. */
export function agentRoute<const R extends Route & { readonly access: 'agent' }>(
  route: R,
  handlers: ByMethod<R, ReaderHandler>,
): readonly [path: string, route: BoundRoute] {
  return [route.path, { access: 'agent', accepts: BY_TOKEN, answer: dispatch(route.methods, handlers) }]
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
