import { isPlainPath, pathnameOf } from '@sekisho/contract/canonical-path'
import type { Exchange } from '../http/boundary.ts'
import { describeError, type Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { type JsonMembers, plainJsonValue } from './plain-json.ts'

/** Counts every finished request and gives it a line in the log. */
export function createObserver(log: Log, metrics: Metrics): (exchange: Exchange) => void {
  return (exchange) => {
    metrics.observeRequest(exchange.status, exchange.durationMs)
    const members = spell(exchange)
    if (exchange.fault === undefined) return log('info', 'request', members)
    const error = plainJsonValue(describeError(exchange.fault))
    log('error', 'fault', `${members},"error":${error}` as JsonMembers)
  }
}

/** One template instead of a table of fields: it is spelled for every request. The name of a request is ours. */
function spell({ request, context, status, durationMs }: Exchange): JsonMembers {
  const client = plainJsonValue(context.clientAddress)
  const method = plainJsonValue(request.method)
  const path = pathnameOf(request.url)
  const spelledPath = isPlainPath(path) ? `"${path}"` : plainJsonValue(path)
  const ms = Math.round(durationMs * 10) / 10
  return `,"request":"${context.requestId}","client":${client},"method":${method},"path":${spelledPath},"status":${status},"ms":${ms}` as JsonMembers
}
