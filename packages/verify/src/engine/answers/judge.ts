import { findHeader } from '../../client/request.ts'
import type { WireOutcome, WireResponse } from '../../client/response.ts'
import type { Rule } from './findings.ts'

/** A rule an answer breaks by itself, whatever others got. */
export interface Verdict {
  readonly rule: Rule
  readonly detail: string
}

/** Headers that describe content; an answer without content has none. */
export const CONTENT_HEADERS = [
  'ETag',
  'Last-Modified',
  'Content-Range',
  'Accept-Ranges',
  'Content-Disposition',
  'Link',
]

/**
 * Known origin of a response. `pinned`: byte for byte this product's open surface. `identity`: the identity service, at one of its exact
 * paths. Nothing else may succeed, be cached or describe content.
 */
export type Standing = 'pinned' | 'identity' | 'unknown'

/** Judges one answer to a stranger by itself. */
export function judge(outcome: WireOutcome, standing: Standing): Verdict[] {
  switch (outcome.kind) {
    case 'closed':
      return []
    case 'timeout':
      return [{ rule: 'no-answer', detail: 'no answer in time' }]
    case 'unreadable':
      return [{ rule: 'unreadable', detail: 'the answer is not HTTP/1.1' }]
    case 'response':
      return isExempt(outcome.response, standing) ? [] : judgeRefusal(outcome.response)
  }
}

/** Exempts the identity service, which may answer and fail as it likes but not redirect elsewhere. */
function isExempt({ status }: WireResponse, standing: Standing): boolean {
  return standing === 'pinned' || (standing === 'identity' && (status === 200 || status >= 400))
}

function judgeRefusal(response: WireResponse): Verdict[] {
  const { status } = response
  const verdicts: Verdict[] = []
  if (status === 304)
    verdicts.push({ rule: 'validator', detail: '304: the validator of something that exists' })
  else if (status < 300) verdicts.push({ rule: 'answered', detail: `${status} without a session` })
  else if (status < 400) {
    verdicts.push({ rule: 'redirected', detail: `${status} to ${findHeader(response.headers, 'Location')}` })
  } else if (status >= 500 && status !== 501 && status !== 505) {
    verdicts.push({ rule: 'fault', detail: `${status}: a stranger can cause a fault` })
  }
  const cacheControl = findHeader(response.headers, 'Cache-Control')
  if (!/\bno-store\b/.test(cacheControl ?? '')) {
    verdicts.push({ rule: 'cacheable', detail: `Cache-Control: ${cacheControl ?? 'none'}` })
  }
  for (const name of CONTENT_HEADERS) {
    const value = findHeader(response.headers, name)
    if (value !== null) verdicts.push({ rule: 'validator', detail: `${name}: ${value}` })
  }
  return verdicts
}
