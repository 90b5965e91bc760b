import type { ClusterReleases } from './cluster-releases.ts'
import type { Observation } from './readers.ts'

/** From a publication until every gate serves it. */
export const RELEASE_LIMIT_MS = 2_000
/** Lifetime of a session in a gate's memory; without the database it must not serve longer. */
const MEMORY_MS = 1_000
/** A gate that lags further behind with its audit trail answers no reader, so a kill takes no older line than this. */
const AUDIT_LAG_MS = 2_000

/** Events of the trial, on the clock of the observations. */
export interface Events {
  /** The pointer was moved somewhen between the two times. */
  readonly publications: readonly { readonly id: string; readonly fromMs: number; readonly byMs: number }[]
  readonly kills: readonly { readonly gate: string; readonly atMs: number }[]
  /** Gates that were stopped, and went on. */
  readonly stops: readonly Period[]
  /** Periods of database writes that a fail-over lost. */
  readonly lost: readonly Omit<Period, 'gate'>[]
  /** Outages of a gate's database; `gate` null means all gates. */
  readonly outages: readonly Period[]
  /** Address to when the identity service was told. */
  readonly disabled: ReadonlyMap<string, number>
}

interface Period {
  readonly gate: string | null
  readonly fromMs: number
  readonly byMs: number
}

/** Entries of the audit trail, of all gates. */
export interface Trail {
  /** `reader path`, one for each page; readers read each page once. */
  readonly readings: ReadonlySet<string>
  /** Client addresses of sign-ins. */
  readonly signIns: ReadonlySet<string>
}

export interface Judgement {
  /** Each a sentence. */
  readonly wrong: readonly string[]
  readonly lostSessions: readonly string[]
  /** Sessions that began within seconds that a fail-over took: their readers sign in once more. */
  readonly signedInAgain: number
  readonly lostLines: readonly string[]
  /** Pages whose line a killed gate had not written yet: how long before the kill they were answered, in milliseconds. */
  readonly lastBatchMs: readonly number[]
  /** The latest answer of the release before, in milliseconds after a publication. */
  readonly releaseMs: number
  /** The latest page of a disabled account, in milliseconds after the identity service was told. */
  readonly disabledMs: number
  /** Closed is right while something is away; `other` each as a sentence. */
  readonly refusals: {
    readonly away: number
    readonly gateDown: number
    readonly other: readonly string[]
    /** Of those while the store was away, the last one: milliseconds after it was back. */
    readonly afterMs: number
  }
}

/** Judges every answer by what was true at the time. */
export function judge(
  seen: readonly Observation[],
  events: Events,
  releases: ClusterReleases,
  trail: Trail,
): Judgement {
  const wrong: string[] = []
  const lostSessions: string[] = []
  const lostLines: string[] = []
  const signedInMs = new Map<string, number>() // by reader, who asks one thing after the other
  let signedInAgain = 0
  const lastBatchMs: number[] = []
  const refusals = { away: 0, gateDown: 0, afterMs: 0 }
  const refused: string[] = []
  let releaseMs = 0
  let disabledMs = 0
  for (const one of seen) {
    const problem = findWrong(one, events, releases)
    if (problem !== null) wrong.push(`${describe(one)}: ${problem}`)
    if (one.status === 0 || one.status >= 500) {
      const kind = kindOfRefusal(one, events)
      if (kind === null) refused.push(`${describe(one)}: refused while everything was up`)
      else refusals[kind] += 1
      if (kind === 'away') refusals.afterMs = Math.max(refusals.afterMs, msAfterOutage(one, events))
    }
    const disabledAtMs = events.disabled.get(one.reader) ?? Number.POSITIVE_INFINITY
    const usesSession = one.asking === 'page' || one.asking === 'script' || one.asking === 'session'
    if (one.asking === 'sign-in' && one.status === 204) signedInMs.set(one.reader, one.endedMs)
    if (usesSession && one.status === 401 && one.endedMs < disabledAtMs) {
      const beganMs = signedInMs.get(one.reader) ?? 0
      const isTaken = events.lost.some(({ fromMs, byMs }) => beganMs >= fromMs && beganMs <= byMs)
      if (isTaken && one.endedMs > beganMs) signedInAgain += 1
      else lostSessions.push(describe(one))
    }
    if (usesSession && one.status === 200) disabledMs = Math.max(disabledMs, one.beganMs - disabledAtMs)
    if (one.asking === 'page' && one.status === 200) {
      releaseMs = Math.max(releaseMs, staleMs(one, events))
      if (!trail.readings.has(`${one.reader} ${one.path}`)) {
        const beforeKillMs = msBeforeKill(one, events)
        if (beforeKillMs === null) lostLines.push(describe(one))
        else lastBatchMs.push(beforeKillMs)
      }
    }
    if (one.asking === 'sign-in' && one.status === 204 && !trail.signIns.has(one.client))
      lostLines.push(describe(one))
  }
  return {
    wrong,
    lostSessions,
    signedInAgain,
    lostLines,
    lastBatchMs,
    releaseMs,
    disabledMs,
    refusals: { ...refusals, other: refused },
  }
}

