/**
 * Names the release an answer is of, in the one header of its own document that a page can read
 * (`PerformanceNavigationTiming.serverTiming`).
 */
export function releaseTiming(release: string): string {
  return `${RELEASE_TIMING};desc="${release}"`
}

/** Metric that a document carries while pages have changed since its reader's last visit. */
export const UPDATES_TIMING = 'updates'

/** Metric that a document carries while its reader has pages to acknowledge; its description is their number. */
export const ASKED_TIMING = 'asked'

/** The metric's name in that header. */
export const RELEASE_TIMING = 'release'

/** Reads the release out of a `Server-Timing` header; null when it names none. */
export function readReleaseTiming(header: string | null): string | null {
  return /(?:^|,\s*)release;desc="([\w-]+)"/.exec(header ?? '')?.[1] ?? null
}

/** Headers of every response unless its handler set others: no scripts, frames, caching or indexing. */
export const DEFAULT_HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['cache-control', 'private, no-store'],
  [
    'content-security-policy',
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
  ],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['origin-agent-cluster', '?1'], // a process of its own where the browser can: previews are of the same site
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

/** Strict-Transport-Security over https. One year is the floor of ASVS 3.4.1 and of the preload lists; two is their advice. */
export const HSTS = 'max-age=63072000; includeSubDomains'
