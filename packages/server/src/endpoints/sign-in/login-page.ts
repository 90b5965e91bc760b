import { inEveryLanguage, type Language, pickLanguage } from '@sekisho/contract/language'
import {
  LOGIN_FILE_CACHING,
  LOGIN_HEADERS,
  loginDocument,
  loginPolicy,
} from '@sekisho/contract/login-document'
import type { LoginConfig, LoginProvider } from '@sekisho/contract/login-page'
import { LOGIN_PREFIX, openFileRoute, ROUTES } from '@sekisho/contract/routes'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import { BytesResponse } from '@sekisho/wire'
import type { Handler } from '../../kernel/boundary.ts'
import { openRoute, type RouteTable } from '../../kernel/route-table.ts'
import type { LoginAsset, LoginBundle } from './login-bundle.ts'

/** The login page's configuration; the same for every visitor of a locale. */
export interface LoginPageOptions {
  /** Of every path that is below no further locale. */
  readonly lang: Language
  /** The language tag of the further locale a path is below, or null. */
  readonly localeOf: (path: string) => string | null
  readonly site: { readonly title: string; readonly tagline: string }
  readonly origin: URL
  /** None while the identity configuration is invalid. */
  readonly providers: readonly LoginProvider[]
  readonly bundle: LoginBundle
}

/** Answers for a decoded canonical path, or for one that is none (null). */
export type LoginPage = (path: string | null) => GateResponse

/**
 * Makes the answer to a page navigation without a session: the login page at the requested URL, status 401. The
 * bytes are rendered once at start for each language, so nothing of the request can be in them.
 */
export function createLoginPage(options: LoginPageOptions): LoginPage {
  const pages = inEveryLanguage((language) => renderLoginPage(options, language))
  return (path) => {
    const locale = path === null ? null : options.localeOf(path)
    return pages[locale === null ? options.lang : pickLanguage(locale)]()
  }
}

function renderLoginPage(options: LoginPageOptions, lang: Language): () => GateResponse {
  const config = configOf(options, lang)
  const body = new Uint8Array(Buffer.from(loginDocument(config, options.bundle)))
  const headers = {
    ...LOGIN_HEADERS,
    'Content-Security-Policy': loginPolicy(config, options.origin.host),
  }
  return () => new BytesResponse(body, { status: 401, headers })
}

/** Binds the login page's built files. */
export function createLoginRoutes({ assets }: LoginBundle): RouteTable {
  return new Map(
    [...assets].map(([path, asset]) => {
      const answer: Handler = (request) => answerLoginAsset(asset, request)
      return openRoute(openFileRoute(LOGIN_PREFIX + path), { GET: answer, HEAD: answer })
    }),
  )
}

/** Answers for one built file of the login page; its name holds its hash. */
export function answerLoginAsset(asset: LoginAsset, request: GateRequest): GateResponse {
  const brotli = /(?:^|[\s,])br(?:[\s,;]|$)/.test(request.headers.get('accept-encoding') ?? '')
  const body = brotli ? asset.brotli : asset.plain
  return new BytesResponse(body, {
    headers: {
      'Content-Type': asset.type,
      'Cache-Control': LOGIN_FILE_CACHING,
      Vary: 'Accept-Encoding',
      ...(brotli ? { 'Content-Encoding': 'br' } : {}),
    },
  })
}

function configOf({ site, providers }: LoginPageOptions, lang: Language): LoginConfig {
  return { lang, site, providers, sessionEndpoint: ROUTES.session.path }
}
