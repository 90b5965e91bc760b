import { hash } from 'node:crypto'
import type { AuditFields, AuditTrail, Reading, SimpleEvent } from '../../audit/index.ts'
import { ACCOUNT_LIMIT, accountKey, createRateLimit } from '../../state/limits/index.ts'
import { isoTime } from '../../storage/lines/index.ts'

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
  /** Lines of one client in a minute before its kinds share one; for accounts, whose number is bounded. */
  readonly ownLines?: number
}

const MINUTE_MS = 60_000
const MAX_KINDS = 8
/** Lines of their own in a minute, whatever the number of addresses. */
const MAX_LINES = 100
/** Longest text of a stranger's in a line, in UTF-16 units. */
const MAX_CHARS = 100

/** A stranger's text as logs and the trail take it: cut, and without half of a character at the cut. */
export function cutText(text: string, maxChars = MAX_CHARS): string {
  return text.length > maxChars ? `${text.slice(0, maxChars).toWellFormed()}…` : text
}

interface Counted {
  readonly kind: RefusalKind
  count: number
}

export function createRefusalSums(options: RefusalSumsOptions): RefusalSums {
  const { summarize, maxAddresses = 64, ownLines = 0 } = options
  let minute: NodeJS.Timeout | null = null
  let byClient = new Map<string | null, Map<string, Counted>>()
  let own = new Map<string, number>()
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
    own = new Map()
    lines = 0
    for (const [client, kinds] of sums) {
      for (const { kind, count } of kinds.values()) if (count > 0) summarize({ client, ...kind, count })
    }
  }

  return {
    note(client, kind) {
      minute ??= setTimeout(flush, MINUTE_MS).unref()
      const written = own.get(client) ?? 0
      if (written < ownLines) {
        own.set(client, written + 1)
        return true
      }
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

/** Readings of an account that have lines of their own in an hour, whatever they are. */
const OWN_READINGS = 3_000
const HOUR_MS = 3_600_000
/** Readings remembered for all accounts; more begin the hour anew, so that some have a line too many. */
const MAX_READINGS = 65_536
const MAX_PATHS = 20

/** Repeats of a reading that has its line. */
interface KnownReading {
  readonly subject: string
  count: number
}

interface AccountReadings {
  readonly account: Pick<Reading['reader'], 'email' | 'issuer' | 'sub'>
  lines: number
  repeats: number
  lastMs: number
  /** Repeats of each reading of a session that has its line. */
  readonly known: Map<string, KnownReading>
}

/** The most repeated readings, in one pass: sorting all of them would hold up the event loop. */
function mostRepeated(known: Iterable<KnownReading>): readonly KnownReading[] {
  const most: KnownReading[] = []
  for (const one of known) {
    if (one.count <= (most[MAX_PATHS - 1]?.count ?? 0)) continue
    most.push(one)
    most.sort((a, b) => b.count - a.count)
    most.length = Math.min(most.length, MAX_PATHS)
  }
  return most
}

/**
 * Keeps an account from filling a disk by reading. Beyond a number of lines an hour, what one of its sessions has read in that hour
 * already is counted, and the hour's repeats share one line; each first reading has its own.
 */
function createRepeatedReadings(write: (fields: AuditFields) => void, now: () => number) {
  let hour: NodeJS.Timeout | null = null
  let byAccount = new Map<string, AccountReadings>()
  let size = 0

  function flush(): void {
    if (hour !== null) clearTimeout(hour)
    hour = null
    const counted = byAccount
    byAccount = new Map()
    size = 0
    for (const { account, repeats, lastMs, known } of counted.values()) {
      if (repeats === 0) continue
      const readings = mostRepeated(known.values()).map(({ subject, count }) => `${subject} ${count}`)
      write({ ...account, count: repeats, readings, last: isoTime(lastMs) })
    }
  }

  return {
    /** True for a reading that has its line in this hour, and is counted now. */
    isRepeated({ event, reader, path, release, more }: Reading): boolean {
      hour ??= setTimeout(flush, HOUR_MS).unref()
      const { email, issuer, sub, id } = reader
      const key = accountKey(reader)
      const held = byAccount.get(key) ?? {
        ...{ account: { email, issuer, sub }, lines: 0, repeats: 0, lastMs: 0, known: new Map() },
      }
      byAccount.set(key, held)
      if (held.lines < OWN_READINGS) {
        held.lines += 1
        return false
      }
      const name = hash('sha256', JSON.stringify([event, id, path, release, more]), 'base64')
      const known = held.known.get(name)
      if (known === undefined) {
        if (size >= MAX_READINGS) flush()
        held.known.set(name, { subject: `${event} ${path}`, count: 0 })
        size += 1
        return false
      }
      known.count += 1
      held.repeats += 1
      held.lastMs = now()
      return true
    },
    flush,
  }
}

/** An act that its account or publisher repeats too often to be recorded, and that is not done therefore. */
export class TooManyActsError extends Error {
  override readonly name = 'TooManyActsError'
  readonly waitSeconds: number

  constructor(waitSeconds: number) {
    super('an account repeats an act')
    this.waitSeconds = waitSeconds
  }
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

/** The account or publisher of an act; null for one of the gate. */
function ownerOf({ issuer, sub, by }: AuditFields): string | null {
  if (typeof sub === 'string') return accountKey({ issuer: String(issuer), sub })
  return typeof by === 'string' ? by : null
}

interface BoundTrailOptions {
  readonly trail: AuditTrail
  readonly now: () => number
  readonly onFailure: (error: unknown) => void
  readonly onRefused?: (event: RefusalEvent, reason: string) => void
}

/**
 * The trail as the gate sees it. Events of strangers are cut and summed up before they reach the disk, repeated readings are summed up,
 * and acts of one account are limited.
 */
export function boundTrail(options: BoundTrailOptions): {
  readonly audit: AuditTrail
  readonly flush: () => void
} {
  const { trail, now, onFailure, onRefused = () => {} } = options
  const acts = createRateLimit({ ...ACCOUNT_LIMIT, now })
  const byEvent = new Map<SimpleEvent, RefusalSums>()
  const readings = createRepeatedReadings((sum) => write('readings_repeated', sum), now)

  function write(event: SimpleEvent, fields: AuditFields): void {
    try {
      trail.record(event, fields)
    } catch (error) {
      onFailure(error)
    }
  }
  function sumsOf(event: SimpleEvent): RefusalSums {
    const known = byEvent.get(event)
    if (known !== undefined) return known
    const made = createRefusalSums({ summarize: (sum) => write(event, sum) })
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
      recordReading: (reading) =>
        readings.isRepeated(reading) ? trail.defer() : trail.recordReading(reading),
      async recordDurably(event, fields) {
        const owner = ownerOf(fields)
        const waitSeconds = owner === null ? 0 : acts.take(`${event} ${owner}`)
        if (waitSeconds > 0) throw new TooManyActsError(waitSeconds)
        await trail.recordDurably(event, fields)
      },
    },
    flush() {
      readings.flush()
      for (const { flush } of byEvent.values()) flush()
    },
  }
}
