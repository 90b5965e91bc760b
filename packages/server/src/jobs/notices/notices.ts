import { readReleaseId } from '@sekisho/release'
import type { AuditTrail } from '../../audit/index.ts'
import type { NoticeConfig } from '../../config/notice-settings.ts'
import { describeError, type Log } from '../../kernel/monitoring/log.ts'
import type { Metrics } from '../../kernel/monitoring/metrics.ts'
import { createToday } from '../../kernel/today.ts'
import type { ClaimedNotice, Notice, NoticeStore, Watch } from '../../state/notices/index.ts'
import { type AddressedNotice, addressesOf, type ComposeOptions, createComposer } from './compose-notice.ts'
import { NoticeError, sendMail, sendWebhook } from './send-notice.ts'

export interface NoticesOptions extends ComposeOptions {
  readonly notices: NoticeStore
  readonly audit: Pick<AuditTrail, 'record'>
  readonly log: Log
  readonly metrics: Pick<Metrics, 'countEvent'>
  /** Replaces the sending of a message, for tests of gates that end in between. */
  readonly send?: (notice: AddressedNotice) => Promise<void>
}

/** The job that queues and sends notices. */
export interface Notices {
  run(): Promise<void>
  /** Begins no further one, and waits for the one that is sent now, but not for long. */
  close(): Promise<void>
}

/** A gate that ended while it sent is waited for this long: clocks of gates differ by half a minute at most. */
const LEASE_MS = 5 * 60_000
/** A notice that nobody took for so long is dropped. */
const MAX_AGE_MS = 3 * 86_400_000
const MAX_ATTEMPTS = 20
const MIN_RETRY_MS = 60_000
const MAX_RETRY_MS = 6 * 3_600_000
/** Interval of writing down an outcome that the store did not take, until the lease ends. */
const RECORD_AGAIN_MS = 5_000
/** Sent in one run; the others follow with the next. */
const MAX_AT_ONCE = 20
/** A release that is older is no news, as when notices are turned on. */
const NEWS_MS = 86_400_000
const CLOSE_MS = 5_000
const PLAN_EVERY_MS = 60_000
/** Digests begin at this hour of the portal's clock. */
const DIGEST_HOUR_MS = 8 * 3_600_000
const MONDAY = 1

/**
 * Creates the job. Any gate may queue a notice, by its key; the gate with the lease sends it. One that ends between sending and
 * recording leaves it to another, which sends the same id: receivers drop the repetition.
 */
