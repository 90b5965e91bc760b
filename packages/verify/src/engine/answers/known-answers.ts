import { hash } from 'node:crypto'
import type { WireOutcome, WireResponse } from '../../client/response.ts'

/** Differs from answer to answer and says nothing about the request. */
const VOLATILE = ['date']
/** A proxy's own: its name of a request, how long a connection lasts, and where else it listens, which it may say in a 100 as well. */
const OF_PROXIES = ['x-request-id', 'connection', 'keep-alive', 'alt-svc']

export const ignoredHeaders = (behindProxy: boolean): ReadonlySet<string> =>
  new Set(behindProxy ? [...VOLATILE, ...OF_PROXIES] : VOLATILE)

/** One of the few different things a gate says to strangers. */
export interface KnownAnswer {
  readonly id: number
  readonly outcome: WireOutcome
  /** Status and headers, one per line, without the volatile ones. */
  readonly headerSection: string
  readonly bodySha256: string
}

/** Tells answers apart: same status, same headers in the same order, same body. */
interface KnownAnswers {
  /** Returns the known answer, and whether this is the first time it is seen. */
  readonly identify: (outcome: WireOutcome) => { readonly answer: KnownAnswer; readonly isNew: boolean }
  readonly size: () => number
}

/** `ignored` names headers, in lower case, by which answers are not told apart. */
export function createKnownAnswers(ignored: ReadonlySet<string>): KnownAnswers {
  const byHeaders = new Map<string, { first: KnownAnswer; body: Buffer; others: Map<string, KnownAnswer> }>()
  let nextId = 0
  const known = (outcome: WireOutcome, headerSection: string, bodySha256: string): KnownAnswer => {
    nextId += 1
    return { id: nextId, outcome, headerSection, bodySha256 }
  }
  return {
    size: () => nextId,
    identify(outcome) {
      const headerSection = headerSectionOf(outcome, ignored)
      const body = outcome.kind === 'response' ? outcome.response.body : outcome.bytes
      const entry = byHeaders.get(headerSection)
      if (entry?.body.equals(body)) return { answer: entry.first, isNew: false }
      const digest = hash('sha256', body)
      const other = entry?.others.get(digest)
      if (other !== undefined) return { answer: other, isNew: false }
      const answer = known(outcome, headerSection, digest)
      if (entry === undefined) byHeaders.set(headerSection, { first: answer, body, others: new Map() })
      else entry.others.set(digest, withoutBody(answer))
      return { answer, isNew: true }
    },
  }
}

function headerSectionOf(outcome: WireOutcome, ignored: ReadonlySet<string>): string {
  return outcome.kind === 'response' ? headerLines(outcome.response, ignored) : outcome.kind
}

function headerLines(response: WireResponse, ignored: ReadonlySet<string>): string {
  let text = String(response.status)
  for (const [name, value] of response.headers) {
    if (!ignored.has(name.toLowerCase())) text += `\n${name}: ${value}`
  }
  for (const [name, value] of response.interim) {
    if (!ignored.has(name.toLowerCase())) text += `\ninterim ${name}: ${value}`
  }
  return text
}

/** Bodies of a leaking gate are many and long: only the first of each header section is kept. */
function withoutBody(answer: KnownAnswer): KnownAnswer {
  if (answer.outcome.kind !== 'response') return answer
  const { response: full } = answer.outcome
  return { ...answer, outcome: { kind: 'response', response: { ...full, body: Buffer.alloc(0) } } }
}
