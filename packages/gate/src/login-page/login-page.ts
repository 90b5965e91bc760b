import { type FirebaseSettings, LOGIN_CONFIG_ID, type LoginConfig } from '@sekisho/contract/login-page'
import { LOGIN_PREFIX, ROUTES } from '@sekisho/contract/routes'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import { BytesResponse } from '@sekisho/wire'
import type { LoginAsset, LoginBundle } from './login-bundle.ts'

/** What the login page is told; every visitor is told the same. */
export interface LoginPageOptions {
  readonly site: { readonly title: string; readonly tagline: string }
  readonly origin: URL
  readonly firebase: FirebaseSettings | null
  readonly local: boolean
  readonly bundle: LoginBundle
}

/**
 * Makes the answer to a page navigation without a session: the login page at the requested URL, status 401. The
 * bytes are rendered once at start, so nothing of the request can be in them.
 */
export function createLoginPage(options: LoginPageOptions): () => GateResponse {
  const body = new Uint8Array(Buffer.from(renderLoginPage(options)))
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': String(body.byteLength),
    'Content-Security-Policy': loginPolicy(options),
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups', // the sign-in popup must reach its opener
    'Referrer-Policy': 'strict-origin', // API keys are often restricted by referrer
  }
  return () => new BytesResponse(body, { status: 401, headers })
}

/** Answers for one built file of the login page; its name holds its hash. */
export function answerLoginAsset(asset: LoginAsset, request: GateRequest): GateResponse {
  const brotli = /(?:^|[\s,])br(?:[\s,;]|$)/.test(request.headers.get('Accept-Encoding') ?? '')
  const body = brotli ? asset.brotli : asset.plain
  return new BytesResponse(body, {
    headers: {
      'Content-Type': asset.type,
      'Content-Length': String(body.byteLength),
      'Cache-Control': 'public, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
      ...(brotli ? { 'Content-Encoding': 'br' } : {}),
    },
  })
}

function loginPolicy({ firebase, local, origin }: LoginPageOptions): string {
  const google = !local && firebase !== null
  const helper = google && firebase.authDomain !== origin.host ? ` https://${firebase.authDomain}` : ''
  const services = ' https://identitytoolkit.googleapis.com https://securetoken.googleapis.com'
  return [
    "default-src 'none'",
    `script-src 'self'${google ? ' https://apis.google.com' : ''}`,
    `frame-src 'self'${helper}`,
    `connect-src 'self'${google ? services : ''}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "object-src 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function renderLoginPage({ site, origin, firebase, local, bundle }: LoginPageOptions): string {
  const config: LoginConfig = {
    site,
    firebase,
    configError: firebase === null,
    local: local ? { emulatorOrigin: origin.origin } : null,
    sessionEndpoint: ROUTES.session.path,
  }
  const styles = bundle.styles
    .map((path) => `\n<link rel="stylesheet" href="${LOGIN_PREFIX}${path}">`)
    .join('')
  return `<!doctype html>
<html lang="ja">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>ログイン | ${escapeHtml(site.title)}</title>
<link rel="icon" href="${LOGIN_PREFIX}${bundle.icon}">${styles}
<script type="application/json" id="${LOGIN_CONFIG_ID}">${scriptJson(config)}</script>
<script type="module" src="${LOGIN_PREFIX}${bundle.script}"></script>
</head>
<body>
<div id="root"><p role="status">Loading...</p></div>
<noscript><p>ログインするには、ブラウザーの JavaScript を有効にしてください。</p></noscript>
</body>
</html>
`
}

/** JSON that cannot end its script element or start a comment in it. */
function scriptJson(value: object): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}
