import type { PlainHeaders } from './plain-headers.ts'

/**
 * What the gate reads of a request. The platform's own Request is one too, so a test or another runtime hands its
 * own in; making one costs 3 µs of processor time, this next to none.
 */
export type GateRequest = Pick<Request, 'method' | 'url' | 'headers' | 'body'>

/** A request whose head was judged and whose body was read whole. */
export function createGateRequest(
  method: string,
  url: string,
  headers: PlainHeaders,
  body: Uint8Array<ArrayBuffer> | null,
): GateRequest {
  return { method, url, headers, body: body === null ? null : new Response(body).body }
}
