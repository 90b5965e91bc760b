import {
  LOGIN_FILE_CACHING,
  LOGIN_HEADERS,
  loginDocument,
  loginPolicy,
} from '@sekisho/contract/login-document'
import {
  type FirebaseSettings,
  type LoginConfig,
  type LoginLanguage,
  loginLanguageOf,
} from '@sekisho/contract/login-page'
import { ROUTES } from '@sekisho/contract/routes'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import { BytesResponse } from '@sekisho/wire'
import type { LoginAsset, LoginBundle } from './login-bundle.ts'

/** The login page's configuration; the same for every visitor of a locale. */
export interface LoginPageOptions {
  /** Of every path that is below no further locale. */
  readonly lang: LoginLanguage
  /** The language tag of the further locale a path is below, or null. */
  readonly localeOf: (path: string) => string | null
  readonly site: { readonly title: string; readonly tagline: string }
  readonly origin: URL
  readonly firebase: FirebaseSettings | null
  readonly local: boolean
  readonly bundle: LoginBundle
}

/** Answers for a decoded canonical path, or for one that is none (null). */
export type LoginPage = (path: string | null) => GateResponse

/**
 * Makes the answer to a page navigation without a session: the login page at the requested URL, status 401. The
 * bytes are rendered once at start for each language, so nothing of the request can be in them.
 */
export function createLoginPage(options: LoginPageOptions): LoginPage {
  const pages = { ja: renderLoginPage(options, 'ja'), en: renderLoginPage(options, 'en') }
  return (path) => {
    const locale = path === null ? null : options.localeOf(path)
    return pages[locale === null ? options.lang : loginLanguageOf(locale)]()
  }
}

function renderLoginPage(options: LoginPageOptions, lang: LoginLanguage): () => GateResponse {
  const config = configOf(options, lang)
  const body = new Uint8Array(Buffer.from(loginDocument(config, options.bundle)))
  const headers = {
    ...LOGIN_HEADERS,
    'Content-Length': String(body.byteLength),
    'Content-Security-Policy': loginPolicy(config, options.origin.host),
  }
  return () => new BytesResponse(body, { status: 401, headers })
}

/** Answers for one built file of the login page; its name holds its hash. */
export function answerLoginAsset(asset: LoginAsset, request: GateRequest): GateResponse {
  const brotli = /(?:^|[\s,])br(?:[\s,;]|$)/.test(request.headers.get('accept-encoding') ?? '')
  const body = brotli ? asset.brotli : asset.plain
  return new BytesResponse(body, {
    headers: {
      'Content-Type': asset.type,
      'Content-Length': String(body.byteLength),
      'Cache-Control': LOGIN_FILE_CACHING,
      Vary: 'Accept-Encoding',
      ...(brotli ? { 'Content-Encoding': 'br' } : {}),
    },
  })
}

function configOf({ site, origin, firebase, local }: LoginPageOptions, lang: LoginLanguage): LoginConfig {
  return {
    lang,
    site,
    firebase,
    configError: firebase === null,
    local: local ? { emulatorOrigin: origin.origin } : null,
    sessionEndpoint: ROUTES.session.path,
  }
}
