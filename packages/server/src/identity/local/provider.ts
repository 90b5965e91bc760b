import type { FirebaseSettings } from '@sekisho/contract/firebase'
import type { LoginProvider } from '@sekisho/contract/login-page'
import { createLocalJWKSet } from 'jose'
import type { Handler } from '../../kernel/boundary.ts'
import { createAssertions } from '../firebase/assertions.ts'
import { HELPER_HEADERS } from '../firebase/helper-proxy.ts'
import { firebaseLogin } from '../firebase/settings.ts'
import type { IdentityProvider, OpenProviderOptions } from '../provider.ts'

/** The service of this machine, whose package is imported only now: a production install does not contain it. */
export async function openLocal(
  firebase: FirebaseSettings,
  { origin, accountsFile, onWarning, now }: OpenProviderOptions,
): Promise<IdentityProvider> {
  const { createLocalIdentity } = await import('../../local-identity/index.ts')
  const { projectId } = firebase
  const local = await createLocalIdentity({ projectId, origin: origin.origin, accountsFile, onWarning, now })
  const handler: Handler = async (request) => {
    const response = await local.handle(request)
    for (const [name, value] of Object.entries(HELPER_HEADERS)) response.headers.set(name, value)
    return response
  }
  const login: LoginProvider = firebaseLogin({ ...firebase, emulatorOrigin: origin.origin })
  return {
    issuer: local.issuer,
    login,
    routes: () =>
      new Map(local.paths.map((path) => [path, { access: 'open', accepts: null, answer: handler }])),
    ...createAssertions({
      issuer: local.issuer,
      audience: local.audience,
      keys: createLocalJWKSet(local.jwks),
      exchange: local.exchangeRefreshToken,
      now,
    }),
  }
}
