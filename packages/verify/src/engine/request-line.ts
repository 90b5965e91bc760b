import type { WireRequest } from '../client/messages.ts'

const MAX_CHARS = 140

/** Spells a request as one printable line for reports. */
export function describeRequest(request: WireRequest): string {
  const target = printable(request.target)
  const shown =
    target.length > MAX_CHARS ? `${target.slice(0, MAX_CHARS)}… (${request.target.length} bytes)` : target
  return `${request.method} ${shown}`
}

/** Escapes every byte that is not printable ASCII. */
export function printable(bytes: string): string {
  return bytes.replace(/[^\x20-\x7e]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)
}
