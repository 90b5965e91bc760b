import type { Message } from '@sekisho/contract/language'
import { firebaseLogin, readFirebaseSettings } from '../firebase/settings.ts'
import type { IdentityConfig, OpenProviderOptions, SettingsSource } from '../provider.ts'
import { problemOf } from '../texts/index.ts'

/** Defaults of `npm start`; the `demo-` prefix marks a project that is never real. */
const DEFAULTS = { apiKey: 'local', projectId: 'demo-sekisho', authDomain: 'localhost' }

/** Reads the service on a developer's machine, which plays Firebase's part: a real project must never meet it. */
export function readLocal(settings: SettingsSource, problems: Message[]): IdentityConfig {
  const reading = readFirebaseSettings(settings, DEFAULTS)
  const { firebase, projectId } = reading
  if (firebase?.projectId.startsWith('demo-') === false)
    problems.push(problemOf('real_project', 'FIREBASE_PROJECT_ID'))
  const owner = { issuer: 'local', projectId }
  const broken = [firebaseLogin({})]
  if (firebase === null) return { providers: [], broken, owner, problems: reading.problems }
  const login = firebaseLogin(firebase)
  const provider = {
    login,
    owner,
    summary: projectId,
    findProblems: () => [],
    open: async (options: OpenProviderOptions) =>
      (await import('./provider.ts')).openLocal(firebase, options),
  }
  return { providers: [provider], broken, owner, problems: reading.problems }
}
