import type { AuditSource } from '@sekisho/server/audit'
import { MIN_READERS } from '@sekisho/server/readership'
import { digestOfRules } from '@sekisho/server/settings'

/** An account as the trail knew it at a time: what its provider had said of it last, and when it was here. */
export interface KnownAccount {
  readonly email: string
  readonly issuer: string
  readonly sub: string
  readonly isVouched: boolean
  readonly groups: readonly string[]
  readonly firstSignInMs: number
  readonly lastSignInMs: number
  /** Null when nothing was read. */
  readonly lastReadMs: number | null
}

/** Actions of gates at a time, from the trail. */
export interface TrailFacts {
  /** Time of its first line; null without lines. */
  readonly beginsMs: number | null
  /** Lines that are none of ours. */
  readonly unreadable: number
  /** As `writeRules` wrote them; null when the trail does not hold them. */
  readonly rules: readonly string[] | null
  /** Gates that ran by another policy at the same time, by the names of their chains. */
  readonly others: readonly string[]
  /** As `NAME AUDIENCE…`, in the order in which they are chosen; empty for a site that does not tell its readers apart. */
  readonly editions: readonly string[]
  readonly accounts: readonly KnownAccount[]
}

type Line = Readonly<Record<string, unknown>>

/** State of one gate's run. */
interface Run {
  readonly chain: string
  atMs: number
  isRunning: boolean
  /** Its last line was that of an intended end. */
  isStopped: boolean
  policy: string | null
  editions: readonly string[]
}

/** Reads the trail of all gates up to a moment. Lines that were altered and can still be read count as they are: `sekisho audit verify` finds them. */
export async function readTrailFacts(source: AuditSource, untilMs: number): Promise<TrailFacts> {
  const rules = createRuleBook()
  const accounts = createAccounts()
  const runs: Run[] = []
  let beginsMs: number | null = null
  let unreadable = 0
  for (const chain of await source.listChains()) {
    const run: Run = { chain, atMs: 0, isRunning: false, isStopped: false, policy: null, editions: [] }
    runs.push(run)
    for await (const read of readLines(source, chain)) {
      if (read === null) {
        unreadable += 1
        continue
      }
      const { atMs, line } = read
      beginsMs = Math.min(beginsMs ?? atMs, atMs)
      if (atMs > untilMs) continue
      follow(run, line, atMs)
      rules.add(line)
      accounts.add(line, atMs)
    }
  }
  const [newest] = inForce(runs)
  return {
    beginsMs,
    unreadable,
    rules: newest?.policy == null ? null : rules.find(newest.policy),
    others: inForce(runs).flatMap(({ policy, chain }) => (policy === newest?.policy ? [] : [chain])),
    editions: newest?.editions ?? [],
    accounts: accounts.all(),
  }
}

/** Reasons of the gate's own not to believe an address, as lines of refused sign-ins have them. */
const ADDRESS_REFUSALS = ['email_unverified', 'email_domain'] as const
export type AddressRefusal = (typeof ADDRESS_REFUSALS)[number]

/** The reason an address was refused at its last sign-in attempt; null where it was not, or without attempts. */
export async function findAddressRefusal(
  source: AuditSource,
  address: string,
): Promise<AddressRefusal | null> {
  let last: { readonly atMs: number; readonly reason: AddressRefusal | null } = { atMs: 0, reason: null }
  for (const chain of await source.listChains())
    for await (const read of readLines(source, chain)) {
      const { event, email, reason } = read?.line ?? {}
      const isAttempt = event === 'sign_in_refused' || event === 'signed_in'
      if (!isAttempt || textOf(email).toLowerCase() !== address.toLowerCase()) continue
      const atMs = read?.atMs ?? 0
      if (atMs >= last.atMs) last = { atMs, reason: ADDRESS_REFUSALS.find((one) => one === reason) ?? null }
    }
  return last.reason
}

/** Lines of a chain with their time, as text and as object; null for a line that is none of ours. */
export async function* readLines(source: AuditSource, chain: string) {
  for await (const { lines, isCutShort } of source.read(chain)) {
    if (isCutShort === true) continue
    for (const text of lines) {
      if (!text.startsWith('{"seq":')) continue // the header of a file
      const line = readLine(text)
      const atMs = Date.parse(textOf(line?.at))
      yield line === null || Number.isNaN(atMs) ? null : { atMs, line, text }
    }
  }
}

/** Answers that were made from pages since a moment, by path; those of fewer than five are left out. */
export async function countAnswers(
  source: AuditSource,
  sinceMs: number,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (const chain of await source.listChains())
    for await (const read of readLines(source, chain)) {
      if (read === null || read.atMs < sinceMs || read.line.event !== 'answer_read') continue
      const paths = new Set(textsOf(read.line.passages).map((passage) => passage.split(' ', 1).join()))
      for (const path of paths) counts.set(path, (counts.get(path) ?? 0) + 1)
    }
  return new Map([...counts].filter(([, answers]) => answers >= MIN_READERS))
}

