import type { FirebaseSettings } from '@sekisho/contract/login-page'
import type { SettingsReader } from './settings.ts'

/** An invalid identity configuration is not fatal: the gate starts, admits nobody and says what is wrong. */
export interface IdentitySettings {
  readonly firebase: FirebaseSettings | null
  /** Known even while another setting is wrong: sessions belong to a project, and live ones go on. Null when it is no id. */
  readonly projectId: string | null
  readonly problems: readonly string[]
}

/** The rule of the portal's specification: present, and not the text a broken template leaves behind. */
function isPresent(value: string | undefined): value is string {
  return value !== undefined && value !== 'undefined'
}

/** Firebase project ids; the shape matters because the id becomes part of a host name. */
const PROJECT_ID = /^[a-z][a-z0-9-]{2,38}[a-z0-9]$/
const HOST = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/

/** Reads the Firebase settings; `defaults` apply to settings that are unset, not to wrong ones. */
export function readIdentitySettings(
  settings: SettingsReader,
  defaults: Partial<FirebaseSettings>,
): IdentitySettings {
  const apiKey = settings.text('FIREBASE_API_KEY') ?? defaults.apiKey
  const authDomain = settings.text('FIREBASE_AUTH_DOMAIN') ?? defaults.authDomain
  const projectId = settings.text('FIREBASE_PROJECT_ID') ?? defaults.projectId
  const bucket = settings.text('FIREBASE_STORAGE_BUCKET')
  const problems: string[] = []
  const missing = 'is missing or the text "undefined"'
  if (!isPresent(apiKey)) problems.push(`FIREBASE_API_KEY ${missing}`)
  if (!isPresent(authDomain)) problems.push(`FIREBASE_AUTH_DOMAIN ${missing}`)
  else if (!HOST.test(authDomain)) problems.push('FIREBASE_AUTH_DOMAIN must be a host name without a scheme')
  if (!isPresent(projectId)) problems.push(`FIREBASE_PROJECT_ID ${missing}`)
  else if (!PROJECT_ID.test(projectId)) problems.push('FIREBASE_PROJECT_ID is not a project id')
  const ownProject = isPresent(projectId) && PROJECT_ID.test(projectId) ? projectId : null
  if (problems.length > 0 || !isPresent(apiKey) || !isPresent(authDomain) || !isPresent(projectId)) {
    return { firebase: null, projectId: ownProject, problems }
  }
  return {
    firebase: { apiKey, authDomain, projectId, ...(isPresent(bucket) ? { storageBucket: bucket } : {}) },
    projectId,
    problems,
  }
}
