import { pathnameOf } from '@sekisho/contract/canonical-path'
import type { Exchange } from '../http/boundary.ts'
import { describeError, type Log } from './log.ts'
import type { Metrics } from './metrics.ts'

/** Counts every finished request and gives it a line in the log. */
export function createObserver(log: Log, metrics: Metrics): (exchange: Exchange) => void {
  return ({ request, context, status, durationMs, fault }) => {
    metrics.observeRequest(status, durationMs)
    const fields = {
      request: context.requestId,
      client: context.clientAddress,
      method: request.method,
      path: pathnameOf(request.url),
      status,
      ms: Math.round(durationMs * 10) / 10,
    }
    if (fault === undefined) log('info', 'request', fields)
    else log('error', 'fault', { ...fields, error: describeError(fault) })
  }
}
