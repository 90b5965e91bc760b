import { LOGIN_PREFIX } from '../requests/routes.ts'
import { TEXTS } from '../texts/index.ts'
import { FIREBASE } from './firebase.ts'
import type { LoginKindRules, LoginSources } from './login-kinds.ts'
import {
  LOGIN_CONFIG_ID,
  type LoginConfig,
  type LoginKind,
  type LoginManifest,
  SHELL_TAGLINE,
  SHELL_TITLE,
} from './login-page.ts'
import { REDIRECT } from './redirect.ts'

/** Browser requirements of each kind of sign-in. */
export const LOGIN_KINDS: Readonly<Record<LoginKind, LoginKindRules>> = {
  firebase: FIREBASE,
  redirect: REDIRECT,
}

/**
 * The login page: a document of nothing but its configuration, its built shell and the names of its built files. The gate sends it and
 * the prover knows it by these lines, so whatever else stands in it was not to be sent.
 */
export function loginDocument(config: LoginConfig, built: Omit<LoginManifest, 'files'>): string {
  const styles = built.styles
    .map((path) => `\n<link rel="stylesheet" href="${LOGIN_PREFIX}${path}">`)
    .join('')
  const flows = [...new Set(config.providers.flatMap(({ kind }) => built.flows[kind] ?? []))]
    .map((path) => `\n<link rel="modulepreload" href="${LOGIN_PREFIX}${path}">`)
    .join('')
  const shell = built.shell
    .replace(SHELL_TITLE, () => escapeHtml(config.site.title))
    .replace(SHELL_TAGLINE, () => escapeHtml(config.site.tagline))
  const texts = TEXTS[config.lang].loginDocument
  return `<!doctype html>
<html lang="${config.lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${texts.title} | ${escapeHtml(config.site.title)}</title>
<link rel="icon" href="${LOGIN_PREFIX}${built.icon}">${styles}${flows}
<script type="application/json" id="${LOGIN_CONFIG_ID}">${scriptJson(config)}</script>
<script type="module" src="${LOGIN_PREFIX}${built.script}"></script>
</head>
<body>
<div id="root">${shell}</div>
<noscript><p>${texts.noscript}</p></noscript>
</body>
</html>
`
}

/** Headers of that document that depend on no visitor. */
export const LOGIN_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cross-Origin-Opener-Policy': 'same-origin-allow-popups', // the sign-in popup must reach its opener
  'Referrer-Policy': 'strict-origin', // API keys are often restricted by referrer
} as const

/** Cache-Control of its files, whose names hold their hashes. */
export const LOGIN_FILE_CACHING = 'public, max-age=31536000, immutable'

/** The content policy of that document: what its providers need from elsewhere, and no inline script anywhere. */
export function loginPolicy({ providers }: LoginConfig, host: string): string {
  const sources = providers.map(({ kind, settings }) => LOGIN_KINDS[kind].sources(settings, host))
  const own = (directive: string, kind: keyof LoginSources) => {
    return [...new Set([`${directive} 'self'`, ...sources.flatMap((one) => one[kind])])].join(' ')
  }
  return [
    "default-src 'none'",
    own('script-src', 'script'),
    own('frame-src', 'frame'),
    own('connect-src', 'connect'),
    "style-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "object-src 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** JSON that cannot end its script element or start a comment in it. */
function scriptJson(value: object): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Text as it may stand in HTML, in an attribute's value too. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}
