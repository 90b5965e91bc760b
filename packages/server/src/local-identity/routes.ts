import type { Accounts } from './accounts/accounts.ts'
import type { IdentityApi } from './api.ts'
import { apiError, asset, type IdentityRequest, page } from './http.ts'
import { BROWSER_FILES, readBrowserFile } from './open-surface.ts'
import { FRAME_PAGE, framePolicy, PICKER_STYLE, pickerPage, pickerPolicy } from './pages.ts'
import { PATHS } from './paths.ts'

interface Route {
  readonly method: 'GET' | 'POST'
  /** The media type of a body, without its parameters. */
  readonly accepts?: string
  answer(request: IdentityRequest): Response | Promise<Response>
}

interface RouteDependencies {
  readonly origin: string
  readonly accounts: Accounts
  readonly api: IdentityApi
}

const SCRIPT = 'text/javascript; charset=utf-8'
const STYLE = 'text/css; charset=utf-8'
const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

/** The whole surface: one exact path, one method each. */
export async function createRoutes({
  origin,
  accounts,
  api,
}: RouteDependencies): Promise<ReadonlyMap<string, Route>> {
  const [gapi, frame, picker] = await Promise.all(BROWSER_FILES.map(readBrowserFile))
  const get = (answer: Route['answer']): Route => ({ method: 'GET', answer })
  const post = (accepts: string, answer: Route['answer']): Route => ({ method: 'POST', accepts, answer })
  return new Map<string, Route>([
    [PATHS.picker, get(async () => page(pickerPage(await accounts.list()), pickerPolicy(origin), 'DENY'))],
    [PATHS.frame, get(() => page(FRAME_PAGE, framePolicy(origin), 'SAMEORIGIN'))],
    [PATHS.signIn, post(JSON_TYPE, api.signInWithIdp)],
    [PATHS.lookup, post(JSON_TYPE, api.lookup)],
    [PATHS.token, post(FORM_TYPE, api.exchangeToken)],
    [PATHS.gapiScript, get(() => asset(gapi ?? '', SCRIPT))],
    [PATHS.frameScript, get(() => asset(frame ?? '', SCRIPT))],
    [PATHS.pickerScript, get(() => asset(picker ?? '', SCRIPT))],
    [PATHS.pickerStyle, get(() => asset(PICKER_STYLE, STYLE))],
  ])
}

/** Answers one request; whatever is not in the table, or comes from another site, is refused. */
export async function answerRoute(
  routes: ReadonlyMap<string, Route>,
  origin: string,
  request: IdentityRequest,
): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  const route = routes.get(pathname)
  if (route === undefined) return apiError(404, 'NOT_FOUND')
  if (request.method !== route.method) return apiError(405, 'METHOD_NOT_ALLOWED')
  const from = request.headers.get('origin')
  if (from !== null && from !== origin) return apiError(403, 'FORBIDDEN_ORIGIN')
  if (request.headers.get('sec-fetch-site') === 'cross-site') return apiError(403, 'FORBIDDEN_ORIGIN')
  if (route.accepts !== undefined) {
    if (!searchParams.get('key'))
      // any key will do: there is one project
      return apiError(403, 'The request is missing a valid API key.', 'PERMISSION_DENIED')
    const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
    if (type !== route.accepts) return apiError(400, `Invalid content-type: ${type}`)
  }
  return route.answer(request)
}
