/** Limits of one request and its response. */
interface FetchBounds {
  /** Of the body, unpacked. */
  readonly maxBytes: number
  /** From the request to the last byte of the response; beside the request's own signal. */
  readonly timeoutMs: number
}

/** The response has a longer body than is read. */
export class ResponseTooLargeError extends Error {
  override readonly name = 'ResponseTooLargeError'
}

/**
 * Wraps `fetch` for peers that may send anything: a response is read whole, within its bounds, before the caller sees it. Rejects with
 * {@link ResponseTooLargeError}, or as `fetch` does where the time is up or the connection breaks.
 */
export function boundFetch(send: typeof fetch, { maxBytes, timeoutMs }: FetchBounds): typeof fetch {
  return async (input, init = {}) => {
    const late = AbortSignal.timeout(timeoutMs)
    const signal = init.signal == null ? late : AbortSignal.any([init.signal, late])
    const { status, headers, body } = await send(input, { ...init, signal })
    return new Response(await readWithin(body, headers, maxBytes), { status, headers })
  }
}

/** The whole body, or null for none: a response of some statuses may have no other (Fetch, null body status). */
async function readWithin(body: Response['body'], headers: Headers, maxBytes: number) {
  const chunks: Uint8Array[] = []
  let bytes = 0
  const limit = Number(headers.get('content-length')) > maxBytes ? -1 : maxBytes
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > limit) throw new ResponseTooLargeError(`more than ${maxBytes} bytes`) // which also ends the connection
    chunks.push(chunk)
  }
  return bytes === 0 ? null : Buffer.concat(chunks)
}