function readLine(text: string): Line | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function follow(run: Run, line: Line, atMs: number): void {
  const { event } = line
  if (run.isStopped || event === 'restarted_uncleanly') run.editions = [] // the next gate says which it serves
  run.isStopped = event === 'gate_stopped'
  run.isRunning &&= event !== 'gate_stopped' && event !== 'restarted_uncleanly'
  if (event === 'editions_changed') run.editions = textsOf(line.editions)
  if (event !== 'gate_started' && event !== 'policy_changed') return
  run.atMs = atMs
  run.isRunning = true
  run.policy = textOf(line.policy) || null
}

/** Gates that ran then, the one first that read its policy last; where none ran, the one that did last. */
function inForce(runs: readonly Run[]): readonly Run[] {
  const began = runs.filter(({ atMs }) => atMs > 0).sort((one, other) => other.atMs - one.atMs)
  const running = began.filter(({ isRunning }) => isRunning)
  return running.length > 0 ? running : began.slice(0, 1)
}

/** The rules of each policy, by its digest, once all parts of it were read. */
function createRuleBook() {
  const parts = new Map<string, Map<number, readonly string[]>>()
  return {
    add({ event, policy, part, rules }: Line): void {
      if (event !== 'policy_rules') return
      const known = parts.get(textOf(policy)) ?? new Map()
      parts.set(textOf(policy), known.set(Number(part), textsOf(rules)))
    },
    find(digest: string): readonly string[] | null {
      const known = [...(parts.get(digest) ?? [])].sort(([one], [other]) => one - other)
      const rules = known.flatMap(([, own]) => own)
      return digestOfRules(rules) === digest ? rules : null
    },
  }
}

const READINGS: ReadonlySet<unknown> = new Set([
  'page_read',
  'script_read',
  'file_read',
  'search_read',
  'agent_read',
  'answer_read',
])

/** Facts of one session; another gate than its opener may have revalidated it. */
interface KnownSession {
  signedIn: { readonly line: Line; readonly atMs: number } | null
  regrouped: { readonly groups: readonly string[]; readonly atMs: number } | null
  lastReadMs: number | null
}

/** Accounts by issuer and subject; lines other than those of sign-ins name them by their sessions. */
function createAccounts() {
  const sessions = new Map<string, KnownSession>()
  return {
    add(line: Line, atMs: number): void {
      const { event, preview } = line
      const isKnown = event === 'signed_in' || event === 'groups_changed' || READINGS.has(event)
      if (!isKnown || preview !== undefined) return // readers of previews are the portal's
      const id = textOf(line.session)
      const known = sessions.get(id) ?? { signedIn: null, regrouped: null, lastReadMs: null }
      sessions.set(id, known)
      if (event === 'signed_in') known.signedIn = { line, atMs }
      else if (event === 'groups_changed') {
        if (atMs >= (known.regrouped?.atMs ?? 0)) known.regrouped = { groups: textsOf(line.groups), atMs }
      } else known.lastReadMs = Math.max(known.lastReadMs ?? atMs, atMs)
    },
    all(): readonly KnownAccount[] {
      const opened = [...sessions.values()].flatMap(({ signedIn, ...more }) =>
        signedIn === null ? [] : [{ ...signedIn, ...more }],
      )
      const own = Map.groupBy(opened, ({ line }) => JSON.stringify([line.issuer, line.sub]))
      return [...own.values()].map(describeAccount)
    },
  }
}

type OpenedSession = NonNullable<KnownSession['signedIn']> & Omit<KnownSession, 'signedIn'>

/** The provider's last statement on an account, at a sign-in or revalidation of any of its sessions. */
function describeAccount(sessions: readonly OpenedSession[]): KnownAccount {
  const last = sessions.reduce((one, other) => (other.atMs > one.atMs ? other : one))
  const said = sessions.flatMap(({ line, atMs, regrouped }) => [
    { groups: textsOf(line.groups), atMs },
    ...(regrouped === null ? [] : [regrouped]),
  ])
  const reads = sessions.flatMap(({ lastReadMs }) => lastReadMs ?? [])
  return {
    email: textOf(last.line.email),
    issuer: textOf(last.line.issuer),
    sub: textOf(last.line.sub),
    isVouched: last.line.unvouched === undefined,
    groups: said.reduce((one, other) => (other.atMs > one.atMs ? other : one)).groups,
    firstSignInMs: Math.min(...sessions.map(({ atMs }) => atMs)),
    lastSignInMs: last.atMs,
    lastReadMs: reads.length === 0 ? null : Math.max(...reads),
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}
