import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  authorizationServerMetadata,
  challengeHeader,
  OAUTH_ERRORS,
  type OAuthError,
  oauthErrorDocument,
  resourceMetadata,
} from '@sekisho/contract/agents'
import { ExplainedError } from '@sekisho/contract/explained-error'
import { parseJson, ShapeReader } from '@sekisho/contract/json-shape'
import { LANGUAGES } from '@sekisho/contract/language'
import {
  LOGIN_FILE_CACHING,
  LOGIN_HEADERS,
  LOGIN_KINDS,
  loginDocument,
  loginPolicy,
} from '@sekisho/contract/login-document'
import {
  LOGIN_KIND_NAMES,
  type LoginConfig,
  type LoginManifest,
  type LoginProvider,
  readLoginManifest,
} from '@sekisho/contract/login-page'
import { ENTRY_SCRIPT, ENTRY_STYLE, entryDocument, entryPolicy } from '@sekisho/contract/preview-entry'
import { PROBLEMS, type ProblemCode, problemDocument } from '@sekisho/contract/problems'
import { DEFAULT_HEADERS, HSTS } from '@sekisho/contract/response-headers'
import {
  DEGRADED,
  HEALTHY,
  LOGIN_PREFIX,
  PORTAL_ROUTES,
  PREVIEW_ROUTES,
  ROUTES,
} from '@sekisho/contract/routes'
import { END_REASONS } from '@sekisho/contract/session-response'
import { collectPublicText, type PublicText } from '../../leaks/public-text.ts'
import { viewsOf } from '../../leaks/views.ts'
import { problemOf } from '../../texts/index.ts'

/**
 * Responses of this product without a release: the yardstick for what is public. Made from the contract and the built login page, never
 * from a gate's code or answers.
 */
export interface Reference {
  readonly publicText: PublicText
  /** SHA-256 of every body the product answers without a release. */
  readonly pinned: ReadonlySet<string>
  /** The exact paths of the open routes, and of those for publishers. */
  readonly openPaths: readonly string[]
  /** Open routes whose answers come from the identity service: their bytes are its own, and never the release's. */
  readonly identityPaths: ReadonlySet<string>
  readonly isPublicName: (name: string) => boolean
  /** Every header with a fixed value that strangers may be sent, as `name: value` with the name in lower case. */
  readonly headerLines: ReadonlySet<string>
  readonly login: LoginFiles
  readonly site: ReferenceOptions['site']
}

/** The built login page. */
export interface LoginFiles extends Omit<LoginManifest, 'files'> {
  /** By path below the login page's own. */
  readonly assets: ReadonlyMap<string, { readonly type: string; readonly plain: Uint8Array }>
}

interface ReferenceOptions {
  readonly login: LoginFiles
  /** Product name and tagline, which the login page shows without a session. */
  readonly site: { readonly title: string; readonly tagline: string }
  /** The host that readers use, which the open documents about agents name. */
  readonly host: string
  /** Further phrases the operator declares public. */
  readonly phrases: readonly string[]
  /** Public paths and texts of the built-in identity service, where it is installed. */
  readonly localIdentity?: { readonly paths: readonly string[]; readonly texts: readonly string[] }
}

/** There is no built login page to tell its files from anything else. */
export class LoginFilesError extends ExplainedError {
  override readonly name = 'LoginFilesError'
  readonly code = 'login_files_missing'
}

/** Reads what the build of the login page left; throws {@link LoginFilesError}. */
export function readLoginFiles(): LoginFiles {
  const url = import.meta.resolve('@sekisho/login/login.json')
  const shape = new ShapeReader()
  let text = ''
  try {
    text = readFileSync(new URL(url), 'utf8')
  } catch {
    throw new LoginFilesError(problemOf('login_not_built', fileURLToPath(url)))
  }
  const { files, ...built } = readLoginManifest(parseJson(text, 'login.json', shape), shape)
  if (shape.problems.length > 0)
    throw new LoginFilesError(problemOf('login_damaged', fileURLToPath(url), shape.problems.map(String)))
  const assets = files.map(
    ({ path, type }) => [path, { type, plain: readFileSync(new URL(path, url)) }] as const,
  )
  return { ...built, assets: new Map(assets) }
}

/** Includes publishing: publishers bring credentials of their own and get separate answers elsewhere. */
const OPEN_PATHS = [...PORTAL_ROUTES, ...Object.values(PREVIEW_ROUTES)]
  .filter(({ access }) => access !== 'reader')
  .map(({ path }) => path)
