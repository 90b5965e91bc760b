import { DEFAULT_HEADERS, HSTS } from '@sekisho/contract/response-headers'
import { DefaultHeaders, PlainHeaders } from '@sekisho/wire'

const OVER_HTTP = new DefaultHeaders(DEFAULT_HEADERS)
const OVER_HTTPS = new DefaultHeaders([...DEFAULT_HEADERS, ['strict-transport-security', HSTS]])

/**
 * Completes an answer's headers. A header the maker already set is kept, so a page may bring its own policy; one
 * that is missing gets the strictest value, so forgetting can only refuse too much.
 */
export function secureHeaders({ https }: { readonly https: boolean }): (headers: Headers) => void {
  const defaults = https ? OVER_HTTPS : OVER_HTTP
  return (headers) => {
    if (headers instanceof PlainHeaders) headers.addDefaults(defaults)
    else for (const [name, value] of defaults.values) if (!headers.has(name)) headers.set(name, value)
    headers.append('vary', 'Cookie')
  }
}
