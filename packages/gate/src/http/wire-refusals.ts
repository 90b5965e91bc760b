import { BytesResponse, type Refusal } from '@sekisho/wire'
import type { Log } from '../observability/log.ts'
import { secureHeaders } from './secure-headers.ts'

export interface RefusalResponseOptions {
  /** Locally, whoever opened another name of this machine is told the right one. */
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
  const text = `開くアドレス: ${origin}/\n`
  const headers = { 'Content-Type': 'text/plain; charset=utf-8' }
  return new BytesResponse(new Uint8Array(Buffer.from(text)), { status: 421, headers })
}

export interface RefusalLogOptions {
  readonly log: Log
  readonly maxPerMinute?: number
}

/** Notes requests refused on the wire. */
export interface RefusalLog {
  note(refusal: Refusal, client: string): void
  /** Says how many went unsaid so far. */
  flush(): void
}

const MINUTE_MS = 60_000

/** A line for each refused request up to a number a minute, then one line for the rest of it: a flood must not fill the disk. */
export function createRefusalLog({ log, maxPerMinute = 20 }: RefusalLogOptions): RefusalLog {
  let minute: NodeJS.Timeout | null = null
  let noted = 0

  function flush(): void {
    if (minute !== null) clearTimeout(minute)
    if (noted > maxPerMinute) log('warn', 'more_requests_refused', { count: noted - maxPerMinute })
    minute = null
    noted = 0
  }

  return {
    note({ status, reason }, client) {
      minute ??= setTimeout(flush, MINUTE_MS).unref()
      noted += 1
      if (noted <= maxPerMinute) log('warn', 'request_refused', { status, reason, client })
    },
    flush,
  }
}