const EXAMPLE_ORIGIN = new URL('https://portal.invalid')

/** Collects everything this product can say to a stranger. */
export function createReference(options: ReferenceOptions): Reference {
  const { login, site } = options
  const bodies = bodiesOf(options)
  const { paths = [], texts: identityTexts = [] } = options.localIdentity ?? {}
  const headers = headerLines(options)
  const texts = [...bodies, ...[...headers, ...identityTexts].map((text) => Buffer.from(text))]
  const phrases = [site.title, site.tagline, ...options.phrases]
  return {
    publicText: collectPublicText(texts.flatMap(viewsOf), phrases),
    pinned: new Set(bodies.map((body) => createHash('sha256').update(body).digest('hex'))),
    openPaths: [...[...login.assets.keys()].map((path) => LOGIN_PREFIX + path), ...OPEN_PATHS],
    headerLines: new Set(headers),
    login,
    site,
    identityPaths: new Set([...Object.values(LOGIN_KINDS).flatMap((kind) => kind.paths), ...paths]),
    isPublicName: (name) =>
      [...texts, ...phrases.map((text) => Buffer.from(text))].some((text) => text.includes(name)),
  }
}

function bodiesOf(options: ReferenceOptions): Buffer[] {
  const codes = Object.keys(PROBLEMS) as ProblemCode[] // proven by its type
  const ended = END_REASONS.map((reason) => ({ ...problemDocument('signed_out'), reason }))
  const problems = [...codes.map((code) => problemDocument(code)), ...ended]
  const errors = (Object.keys(OAUTH_ERRORS) as OAuthError[]).map(oauthErrorDocument) // proven by its type
  const ofAgents = originsOf(options).flatMap((origin) => [
    resourceMetadata(origin),
    ...[true, false].map((mayRegister) => authorizationServerMetadata(origin, mayRegister)),
  ])
  const documents = [HEALTHY, DEGRADED, ...problems, ...errors, ...ofAgents].map((one) => JSON.stringify(one))
  const loginPages = loginConfigs(options).map((config) => loginDocument(config, options.login))
  return [
    ...[...options.login.assets.values()].map(({ plain }) => Buffer.from(plain)),
    ...[...loginPages, entryDocument(), ...documents].map((text) => Buffer.from(text)),
  ]
}

/** The portal's own origins in either scheme: a gate on loopback has no certificate. */
const originsOf = ({ host }: ReferenceOptions) =>
  ['https', 'http'].map((scheme) => new URL(`${scheme}://${host}`))

const OWN_TYPES = ['application/json', 'application/problem+json', 'text/plain; charset=utf-8']

/** Every header the gate may set, one line each. */
function headerLines(options: ReferenceOptions): string[] {
  const types = [...options.login.assets.values()].map(({ type }) => type)
  const headers = [
    ...DEFAULT_HEADERS,
    ...Object.entries(LOGIN_HEADERS),
    ...loginConfigs(options).map((config) => [
      'content-security-policy',
      loginPolicy(config, EXAMPLE_ORIGIN.host),
    ]),
    ...[...types, ...OWN_TYPES].map((type) => ['content-type', type]),
    ['content-security-policy', entryPolicy({ script: hashOf(ENTRY_SCRIPT), style: hashOf(ENTRY_STYLE) })],
    ['cache-control', LOGIN_FILE_CACHING],
    ['access-control-allow-origin', '*'],
    ...[...PORTAL_ROUTES, ...Object.values(PREVIEW_ROUTES)].map(({ methods }) => [
      'allow',
      methods.join(', '),
    ]),
    ...originsOf(options).map((origin) => ['www-authenticate', challengeHeader(origin)]),
    ['strict-transport-security', HSTS],
  ]
  return headers.map(([name = '', value]) => `${name.toLowerCase()}: ${value}`)
}

const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`

/** The login page in each of its forms. The real settings and labels are the operator's, who names them as phrases. */
function loginConfigs({ site: { title, tagline } }: ReferenceOptions): LoginConfig[] {
  const site = { title, tagline } // what more an object may hold would be written into the page
  const none: LoginProvider[] = []
  const forms = LOGIN_KIND_NAMES.flatMap((kind) =>
    LOGIN_KINDS[kind].examples.map((settings): LoginProvider[] => [{ id: kind, kind, label: 'x', settings }]),
  )
  return LANGUAGES.flatMap((lang) =>
    [none, ...forms].map((providers) => ({ lang, site, providers, sessionEndpoint: ROUTES.session.path })),
  )
}
