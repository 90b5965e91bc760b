import type { StartRequest } from '@sekisho/contract/redirect'
import { signInRoutes } from '@sekisho/contract/routes'
import * as oauth from 'oauth4webapi'
import type { Handler } from '../../kernel/boundary.ts'
import { isFromHere } from '../../kernel/client/fetch-metadata.ts'
import { readJsonBody } from '../../kernel/json-body.ts'
import { jsonResponse, problem } from '../../kernel/pages/problem.ts'
import { SignInFailure, type SignInReceiver } from '../provider.ts'
import type { Server } from './client.ts'
import type { OidcSettings } from './oidc-settings.ts'
import type { Transactions } from './transaction.ts'

export interface StartOptions {
  readonly settings: OidcSettings
  readonly origin: URL
  readonly server: () => Promise<Server>
  readonly transactions: Transactions
  readonly redirectUri: string
  readonly now: () => number
}

const MAX_RETURN_CHARS = 1_500

/** Tells the login page where to send the browser, and gives the browser what it must bring back. */
export function createStart(options: StartOptions, receiver: SignInReceiver): Handler {
  const { settings, origin, transactions, redirectUri, now } = options
  const { maxBodyBytes } = signInRoutes(settings.name).start

  return async (request) => {
    if (!isFromHere(request, origin)) return problem('bad_origin')
    const body = await readJsonBody(request, maxBodyBytes)
    if (body.kind === 'too_large') return problem('too_large')
    const asked = body.kind === 'read' ? readStart(body.value, origin) : null
    if (asked === null) return problem('bad_request')
    const endpoint = await findEndpoint(options).catch((error: unknown) => receiver.fail(error))
    if (!(endpoint instanceof URL)) return problem(endpoint)

    const [state, nonce, codeVerifier] = [
      oauth.generateRandomState(),
      oauth.generateRandomNonce(),
      oauth.generateRandomCodeVerifier(),
    ]
    const url = new URL(endpoint.href)
    const parameters = {
      ...settings.vendor.parameters,
      ...promptOf(asked.prompt, settings.vendor.parameters.prompt),
      response_type: 'code',
      client_id: settings.clientId,
      redirect_uri: redirectUri,
      scope: settings.scopes,
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    }
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    const { returnTo, prompt } = asked
    const transaction = { nonce, codeVerifier, returnTo, isSilent: prompt === 'silent', startedAtMs: now() }
    const response = jsonResponse({ location: url.href })
    for (const cookie of transactions.begin(state, transaction, request))
      response.headers.append('Set-Cookie', cookie)
    return response
  }
}

async function findEndpoint({ server }: StartOptions): Promise<URL> {
  try {
    return new URL((await server()).metadata.authorization_endpoint ?? '')
  } catch (cause) {
    throw new SignInFailure('discovery', { cause })
  }
}

function promptOf(prompt: StartRequest['prompt'], own: string | undefined): { readonly prompt?: string } {
  if (prompt === 'silent') return { prompt: 'none' }
  if (prompt === 'any') return {}
  return { prompt: own === undefined ? 'select_account' : `${own} select_account` }
}

/** Comes back as path, query and fragment of an address of ours: nothing else can become a redirect (threats 57). */
function readStart(value: unknown, origin: URL): StartRequest | null {
  if (typeof value !== 'object' || value === null || !('returnTo' in value) || !('prompt' in value))
    return null
  const { returnTo, prompt } = value
  const known = (['any', 'choose', 'silent'] as const).find((one) => one === prompt)
  if (typeof returnTo !== 'string' || returnTo.length > MAX_RETURN_CHARS || known === undefined) return null
  const url = returnTo.startsWith('/') ? URL.parse(returnTo, origin) : null
  if (url === null || url.origin !== origin.origin || url.username !== '') return null
  return { returnTo: url.pathname + url.search + url.hash, prompt: known }
}
