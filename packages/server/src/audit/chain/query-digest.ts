import { createHmac, hkdfSync } from 'node:crypto'

/**
 * A digest of what somebody asked, for the trail: under a key derived from the operator's secret, so that whoever has the trail alone
 * cannot try out what it may have been.
 */
export function createQueryDigest(secret: string): (text: string) => string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'sekisho query digests v1', 32))
  return (text) => createHmac('sha256', key).update(text).digest('base64url').slice(0, 22)
}
