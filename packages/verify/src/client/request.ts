/** One header: name and value as they stand on the wire. */
export type HeaderLine = readonly [name: string, value: string]

/**
 * A request as it leaves. All strings are byte strings: each character is one byte (U+0000–U+00FF), so
 * that anything can be put on the wire, well-formed or not.
 */
export interface WireRequest {
  readonly method: string
  readonly target: string
  readonly headers: readonly HeaderLine[]
  readonly body?: string
}

/** Returns the value of the first header of that name, or null. */
export function findHeader(headers: readonly HeaderLine[], name: string): string | null {
  const wanted = name.toLowerCase()
  return headers.find((line) => line[0].toLowerCase() === wanted)?.[1] ?? null
}

/** Serializes a request. `Host` comes first unless the request brings its own. */
export function encodeRequest(request: WireRequest, host: string): Buffer {
  const lines = [`${request.method} ${request.target} HTTP/1.1`]
  if (findHeader(request.headers, 'host') === null) lines.push(`Host: ${host}`)
  for (const [name, value] of request.headers) lines.push(`${name}: ${value}`)
  if (request.body !== undefined && findHeader(request.headers, 'transfer-encoding') === null) {
    if (findHeader(request.headers, 'content-length') === null)
      lines.push(`Content-Length: ${request.body.length}`)
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${request.body ?? ''}`, 'latin1')
}
