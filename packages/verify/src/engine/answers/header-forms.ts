import { cookieNames } from '@sekisho/contract/cookies'
import type { HeaderLine } from '../../client/request.ts'

/** Headers of our own whose values depend on the response, or on the cookies a client may hold; no content has this form. */
const OWN_FORMS: Readonly<Record<string, RegExp>> = {
  date: /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  'content-length': /^\d{1,9}$/,
  'content-encoding': /^(?:br|gzip|zstd)$/,
  connection: /^(?:close|keep-alive)$/,
  'keep-alive': /^timeout=\d+$/,
  'retry-after': /^\d{1,6}$/,
  allow: /^[A-Z]+(?:, [A-Z]+)*$/,
  vary: /^(?:(?:Accept-Encoding|Origin), )?Cookie$/,
  'clear-site-data': /^"cache"$/,
  'set-cookie': clearedCookie(),
}

const TOKENS = /^[\w-]+(?:=\d+)?(?:[,;] *[\w-]+(?:=\d+)?)*$/
/** Headers by which servers and proxies describe a message, in forms that carry no content. */
const PROTOCOL_FORMS: Readonly<Record<string, RegExp>> = {
  'cache-control': TOKENS,
  'content-type': /^[a-z]+\/[a-z0-9.+-]+(?:; *charset=[\w-]+)?$/i,
  'cross-origin-opener-policy': TOKENS,
  'cross-origin-resource-policy': TOKENS,
  expires: OWN_FORMS.date ?? TOKENS,
  'keep-alive': TOKENS,
  'permissions-policy': /^[\w-]+=\(\w*\)(?:, *[\w-]+=\(\w*\))*$/,
  pragma: TOKENS,
  'referrer-policy': TOKENS,
  server: /^(?:nginx|apache|caddy|envoy|openresty|cloudflare|awselb|traefik)(?:\/[\d.]+)?(?: \(\w+\))?$/i,
  'strict-transport-security': TOKENS,
  'transfer-encoding': TOKENS,
  'x-content-type-options': TOKENS,
  'x-frame-options': TOKENS,
}

/** A cookie of the product that is taken back: without a value, and with no time left. */
function clearedCookie(): RegExp {
  const names = [true, false].flatMap((isHttps) => Object.values(cookieNames(isHttps)))
  return new RegExp(`^(?:${names.join('|')})=; Path=/; Max-Age=0; SameSite=\\w+(?:; Secure)?(?:; HttpOnly)?$`)
}

/** Tells headers that this product sends, either by form or line by line as in the reference. */
export function isOwnHeader([name, value]: HeaderLine, headerLines: ReadonlySet<string>): boolean {
  const lower = name.toLowerCase()
  return OWN_FORMS[lower]?.test(value) === true || headerLines.has(`${lower}: ${value}`)
}

/**
 * The header text of a response in which names and runs of a release are looked for. A page that quotes
 * `Content-Type: application/json` is not disclosed by a response that has this header.
 */
export function searchableHeaders(lines: readonly HeaderLine[], headerLines: ReadonlySet<string>): string {
  return lines
    .filter((line) => !isOwnHeader(line, headerLines))
    .filter(([name, value]) => PROTOCOL_FORMS[name.toLowerCase()]?.test(value) !== true)
    .map((line) => line.join(': '))
    .join('\n')
}
