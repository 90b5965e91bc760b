/** What every answer carries unless its maker said otherwise: nothing may run, be framed, be kept or be indexed. */
const DEFAULTS: readonly (readonly [name: string, value: string])[] = [
  ['cache-control', 'private, no-store'],
  [
    'content-security-policy',
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
  ],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  [
    'permissions-policy',
    'accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), ' +
      'magnetometer=(), microphone=(), midi=(), payment=(), publickey-credentials-get=(), serial=(), usb=()',
  ],
  ['referrer-policy', 'same-origin'],
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  ['x-robots-tag', 'noindex, nofollow, noarchive'],
]

/** One year is the floor of ASVS 3.4.1 and of the preload lists; two is their advice. */
const HSTS = 'max-age=63072000; includeSubDomains'

/**
 * Completes an answer's headers. A header the maker already set is kept, so a page may bring its own policy; one
 * that is missing gets the strictest value, so forgetting can only refuse too much.
 */
export function secureHeaders({ https }: { readonly https: boolean }): (headers: Headers) => void {
  return https ? completeForHttps : complete
}

function complete(headers: Headers): void {
  for (const [name, value] of DEFAULTS) {
    if (!headers.has(name)) headers.set(name, value)
  }
  headers.append('Vary', 'Cookie')
}

function completeForHttps(headers: Headers): void {
  complete(headers)
  headers.set('Strict-Transport-Security', HSTS)
}
