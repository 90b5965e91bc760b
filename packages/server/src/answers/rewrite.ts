import { askModel, type ModelEndpoint, sumTokens } from './model-endpoint.ts'
import { rewriteMessages } from './prompt.ts'
import { parseRecord } from './stream-dialects.ts'

/** Short queries for a question, by the operator's model. */
export interface Rewriter {
  /** Empty if there are none in time; never throws. */
  rewrite(question: string, signal?: AbortSignal): Promise<readonly string[]>
}

const TIMEOUT_MS = 1_200
const AT_ONCE = 4
const MAX_KEPT = 2_000
const KEPT_MS = 24 * 3_600_000
const FAILED_MS = 60_000
const MAX_FAILURES = 5
const REST_MS = 30_000
const MAX_QUERIES = 3
const MAX_CHARACTERS = 60

interface Kept {
  readonly queries: Promise<readonly string[] | null>
  untilMs: number
}

interface RewriterOptions {
  readonly endpoint: ModelEndpoint
  readonly now: () => number
  readonly timeoutMs?: number
  /** Tokens of each request, for the daily budget; returns false when it is used up. */
  readonly budget: { readonly hasRoom: () => boolean; readonly spend: (tokens: number) => void }
}

/** Creates a rewriter that remembers queries, and rests after five failures in a row. */
export function createRewriter(options: RewriterOptions): Rewriter {
  const { endpoint, now, timeoutMs = TIMEOUT_MS, budget } = options
  const kept = new Map<string, Kept>()
  let underWay = 0
  let failures = 0
  let restsUntilMs = 0

  async function ask(question: string): Promise<readonly string[] | null> {
    underWay += 1
    const messages = rewriteMessages(question)
    let text = ''
    try {
      const limits = { firstTextMs: timeoutMs, totalMs: timeoutMs, signal: new AbortController().signal }
      const usage = await askModel(endpoint, messages, limits, (part) => {
        text += part
      })
      budget.spend(usage.sent + usage.received)
      failures = 0
      return readQueries(text, question)
    } catch {
      budget.spend(sumTokens(messages))
      failures += 1
      if (failures >= MAX_FAILURES) restsUntilMs = now() + REST_MS
      return null
    } finally {
      underWay -= 1
    }
  }

  return {
    async rewrite(question) {
      const key = question.trim().normalize('NFKC')
      const known = kept.get(key)
      if (known !== undefined && known.untilMs > now()) return (await known.queries) ?? []
      if (!isSentence(key) || underWay >= AT_ONCE || now() < restsUntilMs || !budget.hasRoom()) return []
      const entry: Kept = { queries: ask(key), untilMs: now() + KEPT_MS }
      kept.delete(key)
      kept.set(key, entry)
      if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value ?? '')
      const queries = await entry.queries
      if (queries === null) entry.untilMs = now() + FAILED_MS
      return queries ?? []
    },
  }
}

const QUERY_OPERATORS = /["“”「」]|(?<!\S)-/

/** Tells if a query reads like a sentence: at least three hiragana and nine characters, or four words. Pasted lines and operators do not. */
export function isSentence(q: string): boolean {
  const text = q.trim()
  if (text.length > 200 || text.includes('\n') || QUERY_OPERATORS.test(text)) return false
  const hiragana = text.match(/\p{Script=Hiragana}/gu)?.length ?? 0
  return (hiragana >= 3 && text.length >= 9) || text.split(/\s+/).length >= 4
}

/** Rewrites are words, never operators of the search. */
function readQueries(text: string, question: string): readonly string[] {
  const [json = ''] = /\{[^{}]*\}/.exec(text) ?? []
  const queries = parseRecord(json)?.queries
  const plain = (Array.isArray(queries) ? queries : [])
    .filter((query) => typeof query === 'string')
    .map((query) =>
      query
        .replace(/["“”「」\p{C}]/gu, ' ')
        .replace(/(?<!\S)-+/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    )
  return [...new Set(plain)]
    .filter((query) => query !== '' && query.length <= MAX_CHARACTERS && query !== question)
    .slice(0, MAX_QUERIES)
}
