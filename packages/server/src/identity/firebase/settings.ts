import { type FirebaseSettings, isFirebaseSettings } from '@sekisho/contract/firebase'
import type { Message } from '@sekisho/contract/language'
import type { LoginSettings } from '@sekisho/contract/login-kinds'
import type { LoginProvider } from '@sekisho/contract/login-page'
import type { IdentityConfig, ProviderConfig, SettingsSource } from '../provider.ts'
import { problemOf } from '../texts/index.ts'

/** The `iss` of a project's ID tokens. */
export function firebaseIssuer(projectId: string): string {
  return `https://securetoken.google.com/${projectId}`
}

/** Firebase project ids; the shape matters because the id becomes part of a host name. */
const PROJECT_ID = /^[a-z][a-z0-9-]{2,38}[a-z0-9]$/
const HOST = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/

/** Required settings of a web app. */
const REQUIRED = ['FIREBASE_API_KEY', 'FIREBASE_AUTH_DOMAIN', 'FIREBASE_PROJECT_ID'] as const

/** A project's settings as they were read. */
interface FirebaseReading {
  /** Null when one of them is wrong. */
  readonly firebase: FirebaseSettings | null
  /** Known even while another setting is wrong; empty when it is no id. */
  readonly projectId: string
  readonly problems: readonly Message[]
}

/** Reads the project that signs readers in; one of a developer's machine has no place in production. */
export function readFirebase(settings: SettingsSource, problems: Message[]): IdentityConfig {
  const reading = readFirebaseSettings(settings, {})
  const { firebase, projectId } = reading
  const isUnset = REQUIRED.every((name) => settings.text(name) === undefined)
  if (firebase?.projectId.startsWith('demo-') === true)
    problems.push(problemOf('demo_project', 'FIREBASE_PROJECT_ID'))
  return {
    providers: firebase === null ? [] : [configure(firebase)],
    broken: [firebaseLogin({})],
    owner: { issuer: firebaseIssuer(projectId), projectId },
    // Who has named nothing yet need not mean this provider.
    problems: isUnset ? [problemOf('no_provider', 'Firebase', REQUIRED)] : reading.problems,
  }
}

function configure(firebase: FirebaseSettings): ProviderConfig {
  const { projectId, authDomain } = firebase
  const login = firebaseLogin(firebase)
  return {
    login,
    owner: { issuer: firebaseIssuer(projectId), projectId },
    summary: projectId,
    findProblems: ({ host }) =>
      authDomain === host ? [] : [problemOf('other_host', 'FIREBASE_AUTH_DOMAIN', host)],
    // Imported by whoever opens it alone: commands read these settings, too, and need no more than that.
    open: async ({ origin, now }) => {
      const { createFirebaseProvider } = await import('./provider.ts')
      return createFirebaseProvider({
        issuer: firebaseIssuer(projectId),
        login,
        firebase,
        origin,
        fetch,
        now,
      })
    },
  }
}

/** Settings of a project for the login page. */
export function firebaseLogin(settings: LoginSettings): LoginProvider {
  return { id: 'firebase', kind: 'firebase', label: 'Google', settings }
}

/** The rule of the portal's specification: present, and not the text a broken template leaves behind. */
function isPresent(value: string | undefined): value is string {
  return value !== undefined && value !== 'undefined'
}

/** Reads the settings; `defaults` apply to those that are unset, not to wrong ones. */
export function readFirebaseSettings(settings: SettingsSource, defaults: LoginSettings): FirebaseReading {
  const apiKey = settings.text('FIREBASE_API_KEY') ?? defaults.apiKey
  const authDomain = settings.text('FIREBASE_AUTH_DOMAIN') ?? defaults.authDomain
  const projectId = settings.text('FIREBASE_PROJECT_ID') ?? defaults.projectId
  const bucket = settings.text('FIREBASE_STORAGE_BUCKET')
  const problems: Message[] = []
  const missing = (name: string) => problemOf('setting_missing', name)
  if (!isPresent(apiKey)) problems.push(missing('FIREBASE_API_KEY'))
  if (!isPresent(authDomain)) problems.push(missing('FIREBASE_AUTH_DOMAIN'))
  else if (!HOST.test(authDomain)) problems.push(problemOf('bad_host', 'FIREBASE_AUTH_DOMAIN'))
  if (!isPresent(projectId)) problems.push(missing('FIREBASE_PROJECT_ID'))
  else if (!PROJECT_ID.test(projectId)) problems.push(problemOf('bad_project', 'FIREBASE_PROJECT_ID'))
  const found: LoginSettings = {
    apiKey: apiKey ?? '',
    authDomain: authDomain ?? '',
    projectId: projectId ?? '',
    ...(isPresent(bucket) ? { storageBucket: bucket } : {}),
  }
  return {
    firebase: problems.length === 0 && isFirebaseSettings(found) ? found : null,
    projectId: isPresent(projectId) && PROJECT_ID.test(projectId) ? projectId : '',
    problems,
  }
}
