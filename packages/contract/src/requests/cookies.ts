const SESSION = 'sekisho'
const READER = 'sekisho-reader'
const NONCE = 'sekisho-nonce'
const VIEW = 'sekisho-view'

/**
 * Names of the two cookies of a session: the secret one, and one that lets a page show who is signed in. `__Host-`
 * binds them to this host over https (RFC 6265bis §4.1.3.2); there a neighbouring host could plant the bare names.
 */
export function cookieNames(isHttps: boolean): { readonly session: string; readonly reader: string } {
  const prefix = isHttps ? '__Host-' : ''
  return { session: prefix + SESSION, reader: prefix + READER }
}

/** Name of the cookie that says as which edition a session looks at the portal. */
export function viewCookieName(isHttps: boolean): string {
  return (isHttps ? '__Host-' : '') + VIEW
}

/** Name of the cookie that binds a ticket to the browser it is for, on a preview's host. */
export function nonceCookieName(isHttps: boolean): string {
  return (isHttps ? '__Host-' : '') + NONCE
}
