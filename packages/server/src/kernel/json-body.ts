import type { GateRequest } from '@sekisho/wire'

/** Result of reading a JSON body. */
type JsonBody =
  | { readonly kind: 'read'; readonly value: unknown }
  | { readonly kind: 'malformed' | 'too_large' }

/** Reads a body declared as JSON, in UTF-8, up to `maxBytes`; the declared length is not believed. */
export async function readJsonBody(request: GateRequest, maxBytes: number): Promise<JsonBody> {
  if (!/^application\/json(?:; ?charset=utf-8)?$/i.test(request.headers.get('content-type') ?? '')) {
    return { kind: 'malformed' }
  }
  const bytes = await readBytes(request, maxBytes)
  if (bytes === null) return { kind: 'too_large' }
  try {
    return { kind: 'read', value: JSON.parse(decodeUtf8(bytes)) }
  } catch {
    return { kind: 'malformed' }
  }
}

/** Reads the fields of a form as browsers and OAuth's clients send it, up to `maxBytes`; null for anything else. */
export async function readFormBody(request: GateRequest, maxBytes: number): Promise<URLSearchParams | null> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/x-www-form-urlencoded(?:; ?charset=utf-8)?$/i.test(type)) return null
  const bytes = await readBytes(request, maxBytes)
  return bytes === null ? null : new URLSearchParams(bytes.toString('latin1'))
}

/** The body as it is, up to `maxBytes`; null when there are more. */
export async function readBytes(
  { body }: { readonly body: AsyncIterable<Uint8Array> | null | undefined },
  maxBytes: number,
): Promise<Buffer<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
}
