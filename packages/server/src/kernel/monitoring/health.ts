import { type ReleaseStatus, readReleaseId } from '@sekisho/release'
import type { AuditHealth } from '../../audit/index.ts'
import type { LogOutput } from './log-output.ts'
import type { StoreState } from './store-watch.ts'

/** `degraded`: still served, but needs attention. `failed`: requests that depend on it are refused. */
export type PartState = 'ok' | 'degraded' | 'failed'

/** Health of the gate: strangers get one word; the metrics port shows the parts. */
export interface Health {
  readonly status: PartState
  readonly parts: Readonly<
    Record<'audit' | 'store' | 'log' | 'release' | 'proofs' | 'policy' | 'rules' | 'sign_in', PartState>
  >
}

/** States of the gate's parts; read each time. */
export interface HealthSources {
  readonly audit: () => AuditHealth
  /** Number of times its disk began to fail. */
  readonly auditFailures: () => number
  readonly store: () => StoreState
  readonly log: Pick<LogOutput, 'isFailing' | 'droppedLines'>
  readonly release: () => ReleaseStatus
  /** The file of the access policy; `degraded` while its last valid policy stands in for it. */
  readonly policy: () => PartState
  /** The same of the publish rules. */
  readonly rules: () => PartState
  /** Number of live sessions. */
  readonly sessions: () => number
  /** Result of the last sign-ins. */
  readonly signInState: () => PartState
  /** Age of the oldest proof of an account. */
  readonly oldestProofMs: () => number
  readonly revalidationIntervalMs: number
  readonly revalidationGraceMs: number
  readonly now: () => number
}

/** The health with the numbers behind it. */
export interface HealthReport {
  readonly health: Health
  readonly audit: AuditHealth
  readonly auditFailures: number
  readonly droppedLogLines: number
  readonly sessions: number
  readonly oldestProofMs: number
  /** Null while there is none. */
  readonly release: { readonly id: string; readonly ageSeconds: number } | null
}

const STATES = {
  ok: 'ok',
  restored: 'degraded',
  holding: 'degraded',
  failing: 'degraded',
  closed: 'failed',
} as const

/**
 * Reads every part. A failed audit trail, store, release or policy stops serving; late revalidation, failing sign-ins, a lost log and wrong
 * publish rules do not.
 */
export function readHealth(sources: HealthSources): HealthReport {
  const audit = sources.audit()
  const release = sources.release()
  const oldestProofMs = sources.oldestProofMs()
  const parts = {
    audit: STATES[audit.state],
    store: STATES[sources.store()],
    log: sources.log.isFailing ? 'degraded' : 'ok',
    release: stateOfRelease(release),
    proofs: stateOfProofs(oldestProofMs, sources),
    policy: sources.policy(),
    rules: sources.rules(),
    sign_in: sources.signInState(),
  } as const
  return {
    health: { status: statusOf(parts), parts },
    audit,
    auditFailures: sources.auditFailures(),
    droppedLogLines: sources.log.droppedLines,
    sessions: sources.sessions(),
    oldestProofMs,
    release:
      release.state === 'ready'
        ? { id: release.id, ageSeconds: ageSeconds(release.id, sources.now()) }
        : null,
  }
}

function statusOf(parts: Health['parts']): PartState {
  if ([parts.audit, parts.store, parts.release, parts.policy].includes('failed')) return 'failed'
  return Object.values(parts).every((state) => state === 'ok') ? 'ok' : 'degraded'
}

function stateOfRelease(status: ReleaseStatus): PartState {
  if (status.state !== 'ready') return 'failed'
  return status.refused === null ? 'ok' : 'degraded'
}

function stateOfProofs(
  oldestProofMs: number,
  { revalidationIntervalMs, revalidationGraceMs }: HealthSources,
): PartState {
  const lateMs = oldestProofMs - revalidationIntervalMs
  if (lateMs <= 0) return 'ok'
  return lateMs <= revalidationGraceMs ? 'degraded' : 'failed'
}

function ageSeconds(releaseId: string, nowMs: number): number {
  return (nowMs - Date.parse(readReleaseId(releaseId).createdAt)) / 1_000
}
