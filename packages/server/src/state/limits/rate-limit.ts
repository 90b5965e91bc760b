import { isIPv6 } from 'node:net'

/** Token buckets by key. */
export interface RateLimit {
  /** Takes one token; zero, or after how many seconds there will be one again. */
  take(key: string): number | Promise<number>
}

export interface RateLimitOptions {
  /** Number of requests accepted at once. */
  readonly burst: number
  readonly perSecond: number
}

interface MemoryRateLimitOptions extends RateLimitOptions {
  readonly now: () => number
  readonly maxKeys?: number
}

/** Sign-ins of one account: a person signs in from a few browsers, again and again; a program that does is slowed down. */
export const ACCOUNT_LIMIT = { burst: 60, perSecond: 1 / 5 }

/** Clients of agents that register themselves, by address: ten in an hour. */
export const REGISTRATION_LIMIT = { burst: 10, perSecond: 10 / 3_600 }

interface Bucket {
  tokens: number
  filledAtMs: number
}

/** Buckets of this process, as many keys as memory allows and no more. */
export function createRateLimit(options: MemoryRateLimitOptions): { take(key: string): number } {
  const { burst, perSecond, now, maxKeys = 50_000 } = options
  const buckets = new Map<string, Bucket>()
  return {
    take(key) {
      const atMs = now()
      const bucket = buckets.get(key) ?? { tokens: burst, filledAtMs: atMs }
      const gained = (Math.max(0, atMs - bucket.filledAtMs) / 1_000) * perSecond
      bucket.tokens = Math.min(burst, bucket.tokens + gained)
      bucket.filledAtMs = atMs
      buckets.delete(key) // set again below: the map's order is the order of last use
      buckets.set(key, bucket)
      if (buckets.size > maxKeys) buckets.delete(buckets.keys().next().value ?? '')
      if (bucket.tokens < 1) return Math.ceil((1 - bucket.tokens) / perSecond)
      bucket.tokens -= 1
      return 0
    },
  }
}

/** One account's bucket; two providers may give the same subject to different people. */
export function accountKey({ issuer, sub }: { readonly issuer: string; readonly sub: string }): string {
  return `${issuer} ${sub}`
}

/** One household or machine holds a whole IPv6 /64, so its addresses share a bucket. */
export function addressKey(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length)
  return [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail ?? '').split(':')]
    .slice(0, 4)
    .join(':')
}
