import type { GateRequest } from '@sekisho/wire'

/** Whether somebody opened an address, as opposed to a script or an element loading one. */
export function isNavigation({ headers }: GateRequest): boolean {
  return headers.get('Sec-Fetch-Mode') === 'navigate' || /\btext\/html\b/i.test(headers.get('Accept') ?? '')
}

/**
 * Other sites may link to a page but not load anything: no frame, image, script or fetch of theirs gets an answer
 * whose size or timing tells something. Browsers without these headers are held off by SameSite and CORP.
 */
export function isFromOurPages({ headers }: GateRequest): boolean {
  const site = headers.get('Sec-Fetch-Site') ?? 'same-origin'
  if (site === 'same-origin' || site === 'none') return true
  return headers.get('Sec-Fetch-Mode') === 'navigate' && headers.get('Sec-Fetch-Dest') === 'document'
}

/** Browsers name the origin of every POST and DELETE; a request that names none, or `null`, is not from our pages. */
export function isFromHere(request: GateRequest, origin: URL): boolean {
  const site = request.headers.get('Sec-Fetch-Site') ?? 'same-origin'
  return request.headers.get('Origin') === origin.origin && site === 'same-origin'
}
