import { pathnameOf } from '@sekisho/contract/canonical-path'
import { addressKey } from '../state/limits/index.ts'
import type { Exchange } from './boundary.ts'
import { describeError, type Log } from './monitoring/log.ts'
import type { Metrics } from './monitoring/metrics.ts'
import { createRefusalSums, cutText } from './monitoring/refusal-sums.ts'

interface Observer {
  readonly observe: (exchange: Exchange) => void
  /** Sums up at once what strangers requested. */
  readonly flush: () => void
}

/** Counts every finished request and gives it a line in the log; strangers' requests of one address share lines. */
export function createObserver(log: Log, metrics: Metrics): Observer {
  const answered = createRefusalSums({ summarize: (sum) => log('info', 'more_requests', sum) })
  const faults = createRefusalSums({ summarize: (sum) => log('error', 'more_faults', sum) })
  return {
    observe({ request, context, status, durationMs, fault, preview }) {
      metrics.observeRequest(status, durationMs)
      const sums = fault === undefined ? answered : faults
      if (!context.isReader && !sums.note(addressKey(context.clientAddress), { status })) return
      const fields = {
        request: context.requestId,
        client: context.clientAddress,
        method: request.method,
        path: context.isReader ? pathnameOf(request.url) : cutText(pathnameOf(request.url)),
        status,
        ms: Math.round(durationMs * 10) / 10,
        ...(preview !== undefined && { preview }),
      }
      if (fault === undefined) log('info', 'request', fields)
      else log('error', 'fault', { ...fields, error: describeError(fault) })
    },
    flush() {
      answered.flush()
      faults.flush()
    },
  }
}
