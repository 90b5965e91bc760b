import { parseJson, ShapeReader } from './json-shape.ts'

/** The web app's public settings in a Firebase project. */
export interface FirebaseSettings {
  readonly apiKey: string
  readonly authDomain: string
  readonly projectId: string
  readonly storageBucket?: string
}

/** Languages of the login page. */
export const LOGIN_LANGUAGES = ['ja', 'en'] as const
export type LoginLanguage = (typeof LOGIN_LANGUAGES)[number]

/** Japanese for readers of Japanese pages, English for everybody else; by a BCP 47 tag. */
export const loginLanguageOf = (lang: string): LoginLanguage => (/^ja(?:-|$)/i.test(lang) ? 'ja' : 'en')

/** What the gate tells the login page, in the JSON script element {@link LOGIN_CONFIG_ID}. */
export interface LoginConfig {
  readonly lang: LoginLanguage
  readonly site: { readonly title: string; readonly tagline: string }
  readonly firebase: FirebaseSettings | null
  /** The gate found its identity settings invalid; it logs which one. */
  readonly configError: boolean
  readonly local: { readonly emulatorOrigin: string } | null
  readonly sessionEndpoint: string
}

export const LOGIN_CONFIG_ID = 'sekisho-config'

/** The page and the gate do not fit together; the message names every difference. */
export class LoginConfigError extends Error {
  override readonly name = 'LoginConfigError'
  readonly code = 'login_config_invalid'
}

/** Reads the gate's JSON; throws {@link LoginConfigError} with every problem, unknown keys included. */
export function readLoginConfig(json: string): LoginConfig {
  const shape = new ShapeReader()
  const keys = ['lang', 'site', 'firebase', 'configError', 'local', 'sessionEndpoint']
  const root = shape.object(parseJson(json, 'configuration', shape), 'configuration', keys)
  const site = shape.object(root.site, 'site', ['title', 'tagline'])
  const local = root.local === null ? null : shape.object(root.local, 'local', ['emulatorOrigin'])
  const lang = LOGIN_LANGUAGES.find((known) => known === root.lang)
  if (lang === undefined) shape.report('lang', 'must be ja or en')
  const config = {
    lang: lang ?? 'ja',
    site: {
      title: shape.matching(site.title, 'site.title', /./, 'a non-empty text'),
      tagline: shape.matching(site.tagline, 'site.tagline', /./, 'a non-empty text'),
    },
    firebase: root.firebase === null ? null : readFirebase(root.firebase, shape),
    configError: root.configError === true,
    local:
      local === null
        ? null
        : {
            emulatorOrigin: shape.matching(
              local.emulatorOrigin,
              'local.emulatorOrigin',
              /./,
              'a non-empty text',
            ),
          },
    sessionEndpoint: shape.matching(root.sessionEndpoint, 'sessionEndpoint', /./, 'a non-empty text'),
  }
  if (typeof root.configError !== 'boolean') shape.report('configError', 'must be true or false')
  if (shape.problems.length > 0)
    throw new LoginConfigError(`The login page cannot read its configuration: ${shape.problems.join('; ')}`)
  return config
}

/** Settings may be missing or nonsense here: that is shown to the reader, not thrown. */
function readFirebase(value: unknown, shape: ShapeReader): FirebaseSettings {
  const keys = ['apiKey', 'authDomain', 'projectId', 'storageBucket'] as const
  const fields = shape.object(value, 'firebase', keys)
  const text = (key: (typeof keys)[number]) => (typeof fields[key] === 'string' ? fields[key] : '')
  const storageBucket = text('storageBucket')
  return {
    apiKey: text('apiKey'),
    authDomain: text('authDomain'),
    projectId: text('projectId'),
    ...(storageBucket === '' ? {} : { storageBucket }),
  }
}

/** Sign-in can be offered only when the three required settings are real values. */
export function isUsable(firebase: FirebaseSettings | null): firebase is FirebaseSettings {
  if (firebase === null) return false
  return [firebase.apiKey, firebase.authDomain, firebase.projectId].every(
    (value) => value !== '' && value !== 'undefined',
  )
}

/** What the build of the login page leaves for the gate: `login.json` beside its files. */
export interface LoginManifest {
  readonly script: string
  readonly styles: readonly string[]
  readonly icon: string
  /** What stands on the page until its script runs, with `SHELL_TITLE` and `SHELL_TAGLINE` where the site's are to be. */
  readonly shell: string
  /** Every file an anonymous browser may fetch, with the type to answer it with. */
  readonly files: readonly { readonly path: string; readonly type: string }[]
}

const ASSET = /^assets\/[\w.-]+$/
/** Stand in the built shell for the texts of the site, which only the gate knows. */
export const SHELL_TITLE = '%title%'
export const SHELL_TAGLINE = '%tagline%'
const MANIFEST_KEYS = ['script', 'styles', 'icon', 'shell', 'files']

/** Reads `login.json`; problems are collected in `shape`. Each path is one below `assets/`, so no name leaves the folder. */
export function readLoginManifest(value: unknown, shape: ShapeReader): LoginManifest {
  const root = shape.object(value, 'login.json', MANIFEST_KEYS)
  const asset = (path: unknown, where: string) => shape.matching(path, where, ASSET, 'a file below assets/')
  return {
    script: asset(root.script, 'script'),
    styles: shape.array(root.styles, 'styles').map((path) => asset(path, 'styles')),
    icon: asset(root.icon, 'icon'),
    shell: shape.text(root.shell, 'shell'),
    files: shape.array(root.files, 'files').map((item) => {
      const file = shape.object(item, 'files', ['path', 'type'])
      return { path: asset(file.path, 'files'), type: shape.text(file.type, 'files') }
    }),
  }
}
