import type { GateRequest } from '@sekisho/wire'

/** What came of reading a JSON body. */
export type JsonBody =
  | { readonly kind: 'read'; readonly value: unknown }
  | { readonly kind: 'malformed' | 'too_large' }

/** Reads a body declared as JSON, in UTF-8, up to `maxBytes`; the declared length is not believed. */
export async function readJsonBody(request: GateRequest, maxBytes: number): Promise<JsonBody> {
  if (!/^application\/json(?:; ?charset=utf-8)?$/i.test(request.headers.get('Content-Type') ?? '')) {
    return { kind: 'malformed' }
  }
  if (request.body === null) return { kind: 'malformed' }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body) {
    size += chunk.byteLength
    if (size > maxBytes) return { kind: 'too_large' }
    chunks.push(chunk)
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
    return { kind: 'read', value: JSON.parse(text) }
  } catch {
    return { kind: 'malformed' }
  }
}
