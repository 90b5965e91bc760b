/** Headers of every answer of this service; pages add their own policy. */
const COMMON_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

/** Parts of a request that this service reads; the platform's own Request is one. */
export type IdentityRequest = Pick<Request, 'method' | 'url' | 'headers' | 'body'>

const MAX_BODY_BYTES = 64 * 1024

export function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...COMMON_HEADERS, 'content-type': 'application/json; charset=utf-8' },
  })
}

/**
 * An error in the words of the real service, so that the SDK maps it to the same code.
 * @param canonical the name that Google's interfaces give to the status, for errors that carry one
 */
export function apiError(status: number, message: string, canonical?: string): Response {
  const reason = canonical === 'PERMISSION_DENIED' ? 'forbidden' : 'invalid'
  const errors = [{ message, reason, domain: 'global' }]
  return json(status, { error: { code: status, message, errors, status: canonical } })
}

/**
 * A page with the narrowest policy that runs it. Who may frame it is said twice, because an older header would
 * win over nothing; and the opener must stay reachable, because that is whom the picker reports to.
 */
export function page(html: string, contentSecurityPolicy: string, frames: 'SAMEORIGIN' | 'DENY'): Response {
  return new Response(html, {
    headers: {
      ...COMMON_HEADERS,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy,
      'x-frame-options': frames,
      'cross-origin-opener-policy': 'unsafe-none',
    },
  })
}

export function asset(text: string, type: string): Response {
  return new Response(text, { headers: { ...COMMON_HEADERS, 'content-type': type } })
}

/** The body as text, or null when it is larger than any request of the SDK. */
export async function readBody(request: IdentityRequest): Promise<string | null> {
  if (request.body === null) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body) {
    size += chunk.byteLength
    if (size > MAX_BODY_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
