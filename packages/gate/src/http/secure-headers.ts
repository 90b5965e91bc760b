import { DEFAULT_HEADERS, HSTS } from '@sekisho/contract/answer-headers'

/**
 * Completes an answer's headers. A header the maker already set is kept, so a page may bring its own policy; one
 * that is missing gets the strictest value, so forgetting can only refuse too much.
 */
export function secureHeaders({ https }: { readonly https: boolean }): (headers: Headers) => void {
  return https ? completeForHttps : complete
}

function complete(headers: Headers): void {
  for (const [name, value] of DEFAULT_HEADERS) {
    if (!headers.has(name)) headers.set(name, value)
  }
  headers.append('Vary', 'Cookie')
}

function completeForHttps(headers: Headers): void {
  complete(headers)
  headers.set('Strict-Transport-Security', HSTS)
}
