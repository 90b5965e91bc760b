import { pathnameOf } from '@sekisho/contract/canonical-path'
import { addressKey } from '../state/limits/index.ts'
import type { Exchange, RequestContext } from './boundary.ts'
import { describeError, type Log } from './monitoring/log.ts'
import type { Metrics } from './monitoring/metrics.ts'
import { createRefusalSums, cutText } from './monitoring/refusal-sums.ts'

export interface Observer {
  readonly observe: (exchange: Exchange) => void
  /** Sums up at once what strangers requested. */
  readonly flush: () => void
}

/** Longest path in the log: a Japanese one has nine characters for each of its own. */
const MAX_PATH_CHARS = 500

/** Lines of strangers, and those of readers and publishers beyond `ownLines` a minute for each account. */
function createSums(write: (sum: Readonly<Record<string, unknown>>) => void, ownLines: number) {
  const strangers = createRefusalSums({ summarize: write })
  const readers = createRefusalSums({
    summarize: ({ client: account, ...sum }) => write({ account, ...sum }),
    ...{ maxAddresses: 1_000, ownLines },
  })
  return {
    note({ isReader, account, clientAddress }: RequestContext, kind: { readonly status: number }): boolean {
      const address = addressKey(clientAddress)
      return isReader ? readers.note(account ?? address, kind) : strangers.note(address, kind)
    },
    flush() {
      strangers.flush()
      readers.flush()
    },
  }
}

/** Counts every finished request and gives it a line in the log; those of strangers share lines, and of accounts that ask without end. */
export function createObserver(log: Log, metrics: Metrics): Observer {
  const requests = createSums((sum) => log('info', 'more_requests', sum), 600)
  const faults = createSums((sum) => log('error', 'more_faults', sum), 60)
  return {
    observe({ request, context, status, durationMs, fault, preview }) {
      metrics.observeRequest(status, durationMs)
      const sums = fault === undefined ? requests : faults
      if (!sums.note(context, { status })) return
      const fields = {
        request: context.requestId,
        client: context.clientAddress,
        method: request.method,
        path: cutText(pathnameOf(request.url), context.isReader ? MAX_PATH_CHARS : undefined),
        status,
        ms: Math.round(durationMs * 10) / 10,
        ...(preview !== undefined && { preview }),
      }
      if (fault === undefined) log('info', 'request', fields)
      else log('error', 'fault', { ...fields, error: describeError(fault) })
    },
    flush() {
      requests.flush()
      faults.flush()
    },
  }
}
