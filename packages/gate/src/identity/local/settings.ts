import type { FirebaseSettings } from '@sekisho/contract/firebase'
import type { LoginProvider } from '@sekisho/contract/login-page'
import { createLocalJWKSet } from 'jose'
import type { Handler } from '../../frame/boundary.ts'
import { createAssertions } from '../firebase/assertions.ts'
import { HELPER_HEADERS } from '../firebase/helper-proxy.ts'
import { firebaseLogin, readFirebaseSettings } from '../firebase/settings.ts'
import type { IdentityConfig, IdentityProvider, OpenProviderOptions, SettingsSource } from '../provider.ts'

/** What `npm start` uses when nothing is set; the `demo-` prefix marks a project that is never real. */
const DEFAULTS = { apiKey: 'local', projectId: 'demo-sekisho', authDomain: 'localhost' }

/** Reads the service on a developer's machine, which plays Firebase's part: a real project must never meet it. */
export function readLocal(settings: SettingsSource, problems: string[]): IdentityConfig {
  const reading = readFirebaseSettings(settings, DEFAULTS)
  const { firebase, projectId } = reading
  if (firebase?.projectId.startsWith('demo-') === false)
    problems.push('FIREBASE_PROJECT_ID must start with demo- with --local')
  const owner = { issuer: 'local', projectId }
  const broken = [firebaseLogin({})]
  if (firebase === null) return { providers: [], broken, owner, problems: reading.problems }
  const login = firebaseLogin(firebase)
  const provider = {
    ...{ login, owner, summary: projectId },
    findProblems: () => [],
    open: (options: OpenProviderOptions) => openLocal(firebase, options),
  }
  return { providers: [provider], broken, owner, problems: reading.problems }
}

/** Imported only here and only now: a production install does not contain the package. */
async function openLocal(
  firebase: FirebaseSettings,
  { origin, accountsFile, onWarning, now }: OpenProviderOptions,
): Promise<IdentityProvider> {
  const { createLocalIdentity } = await import('@sekisho/local-identity')
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
    routes: () => new Map(local.paths.map((path) => [path, { access: 'open', answer: handler }])),
    ...createAssertions({
      issuer: local.issuer,
      audience: local.audience,
      keys: createLocalJWKSet(local.jwks),
      exchange: local.exchangeRefreshToken,
      now,
    }),
  }
}
