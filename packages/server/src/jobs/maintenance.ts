import type { AuditTrail } from '../audit/index.ts'
import { createRevalidation, type Revalidator } from '../identity/revalidation.ts'
import { type EndedSums, sumEnded } from '../kernel/monitoring/ended-sums.ts'
import { describeError, type Log, logUnknownGroups } from '../kernel/monitoring/log.ts'
import type { Metrics } from '../kernel/monitoring/metrics.ts'
import type { Grants } from '../state/grants/index.ts'
import type { PublisherStore } from '../state/publishers/index.ts'
import type { ChangingSeal, SessionStore, Sessions } from '../state/sessions/index.ts'
import { KEEP_ENDS_MS, whoOf } from '../state/sessions/index.ts'
import type { Stores } from '../state/stores/open-stores.ts'
import { createSecretWatch } from './secret-watch.ts'

interface MaintenanceOptions {
  readonly sessions: Sessions
  readonly grants: Pick<Grants, 'synchronise' | 'tidy'>
  readonly store: SessionStore
  readonly publishers: Pick<PublisherStore, 'forgetSpent'>
  readonly identity: Revalidator | null
  readonly revalidationIntervalMs: number
  readonly seal: ChangingSeal
  readonly agreeOnSecret: Stores['agreeOnSecret']
  /** A secret is being replaced. */
  readonly hasPreviousSecret: boolean
  readonly audit: Pick<AuditTrail, 'record' | 'head' | 'tend'>
  readonly log: Log
  readonly metrics: Metrics
  /** Retention of audit trail lines. */
  readonly auditKeepMs: number
  /** Queues and sends notices; null where none are. */
  readonly sendNotices: (() => Promise<void>) | null
  /** Writes readers of pages; null where they are not counted. */
  readonly writeReaders: (() => Promise<void>) | null
  readonly now: () => number
}

/** Another process's revocation is taken in within this time. */
const SYNCHRONISE_MS = 500
/** Expired sessions are removed, and the others counted, the first time and every so many times: a start waits for neither. */
const TIDY_EVERY = 10
const FORGET_MS = 600_000
/** Interval of checking which secret is in use. */
const SECRET_MS = 10_000
/** Interval at which the log notes the audit trail's end, and expired lines are removed. */
const TEND_AUDIT_MS = 3_600_000
/** Readers of pages since the last write are lost with the process. */
const READERS_MS = 60_000
/** Interval of looking for notices that are due. */
const NOTICES_MS = 10_000
const MAX_REVALIDATION_TICK_MS = 15_000

/** Runs everything that happens beside the requests; stops with the returned function. */
export function startMaintenance(options: MaintenanceOptions): () => void {
  const ended = sumEnded(options.audit)
  const timers = [
    setInterval(quietly('session_store_failed', createSynchronise(options, ended)), SYNCHRONISE_MS),
    setInterval(
      quietly('session_store_failed', async () => {
        await options.store.sessions.forgetSpent(options.now())
        await options.publishers.forgetSpent(options.now())
        await options.store.ends.forgetReasons(options.now() - KEEP_ENDS_MS)
      }),
      FORGET_MS,
    ),
  ]
  timers.push(
    setInterval(
      quietly('audit_failed', () => tendAudit(options)),
      TEND_AUDIT_MS,
    ),
  )
  timers.push(setInterval(quietly('secret_refused', createSecretWatch(options)), SECRET_MS))
  if (options.sendNotices !== null)
    timers.push(setInterval(quietly('notices_failed', options.sendNotices), NOTICES_MS))
  if (options.writeReaders !== null)
    timers.push(setInterval(quietly('readership_failed', options.writeReaders), READERS_MS))
  const { identity } = options
  if (identity !== null) {
    const tickMs = Math.min(options.revalidationIntervalMs / 10, MAX_REVALIDATION_TICK_MS)
    timers.push(
      setInterval(quietly('revalidation_failed', createRevalidationRun(options, identity, ended)), tickMs),
    )
  }
  for (const timer of timers) timer.unref()
  return () => {
    timers.forEach(clearInterval)
    ended.flush()
  }

  /** One run at a time, and one log line per run of failures. */
  function quietly(event: string, run: () => void | Promise<void>): () => void {
    let running = false
    let failing = false
    return async () => {
      if (running) return
      running = true
      try {
        await run()
        failing = false
      } catch (error) {
        options.metrics.countEvent(event)
        if (!failing) options.log('error', event, { error: describeError(error) })
        failing = true
      } finally {
        running = false
      }
    }
  }
}

async function tendAudit({ audit, auditKeepMs, log }: MaintenanceOptions): Promise<void> {
  noteAuditHead({ audit, log })
  await audit.tend(auditKeepMs)
}

/** A trail cut at its end cannot tell; the log can, by `sekisho audit verify --expect-head`. */
export function noteAuditHead({ audit, log }: Pick<MaintenanceOptions, 'audit' | 'log'>): void {
  const { seq, hash } = audit.head()
  log('info', 'audit_head', { seq, hash })
}

function createSynchronise({ sessions, grants }: MaintenanceOptions, ended: EndedSums): () => Promise<void> {
  let runs = 0
  return async () => {
    for (const session of await sessions.synchronise())
      ended.note('session_revoked', session, { by: session.by ?? 'operator' })
    await grants.synchronise()
    const isDue = runs % TIDY_EVERY === 0
    runs += 1
    if (!isDue) return
    await grants.tidy()
    for (const session of await sessions.tidy()) ended.note('session_expired', session, {})
  }
}

function createRevalidationRun(
  { sessions, revalidationIntervalMs, audit, metrics, log, now }: MaintenanceOptions,
  identity: Revalidator,
  ended: EndedSums,
): () => Promise<void> {
  return createRevalidation({
    sessions,
    identity,
    intervalMs: revalidationIntervalMs,
    now,
    onEnded: (session, reason) => ended.note('session_revoked', session, { by: 'revalidation', reason }),
    onProven(session, { vouched: { groups, hasAllGroups } }) {
      const { id, vouched: before } = session
      if (before.hasAllGroups !== hasAllGroups || before.groups.join('\n') !== groups.join('\n'))
        audit.record('groups_changed', { ...whoOf(session), groups })
      if (hasAllGroups) return
      metrics.countEvent('groups_unknown')
      logUnknownGroups(log, id)
    },
    onUnclear({ id }, reason) {
      metrics.countEvent('revalidation_unclear')
      log('warn', 'revalidation_unclear', { session: id, reason })
    },
    onLimited() {
      metrics.countEvent('identity_limited')
      log('warn', 'identity_limited', { advice: 'SEKISHO_REVALIDATION_INTERVAL' })
    },
    onUnavailable(reason) {
      metrics.countEvent('identity_unavailable')
      log('warn', 'identity_unavailable', { reason })
    },
  })
}
