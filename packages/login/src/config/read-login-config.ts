import { type FirebaseSettings, type LoginConfig, LoginConfigError } from './login-config.ts'

type Fields = Readonly<Record<string, unknown>>

/** Reads the gate's JSON; throws {@link LoginConfigError} with every problem, unknown keys included. */
export function readLoginConfig(json: string): LoginConfig {
  const problems: string[] = []
  const root = readObject(parse(json, problems), 'configuration', problems)
  refuseUnknown(root, ['site', 'firebase', 'configError', 'local', 'sessionEndpoint'], '', problems)
  const site = readObject(root.site, 'site', problems)
  refuseUnknown(site, ['title', 'tagline'], 'site.', problems)
  const local = root.local === null ? null : readObject(root.local, 'local', problems)
  if (local !== null) refuseUnknown(local, ['emulatorOrigin'], 'local.', problems)
  if (typeof root.configError !== 'boolean') problems.push('configError must be true or false')

  const config: LoginConfig = {
    site: {
      title: readText(site, 'title', 'site.', problems),
      tagline: readText(site, 'tagline', 'site.', problems),
    },
    firebase: root.firebase === null ? null : readFirebase(root.firebase, problems),
    configError: root.configError === true,
    local: local === null ? null : { emulatorOrigin: readText(local, 'emulatorOrigin', 'local.', problems) },
    sessionEndpoint: readText(root, 'sessionEndpoint', '', problems),
  }
  if (problems.length > 0) throw new LoginConfigError(problems)
  return config
}

/** Sign-in can be offered only when the three required settings are real values. */
export function isUsable(firebase: FirebaseSettings | null): firebase is FirebaseSettings {
  if (firebase === null) return false
  return [firebase.apiKey, firebase.authDomain, firebase.projectId].every(
    (value) => value !== '' && value !== 'undefined',
  )
}

/** Settings may be missing or nonsense here: that is shown to the reader, not thrown. */
function readFirebase(value: unknown, problems: string[]): FirebaseSettings {
  const fields = readObject(value, 'firebase', problems)
  refuseUnknown(fields, ['apiKey', 'authDomain', 'projectId', 'storageBucket'], 'firebase.', problems)
  const text = (key: string): string => (typeof fields[key] === 'string' ? fields[key] : '')
  const storageBucket = text('storageBucket')
  return {
    apiKey: text('apiKey'),
    authDomain: text('authDomain'),
    projectId: text('projectId'),
    ...(storageBucket === '' ? {} : { storageBucket }),
  }
}

function parse(json: string, problems: string[]): unknown {
  try {
    return JSON.parse(json) as unknown
  } catch {
    problems.push('it is not JSON')
    return {}
  }
}

function readObject(value: unknown, name: string, problems: string[]): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  problems.push(`${name} must be an object`)
  return {}
}

function readText(fields: Fields, key: string, prefix: string, problems: string[]): string {
  const value = fields[key]
  if (typeof value === 'string' && value !== '') return value
  problems.push(`${prefix}${key} must be a non-empty text`)
  return ''
}

function refuseUnknown(fields: Fields, known: readonly string[], prefix: string, problems: string[]): void {
  for (const key of Object.keys(fields)) {
    if (!known.includes(key)) problems.push(`${prefix}${key} is not a known key`)
  }
}