function findWrong(one: Observation, events: Events, releases: ClusterReleases): string | null {
  const { asking, status } = one
  if (status === 0 || status >= 500) return one.holdsContent ? 'content beside a refusal' : null
  if (asking === 'stranger' || asking === 'signed-out') {
    if (status === 401 && !one.holdsContent) return null
    return asking === 'stranger' ? 'content without a session' : 'content after a sign-out'
  }
  if (asking === 'sign-in') {
    const disabledAtMs = events.disabled.get(one.reader) ?? Number.POSITIVE_INFINITY
    if (status === 204) return one.beganMs > disabledAtMs ? 'a disabled account signed in' : null
    return one.endedMs > disabledAtMs && status === 401 ? null : 'a sign-in was refused'
  }
  if (asking === 'sign-out') return status === 204 ? null : 'a sign-out was refused'
  if (status === 401) return one.holdsContent ? 'content beside a refusal' : null
  if (status !== 200) return 'an answer that nobody expects'
  if (isOpenWhileAway(one, events)) return 'served while the store was away'
  if (asking === 'session') return one.email === one.reader ? null : `the session of ${one.email}`
  const current = releasesAt(one, events)
  if (asking === 'page' && !current.includes(one.release ?? ''))
    return `of release ${one.release}, which was not current`
  const named = asking === 'page' ? [one.release ?? ''] : current
  return named.some((id) => releases.hashOf(id, one.path) === one.sha256)
    ? null
    : 'not the file of its release'
}

function isOpenWhileAway(one: Observation, { outages }: Events): boolean {
  return outages.some(
    ({ gate, fromMs, byMs }) =>
      (gate === null || gate === one.gate) && one.beganMs > fromMs + MEMORY_MS && one.endedMs < byMs,
  )
}

/** Those that were current at some time from two seconds before the request until its answer. */
function releasesAt({ beganMs, endedMs }: Observation, { publications }: Events): readonly string[] {
  return publications
    .filter(({ fromMs }, index) => {
      const replacedMs = publications[index + 1]?.byMs ?? Number.POSITIVE_INFINITY
      return fromMs <= endedMs && replacedMs >= beganMs - RELEASE_LIMIT_MS
    })
    .map(({ id }) => id)
}

/** Age of a superseded release at the start of a request answered from it; 0 for the current one. */
function staleMs({ beganMs, endedMs, release }: Observation, { publications }: Events): number {
  const last = publications.findLastIndex(({ byMs }) => byMs < beganMs)
  const isCurrent = publications
    .slice(Math.max(0, last))
    .some(({ id, fromMs }) => id === release && fromMs <= endedMs)
  return isCurrent ? 0 : beganMs - (publications[last]?.byMs ?? 0)
}

function msBeforeKill({ gate, endedMs }: Observation, { kills }: Events): number | null {
  const kill = kills.find((one) => one.gate === gate && Math.abs(one.atMs - endedMs) < AUDIT_LAG_MS)
  return kill === undefined ? null : Math.max(0, kill.atMs - endedMs)
}

function msAfterOutage({ beganMs }: Observation, { outages }: Events): number {
  const isAway = outages.some(({ fromMs, byMs }) => beganMs >= fromMs - 1_000 && beganMs <= byMs)
  const last = outages.findLast(({ byMs }) => byMs < beganMs)
  return isAway || last === undefined ? 0 : beganMs - last.byMs
}

function kindOfRefusal(one: Observation, { outages, kills, stops }: Events): 'away' | 'gateDown' | null {
  const SETTLE_MS = 6_000
  const isAway = outages.some(
    ({ fromMs, byMs }) => one.endedMs >= fromMs - 1_000 && one.beganMs <= byMs + SETTLE_MS,
  )
  if (isAway) return 'away'
  const down = [...stops, ...kills.map(({ atMs }) => ({ fromMs: atMs, byMs: atMs }))]
  const isDown = down.some(
    ({ fromMs, byMs }) => one.endedMs >= fromMs - 100 && one.beganMs <= byMs + SETTLE_MS,
  )
  return isDown ? 'gateDown' : null
}

function describe({ asking, reader, path, status, gate, beganMs }: Observation): string {
  return `${(beganMs / 1_000).toFixed(2)} s ${asking} ${reader} ${path} at ${gate === '' ? 'no gate' : gate}: ${status}`
}
