import type { AuditFields, AuditTrail, SimpleEvent } from '../../audit/index.ts'

/** Fields of a refusal other than the client; refusals with equal fields are one kind. */
type RefusalKind = AuditFields

/**
 * Keeps strangers from filling a disk. The first event of a kind from an address has a line of its own, the others of that
 * minute share one. Addresses, kinds and lines are bounded: all together write at most some 200 lines a minute.
 */
interface RefusalSums {
  /** True for a line of its own; else the refusal is counted. */
  note(client: string, kind: RefusalKind): boolean
  /** Sums up at once what was counted so far. */
  flush(): void
}

interface RefusalSumsOptions {
  /** Writes the line of refusals that had none. `client` is null for those of all addresses beyond the bound. */
  readonly summarize: (sum: RefusalKind & { readonly client: string | null; readonly count: number }) => void
  readonly maxAddresses?: number
}

const MINUTE_MS = 60_000
const MAX_KINDS = 8
/** Lines of their own in a minute, whatever the number of addresses. */
const MAX_LINES = 100
/** Longest text of a stranger's in a line, in UTF-16 units. */
const MAX_CHARS = 100

/** A stranger's text as logs and the trail take it: cut, and without half of a character at the cut. */
export function cutText(text: string): string {
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS).toWellFormed()}…` : text
}

interface Counted {
  readonly kind: RefusalKind
  count: number
}

export function createRefusalSums({ summarize, maxAddresses = 64 }: RefusalSumsOptions): RefusalSums {
  let minute: NodeJS.Timeout | null = null
  let byClient = new Map<string | null, Map<string, Counted>>()
  let lines = 0

  function countedOf(client: string): [client: string | null, kinds: Map<string, Counted>] {
    const known = byClient.get(client)
    if (known !== undefined) return [client, known]
    const key = byClient.size < maxAddresses && lines < MAX_LINES ? client : null
    const kinds = byClient.get(key) ?? new Map<string, Counted>()
    byClient.set(key, kinds)
    return [key, kinds]
  }

  function flush(): void {
    if (minute !== null) clearTimeout(minute)
    minute = null
    const sums = byClient
    byClient = new Map()
    lines = 0
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
      else if (key !== null && kinds.size < MAX_KINDS && lines < MAX_LINES) {
        kinds.set(name, { kind, count: 0 })
        lines += 1
        return true
      } else increment(kinds)
      return false
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

/** Events whose number the metrics have by reason. */
type RefusalEvent = 'sign_in_refused' | 'publish_refused'

/** Fields by which an event belongs to an account, a grant or a publisher; each of these is limited by itself. */
const OWNERS = ['sub', 'session', 'grant', 'by'] as const
/** Fields that tell kinds of one event apart. */
const CAUSES = ['reason', 'email', 'by', 'name', 'preview', 'target'] as const

/** Recognises events without an account, which strangers can cause without limit. Refusals are, whatever identity they claim. */
function isAnonymous(event: SimpleEvent, fields: AuditFields): boolean {
  const isOwned = OWNERS.some((name) => fields[name] !== undefined && fields[name] !== null)
  return typeof fields.client === 'string' && (!isOwned || event === 'publish_refused')
}

const causeOf = (fields: AuditFields): RefusalKind =>
  Object.fromEntries(CAUSES.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])))

const cutFields = (fields: AuditFields): AuditFields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? cutText(value) : value]),
  )

/** The trail as the gate sees it: events of strangers are cut and summed up before they reach the disk, whatever they are. */
export function sumRefusals(
  trail: AuditTrail,
  onFailure: (error: unknown) => void,
  onRefused: (event: RefusalEvent, reason: string) => void = () => {},
): { readonly audit: AuditTrail; readonly flush: () => void } {
  const byEvent = new Map<SimpleEvent, RefusalSums>()
  function sumsOf(event: SimpleEvent): RefusalSums {
    const known = byEvent.get(event)
    if (known !== undefined) return known
    const made = createRefusalSums({
      summarize(sum) {
        try {
          trail.record(event, sum)
        } catch (error) {
          onFailure(error)
        }
      },
    })
    byEvent.set(event, made)
    return made
  }
  return {
    audit: {
      ...trail,
      record(event, fields) {
        if (event === 'sign_in_refused' || event === 'publish_refused')
          onRefused(event, String(fields.reason ?? ''))
        // A token may begin to publish as often as it likes; its name is the operator's, and stays whole.
        const isRepeatable = event === 'publisher_admitted'
        if (!isRepeatable && !isAnonymous(event, fields)) return trail.record(event, fields)
        const cut = isRepeatable ? fields : cutFields(fields)
        if (sumsOf(event).note(String(cut.client), causeOf(cut))) trail.record(event, cut)
      },
    },
    flush() {
      for (const { flush } of byEvent.values()) flush()
    },
  }
}
