import { createHmac, hkdfSync } from 'node:crypto'

/** Digest of a query for the trail, keyed by the operator's secret, so that the trail alone does not permit guessing queries. */
export function createQueryDigest(secret: string): (text: string) => string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'sekisho query digests v1', 32))
  return (text) => createHmac('sha256', key).update(text).digest('base64url').slice(0, 22)
}
