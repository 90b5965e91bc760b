import type { GateRequest } from '@sekisho/wire'

/** Tells if an address was opened in a window, as opposed to loaded by a script or an element. */
export function isNavigation({ headers }: GateRequest): boolean {
  return headers.get('sec-fetch-mode') === 'navigate' || /\btext\/html\b/i.test(headers.get('accept') ?? '')
}

/**
 * Other sites may link to a page but not load anything: no frame, image, script or fetch of theirs gets an answer
 * whose size or timing tells something. Browsers without these headers are held off by SameSite and CORP.
 */
export function isFromOurPages({ headers }: GateRequest): boolean {
  const site = headers.get('sec-fetch-site') ?? 'same-origin'
  if (site === 'same-origin' || site === 'none') return true
  return headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document'
}

/** Tells if an address was opened by its reader or by one of our pages, not by a link of another site. */
export function isFromReader({ headers }: GateRequest): boolean {
  return /^(?:same-origin|none)$/.test(headers.get('sec-fetch-site') ?? '')
}

/** Tells if a browser requests a service worker, which would keep pages and outlive the session (Service Workers, "Update"). */
export function isForServiceWorker({ headers }: GateRequest): boolean {
  return headers.get('service-worker') !== null || headers.get('sec-fetch-dest') === 'serviceworker'
}

/** Browsers name the origin of every POST and DELETE; a request that names none, or `null`, is not from our pages. */
export function isFromHere(request: GateRequest, origin: URL): boolean {
  const site = request.headers.get('sec-fetch-site') ?? 'same-origin'
  return request.headers.get('origin') === origin.origin && site === 'same-origin'
}