export function createNotices(options: NoticesOptions): Notices {
  const { config, notices: store, releases, now, log, audit, metrics } = options
  const compose = createComposer(options)
  const send = options.send ?? createSend(config, now)
  const dayOfDigest = createToday({ now: () => now() - DIGEST_HOUR_MS, timeZone: options.timeZone })
  let plannedAtMs = Number.NEGATIVE_INFINITY

  /** Day of the digest that is due now. */
  function digestDay(): string {
    const day = new Date(`${dayOfDigest()}T00:00Z`)
    const sinceMonday = (day.getUTCDay() - MONDAY + 7) % 7
    if (config.everyDays === 7) day.setUTCDate(day.getUTCDate() - sinceMonday)
    return day.toISOString().slice(0, 10)
  }

  async function plan(): Promise<void> {
    const editions = await releases.editions()
    const [served] = editions
    if (served === undefined) return
    const add = (kind: Notice['kind'], recipient: string, subject: string) =>
      store.add({ key: `${kind} ${subject} ${recipient}`, kind, recipient, subject, createdAtMs: now() })
    const day = digestDay()
    if (config.webhook !== null) {
      if (now() - Date.parse(readReleaseId(served.releaseId).createdAt) < NEWS_MS)
        await add('publication', 'webhook', served.releaseId)
      await add('digest', 'webhook', day)
    }
    if (config.mail === null) return
    const files = editions.flatMap(({ edition }) => [...edition.files.values()])
    const owners = new Set(files.flatMap(({ page }) => page?.owner ?? []))
    const addresses = new Set([...owners].flatMap((owner) => addressesOf(owner, config)))
    for (const address of addresses) await add('owner', address, day)
    for await (const { issuer, sub, atMs } of watches(store))
      if (atMs < Date.parse(day)) await add('watch', JSON.stringify({ issuer, sub }), day)
  }

  /** Resolves to the error of a failed attempt, or null. */
  async function attempt(notice: ClaimedNotice): Promise<NoticeError | null> {
    const { kind, subject, recipient } = notice
    try {
      const made = await compose(notice)
      if (made === null) return null
      await send(made)
      audit.record('notice_sent', { kind, subject, recipient, release: made.release })
      return null
    } catch (error) {
      if (error instanceof NoticeError) return error
      log('error', 'notice_failed', { kind, subject, error: describeError(error) })
      return new NoticeError('not_made')
    }
  }

  async function deliver(notice: ClaimedNotice, leaseEndsAtMs: number): Promise<void> {
    const { kind, subject, attempts, createdAtMs } = notice
    const failure = await attempt(notice)
    if (failure === null) return record(notice, { state: 'sent' }, leaseEndsAtMs)
    const isOver = attempts >= MAX_ATTEMPTS || now() - createdAtMs > MAX_AGE_MS
    metrics.countEvent('notice_failed')
    const { code: reason, status } = failure
    log(isOver ? 'error' : 'warn', isOver ? 'notice_dropped' : 'notice_failed', {
      kind,
      subject,
      reason,
      status,
    })
    const retryAtMs = now() + Math.min(MIN_RETRY_MS * 2 ** (attempts - 1), MAX_RETRY_MS)
    await record(notice, isOver ? { state: 'dropped' } : { retryAtMs }, leaseEndsAtMs)
  }

  /** Writes an outcome down, again and again while no other gate may send the notice. */
  async function record(
    notice: ClaimedNotice,
    outcome: Parameters<NoticeStore['settle']>[1],
    leaseEndsAtMs: number,
  ): Promise<void> {
    for (;;) {
      try {
        await store.settle(notice, outcome, now())
        return
      } catch (error) {
        if (now() + RECORD_AGAIN_MS > leaseEndsAtMs) throw error
        await new Promise((resolve) => setTimeout(resolve, RECORD_AGAIN_MS).unref())
      }
    }
  }

  async function work(): Promise<void> {
    if (now() - plannedAtMs >= PLAN_EVERY_MS) {
      await plan()
      plannedAtMs = now()
    }
    for (let count = 0; count < MAX_AT_ONCE && !isClosing; count += 1) {
      const leaseEndsAtMs = now() + LEASE_MS
      const notice = await store.claim(now(), leaseEndsAtMs)
      if (notice === null) return
      await deliver(notice, leaseEndsAtMs)
    }
  }

  let running = Promise.resolve()
  let isClosing = false
  return {
    run() {
      running = work()
      return running
    },
    async close() {
      isClosing = true
      const late = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS).unref())
      await Promise.race([running.catch(() => {}), late])
    },
  }
}

function createSend({ webhook, mail, privateHosts }: NoticeConfig, now: () => number) {
  return async ({ to, message }: AddressedNotice): Promise<void> => {
    if (to === null && webhook !== null) await sendWebhook(webhook, message, privateHosts, now())
    if (to !== null && mail !== null) await sendMail(mail, to, message, privateHosts)
  }
}

const WATCHES_AT_ONCE = 500

/** Every watch, some hundred in memory at a time. */
async function* watches(store: Pick<NoticeStore, 'listWatches'>): AsyncGenerator<Watch> {
  for (let after: Watch | null = null; ; ) {
    const page: readonly Watch[] = await store.listWatches(after, WATCHES_AT_ONCE)
    yield* page
    after = page.at(-1) ?? null
    if (page.length < WATCHES_AT_ONCE) return
  }
}
