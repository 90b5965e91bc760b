import { parseJson, ShapeReader } from '../errors/json-shape.ts'
import { LANGUAGES, type Language } from '../texts/language.ts'
import type { LoginSettings } from './login-kinds.ts'

/** Kinds of signing in: each has a flow in the login page, and rules in `login-document.ts`. */
export const LOGIN_KIND_NAMES = ['firebase', 'redirect'] as const
export type LoginKind = (typeof LOGIN_KIND_NAMES)[number]

/** One way to sign in, as the login page offers it. */
export interface LoginProvider {
  /** Its name in addresses and in the operator's settings. */
  readonly id: string
  /** The flow that the page loads for it. */
  readonly kind: LoginKind
  /** The organisation or service of its accounts, in readers' words; shown on its button and beside it. */
  readonly label: string
  readonly settings: LoginSettings
}

/** The gate's data for the login page, in the JSON script element {@link LOGIN_CONFIG_ID}. */
export interface LoginConfig {
  readonly lang: Language
  readonly site: { readonly title: string; readonly tagline: string }
  /** In the order they are offered; none while the gate's identity settings are invalid: it logs which one. */
  readonly providers: readonly LoginProvider[]
  readonly sessionEndpoint: string
}

export const LOGIN_CONFIG_ID = 'sekisho-config'

/** The page and the gate do not fit together; the message names every difference. */
class LoginConfigError extends Error {
  override readonly name = 'LoginConfigError'
  readonly code = 'login_config_invalid'
}

/** Reads the gate's JSON; throws {@link LoginConfigError} with every problem, unknown keys included. */
export function readLoginConfig(json: string): LoginConfig {
  const shape = new ShapeReader()
  const keys = ['lang', 'site', 'providers', 'sessionEndpoint']
  const root = shape.object(parseJson(json, 'configuration', shape), 'configuration', keys)
  const site = shape.object(root.site, 'site', ['title', 'tagline'])
  const config = {
    lang: shape.oneOf(root.lang, 'lang', LANGUAGES),
    site: {
      title: shape.matching(site.title, 'site.title', /./, 'a non-empty text'),
      tagline: shape.matching(site.tagline, 'site.tagline', /./, 'a non-empty text'),
    },
    providers: shape.array(root.providers, 'providers').map((value) => readProvider(value, shape)),
    sessionEndpoint: shape.matching(root.sessionEndpoint, 'sessionEndpoint', /./, 'a non-empty text'),
  }
  if (shape.problems.length > 0)
    throw new LoginConfigError(`The login page cannot read its configuration: ${shape.problems.join('; ')}`)
  return config
}

/** Leaves a kind's required settings to its flow, which shows missing ones to the reader in place of throwing. */
function readProvider(value: unknown, shape: ShapeReader): LoginProvider {
  const fields = shape.object(value, 'providers', ['id', 'kind', 'label', 'settings'])
  const settings = Object.entries(shape.record(fields.settings, 'settings'))
  const kind = shape.oneOf(fields.kind, 'kind', LOGIN_KIND_NAMES)
  const id = shape.matching(fields.id, 'id', /./, 'a non-empty text')
  const label = shape.matching(fields.label, 'label', /./, 'a non-empty text')
  const texts = settings.map(([name, text]) => [name, shape.text(text, `settings.${name}`)] as const)
  return { id, kind, label, settings: Object.fromEntries(texts) }
}

/** Output of the login page's build for the gate: `login.json` beside its files. */
export interface LoginManifest {
  readonly script: string
  /** The script of each kind's flow, which the page loads when it offers that kind. */
  readonly flows: Readonly<Record<string, string>>
  readonly styles: readonly string[]
  readonly icon: string
  /** Content of the page until its script runs, with `SHELL_TITLE` and `SHELL_TAGLINE` in place of the site's. */
  readonly shell: string
  /** Every file an anonymous browser may fetch, with the type to answer it with. */
  readonly files: readonly { readonly path: string; readonly type: string }[]
}

const ASSET = /^assets\/[\w.-]+$/
/** Stand in the built shell for the texts of the site, which only the gate knows. */
export const SHELL_TITLE = '%title%'
export const SHELL_TAGLINE = '%tagline%'
const MANIFEST_KEYS = ['script', 'flows', 'styles', 'icon', 'shell', 'files']

/** Reads `login.json`; problems are collected in `shape`. Each path is one below `assets/`, so no name leaves the folder. */
export function readLoginManifest(value: unknown, shape: ShapeReader): LoginManifest {
  const root = shape.object(value, 'login.json', MANIFEST_KEYS)
  const asset = (path: unknown, where: string) => shape.matching(path, where, ASSET, 'a file below assets/')
  return {
    script: asset(root.script, 'script'),
    flows: Object.fromEntries(
      Object.entries(shape.record(root.flows, 'flows')).map(([kind, path]) => [kind, asset(path, 'flows')]),
    ),
    styles: shape.array(root.styles, 'styles').map((path) => asset(path, 'styles')),
    icon: asset(root.icon, 'icon'),
    shell: shape.text(root.shell, 'shell'),
    files: shape.array(root.files, 'files').map((item) => {
      const file = shape.object(item, 'files', ['path', 'type'])
      return { path: asset(file.path, 'files'), type: shape.text(file.type, 'files') }
    }),
  }
}
