import { hash, randomBytes } from 'node:crypto'
import { AGENT_ROUTES } from '@sekisho/contract/routes'
import type { GateResponse } from '@sekisho/wire'
import { cookieHeaderOf, NAVIGATION, ORIGIN, readObject, type TestGate } from './test-gate.ts'

/** The id of a client that every gate knows. */
export const CLAUDE_CODE = 'https://claude.ai/oauth/claude-code-client-metadata'
/** Redirect address of the client, on an ephemeral port. */
export const CALLBACK = 'http://localhost:53123/callback'

/** Parameters of a client; null leaves one out. */
export type Parameters = Readonly<Record<string, string | null>>

/** A client of a test's gate, with a reader's browser in its hands. */
interface TestClient {
  readonly verifier: string
  /** The query that Claude Code would send. */
  query(changes?: Parameters): string
  /** Opens the page on which a reader is asked. */
  show(cookie: string, changes?: Parameters): Promise<GateResponse>
  /** Says yes or no on a page that was shown; resolves to where the browser is sent, and its cookies then. */
  decide(cookie: string, page: GateResponse, decision?: string): Promise<Decided>
  /** Opens the page and says yes: resolves to the code. */
  consent(cookie: string, changes?: Parameters): Promise<string>
  token(changes?: Parameters): Promise<GateResponse>
  /** The whole way, from the reader's yes. */
  tokens(cookie: string, changes?: Parameters): Promise<Record<string, unknown>>
}

interface Decided {
  readonly response: GateResponse
  /** Null where the browser is not sent anywhere. */
  readonly location: URL | null
  /** The reader's cookies afterwards. */
  readonly cookie: string
}

export function createTestClient(portal: Pick<TestGate, 'ask'>): TestClient {
  const verifier = randomBytes(32).toString('base64url')
  const asked = {
    response_type: 'code',
    client_id: CLAUDE_CODE,
    redirect_uri: CALLBACK,
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
    resource: `${ORIGIN.origin}/mcp`,
    state: 's-1',
    scope: 'docs:read',
  }
  const post = (path: string, fields: string, headers: Record<string, string> = {}) => {
    const type = { 'Content-Type': 'application/x-www-form-urlencoded;charset=UTF-8' }
    return portal.ask(path, { method: 'POST', body: fields, headers: { ...type, ...headers } })
  }
  const client: TestClient = {
    verifier,
    query: (changes = {}) => write({ ...asked, ...changes }),
    show: (Cookie, changes) =>
      portal.ask(`${AGENT_ROUTES.authorize.path}?${client.query(changes)}`, {
        headers: { ...NAVIGATION, Cookie },
      }),
    async decide(Cookie, page, decision = 'allow') {
      const [, request = ''] = /name="request" value="([^"]+)"/.exec(await page.text()) ?? []
      const headers = { Cookie, Origin: ORIGIN.origin, 'Sec-Fetch-Site': 'same-origin' }
      const response = await post(AGENT_ROUTES.authorize.path, write({ request, decision }), headers)
      const location = URL.parse(/^0; url=(.+)$/.exec(response.headers.get('refresh') ?? '')?.[1] ?? '')
      const renewed = response.headers.getSetCookie().length > 0
      return { response, location, cookie: renewed ? cookieHeaderOf(response) : Cookie }
    },
    async consent(cookie, changes) {
      const { location, response } = await client.decide(cookie, await client.show(cookie, changes))
      const code = location?.searchParams.get('code')
      if (code == null) throw new Error(`no code: ${response.status} ${location?.href}`)
      return code
    },
    token: (changes = {}) =>
      post(
        AGENT_ROUTES.token.path,
        write({
          grant_type: 'authorization_code',
          ...{ client_id: CLAUDE_CODE, redirect_uri: CALLBACK, code_verifier: verifier },
          resource: asked.resource,
          ...changes,
        }),
      ),
    async tokens(cookie, changes) {
      const code = await client.consent(cookie, changes)
      const { client_id = CLAUDE_CODE, redirect_uri = CALLBACK } = changes ?? {}
      return readObject(await client.token({ code, client_id, redirect_uri }))
    },
  }
  return client
}

function write(parameters: Parameters): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== null) query.set(name, value)
  return query.toString()
}
