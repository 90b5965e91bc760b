import type { FirebaseSettings } from '@sekisho/contract/firebase'
import type { LoginProvider } from '@sekisho/contract/login-page'
import { createRemoteKeys } from '../key-set.ts'
import type { IdentityProvider } from '../provider.ts'
import { createAssertions } from './assertions.ts'
import { createHelperProxy } from './helper-proxy.ts'
import { createTokenExchange } from './token-exchange.ts'

interface FirebaseProviderOptions {
  /** The `iss` of the project's ID tokens. */
  readonly issuer: string
  readonly login: LoginProvider
  readonly firebase: FirebaseSettings
  readonly origin: URL
  readonly fetch: typeof fetch
  readonly now: () => number
}

const KEYS_URL = 'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com'

/** Firebase Authentication; refuses `demo-` projects, which exist only on a developer's machine. */
export function createFirebaseProvider(options: FirebaseProviderOptions): IdentityProvider {
  const { issuer, login, origin, fetch, now } = options
  const { projectId, apiKey } = options.firebase
  if (projectId.startsWith('demo-')) throw new TypeError('a demo- project is never verified against Firebase')
  const routes = createHelperProxy({ projectId, fetch, now })
  return {
    issuer,
    login,
    routes: () => routes,
    ...createAssertions({
      issuer,
      audience: projectId,
      keys: createRemoteKeys({ url: new URL(KEYS_URL), fetch, now }),
      exchange: createTokenExchange({ apiKey, origin, fetch }),
      now,
    }),
  }
}
