import type { LoginKindRules, LoginSettings } from './login-kinds.ts'

/** The web app's public settings in a Firebase project; on a developer's machine with the address of the service that plays its part. */
export type FirebaseSettings = LoginSettings & {
  readonly apiKey: string
  readonly authDomain: string
  readonly projectId: string
}

/** Pages that the Firebase SDK asks for on the portal's own host: its popup and its hidden frame. */
const HELPER_PATHS = [
  '/__/auth/handler',
  '/__/auth/handler.js',
  '/__/auth/iframe',
  '/__/auth/iframe.js',
  '/__/auth/experiments.js',
  '/__/auth/links',
  '/__/auth/links.js',
  '/__/firebase/init.json',
] as const

/** The least that the settings of a project are. */
const EXAMPLE: FirebaseSettings = { apiKey: 'x', authDomain: 'x', projectId: 'x' }

/** Signing in by Firebase's SDK, which brings tokens of its own to the gate. */
export const FIREBASE = {
  button: (label) => `Login with ${label}`,
  paths: HELPER_PATHS,
  sources(settings, host) {
    const { authDomain, emulatorOrigin } = settings
    const isAsked = isFirebaseSettings(settings) && emulatorOrigin === undefined
    if (!isAsked) return { script: [], frame: [], connect: [] }
    return {
      script: ['https://apis.google.com'],
      frame: authDomain === host ? [] : [`https://${authDomain}`],
      connect: ['https://identitytoolkit.googleapis.com', 'https://securetoken.googleapis.com'],
    }
  },
  publicSettings: [
    'FIREBASE_API_KEY',
    'FIREBASE_AUTH_DOMAIN',
    'FIREBASE_PROJECT_ID',
    'FIREBASE_STORAGE_BUCKET',
  ],
  examples: [{}, EXAMPLE, { ...EXAMPLE, emulatorOrigin: 'https://portal.invalid' }],
} as const satisfies LoginKindRules

/** Tells if the settings are real values with which the SDK can start; a broken template leaves `undefined` behind. */
export function isFirebaseSettings(settings: LoginSettings): settings is FirebaseSettings {
  const { apiKey = '', authDomain = '', projectId = '' } = settings
  return [apiKey, authDomain, projectId].every((value) => value !== '' && value !== 'undefined')
}
