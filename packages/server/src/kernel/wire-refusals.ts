import { misdirectedText } from '@sekisho/contract/problems'
import { BytesResponse, type Refusal } from '@sekisho/wire'
import { addressKey } from '../state/limits/index.ts'
import type { Log } from './monitoring/log.ts'
import { createRefusalSums } from './monitoring/refusal-sums.ts'
import { secureHeaders } from './secure-headers.ts'

interface RefusalResponseOptions {
  /** In local mode, requests for another name of this machine get the right one. */
  readonly local: boolean
}

/** Makes the response to a request that was refused before it was one: headers only, and nothing of the request. */
export function createRefusalResponse({ local }: RefusalResponseOptions) {
  return ({ status, isMisdirected }: Refusal, origin: URL | null): BytesResponse => {
    const response =
      local && isMisdirected && origin !== null ? misdirected(origin) : new BytesResponse(null, { status })
    secureHeaders({ https: origin?.protocol === 'https:' })(response.headers)
    return response
  }
}

/** RFC 9110 §15.5.20: no redirect, which a page on another name could follow. */
function misdirected({ origin }: URL): BytesResponse {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8' }
  return new BytesResponse(misdirectedText(origin), { status: 421, headers })
}

/** Notes requests refused on the wire. */
interface RefusalLog {
  note(refusal: Refusal, client: string): void
  /** Sums up at once what had no line of its own. */
  flush(): void
}

/** A line for the first refusal of a status from an address, then one line a minute for the others: a flood must not fill the disk. */
export function createRefusalLog(log: Log): RefusalLog {
  const sums = createRefusalSums({ summarize: (sum) => log('warn', 'more_requests_refused', sum) })
  return {
    note({ status, reason }, client) {
      if (sums.note(addressKey(client), { status }))
        log('warn', 'request_refused', { status, reason, client })
    },
    flush: () => sums.flush(),
  }
}
