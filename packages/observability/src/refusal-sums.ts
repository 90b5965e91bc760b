import type { AuditFields, AuditTrail, SimpleEvent } from '@sekisho/state/audit'

/** What a line says of a refusal besides who was refused; refusals alike in it are one kind. */
export type RefusalKind = AuditFields

/**
 * Keeps strangers from filling a disk. The first refusal of a kind from an address has a line of its own, the others of that
 * minute share one. Addresses and kinds are bounded: many of them write at most some 1,000 lines a minute.
 */
export interface RefusalSums {
  /** Whether this one has a line of its own; else it is counted. */
  note(client: string, kind: RefusalKind): boolean
  /** Sums up at once what was counted so far. */
  flush(): void
}

export interface RefusalSumsOptions {
  /** Writes the line of refusals that had none. `client` is null for those of all addresses beyond the bound. */
  readonly summarize: (sum: RefusalKind & { readonly client: string | null; readonly count: number }) => void
  readonly maxAddresses?: number
}

const MINUTE_MS = 60_000
const MAX_KINDS = 8

interface Counted {
  readonly kind: RefusalKind
  count: number
}

export function createRefusalSums({ summarize, maxAddresses = 64 }: RefusalSumsOptions): RefusalSums {
  let minute: NodeJS.Timeout | null = null
  let byClient = new Map<string | null, Map<string, Counted>>()

  function countedOf(client: string): [client: string | null, kinds: Map<string, Counted>] {
    const known = byClient.get(client)
    if (known !== undefined) return [client, known]
    const key = byClient.size < maxAddresses ? client : null
    const kinds = byClient.get(key) ?? new Map<string, Counted>()
    byClient.set(key, kinds)
    return [key, kinds]
  }

  function flush(): void {
    if (minute !== null) clearTimeout(minute)
    minute = null
    const sums = byClient
    byClient = new Map()
    for (const [client, kinds] of sums) {
      for (const { kind, count } of kinds.values()) if (count > 0) summarize({ client, ...kind, count })
    }
  }

  return {
    note(client, kind) {
      minute ??= setTimeout(flush, MINUTE_MS).unref()
      const [key, kinds] = countedOf(client)
      const name = JSON.stringify(kind)
      const known = kinds.get(name)
      if (known !== undefined) known.count += 1
      else if (key !== null && kinds.size < MAX_KINDS) kinds.set(name, { kind, count: 0 })
      else increment(kinds)
      return known === undefined && kinds.has(name)
    },
    flush,
  }
}

/** Kinds beyond the bound are counted together. */
function increment(kinds: Map<string, Counted>): void {
  const others = kinds.get('others') ?? { kind: {}, count: 0 }
  others.count += 1
  kinds.set('others', others)
}

/** Events that strangers can cause as often as they like. */
export type RefusalEvent = 'sign_in_refused' | 'publish_refused'

/** The trail as the gate sees it: refusals of one address are summed up before they reach the disk. */
export function sumRefusals(
  trail: AuditTrail,
  onFailure: (error: unknown) => void,
  onRefused: (event: RefusalEvent, reason: string) => void = () => {},
): { readonly audit: AuditTrail; readonly flush: () => void } {
  const sumsOf = (event: RefusalEvent) =>
    createRefusalSums({
      summarize(sum) {
        try {
          trail.record(event, sum)
        } catch (error) {
          onFailure(error)
        }
      },
    })
  const signIns = sumsOf('sign_in_refused')
  const publishing = sumsOf('publish_refused')
  function isSummed(event: SimpleEvent, { client, reason = null, email = null, by = null }: AuditFields) {
    if (typeof client !== 'string') return false
    if (event === 'sign_in_refused') return !signIns.note(client, { reason, email })
    return event === 'publish_refused' && !publishing.note(client, { reason, by })
  }
  return {
    audit: {
      ...trail,
      record(event, fields) {
        if (event === 'sign_in_refused' || event === 'publish_refused')
          onRefused(event, String(fields.reason ?? ''))
        if (!isSummed(event, fields)) trail.record(event, fields)
      },
    },
    flush() {
      signIns.flush()
      publishing.flush()
    },
  }
}
