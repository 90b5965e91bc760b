import { ROUTES } from '@sekisho/contract/routes'
import { readSearchResponse, type SearchResponse } from '@sekisho/contract/search-response'
import { findPage, urlOf } from '../../agents/mcp/find-page.ts'
import { type AnswerEvent, answerQuestion } from '../../answers/answer.ts'
import { type AnswerRefusal, createAnswerLimits, createTokenBudget } from '../../answers/answer-limits.ts'
import type { ReadablePages } from '../../answers/passages.ts'
import { createRewriter, type Rewriter } from '../../answers/rewrite.ts'
import type { AuditTrail } from '../../audit/index.ts'
import type { AnswerConfig } from '../../config/answer-settings.ts'
import type { RequestContext } from '../../kernel/boundary.ts'
import { pageStatusOf } from '../../kernel/page-status.ts'
import type { NamedIndex, Reader, ServedEdition } from '../../kernel/reader.ts'
import { recordRead } from '../../kernel/reader-trail.ts'
import { createToday } from '../../kernel/today.ts'
import { accountKey, type DailySum } from '../../state/limits/index.ts'
import type { QueryLog } from '../../state/search-log/index.ts'
import type { Account } from '../../state/sessions/index.ts'
import type { AskedHere } from './read-asked.ts'

interface AnswerServiceOptions {
  readonly config: AnswerConfig
  readonly origin: URL
  readonly searches: {
    run(
      account: Account,
      job: NamedIndex & { readonly query: { q: string; limit: number } },
    ): Promise<{ readonly json: string }>
  }
  readonly audit: Pick<AuditTrail, 'recordReading' | 'defer'>
  readonly queryLog: Pick<QueryLog, 'searched'>
  readonly answerTokens: DailySum | null
  /** Keyed digest of a question, for the audit trail. */
  readonly digest: (text: string) => string
  readonly now: () => number
  /** IANA name. */
  readonly timeZone: string
}

/** A question of a signed-in reader, and the edition that answers it. */
interface Asking {
  readonly asked: AskedHere
  readonly reader: Reader
  readonly served: ServedEdition
  readonly context: RequestContext
  /** Ends the answer: its reader left. */
  readonly signal: AbortSignal
}

/** Answers questions within the limits of an account, of the endpoint and of the day. */
export interface AnswerService {
  /** Null when the answer may begin; then `answer` has to follow. */
  admit(account: Account): AnswerRefusal | null
  answer(asking: Asking, emit: (event: AnswerEvent) => void): Promise<void>
  readonly rewriter: Rewriter
  /** The same limits, tokens and rewriter, for the readers of another host. */
  on(host: Pick<AnswerServiceOptions, 'origin' | 'searches' | 'audit' | 'queryLog'>): AnswerService
  /** Ends every answer; their readers are told. */
  close(): void
}

const FAILURES: ReadonlySet<string> = new Set(['unreachable', 'refused', 'too_slow', 'broken'])

export function createAnswerService(options: AnswerServiceOptions): AnswerService {
  const { config, answerTokens, digest, now } = options
  const budget = createTokenBudget(config.tokensADay, answerTokens, now)
  const limits = createAnswerLimits({ budget, now })
  const rewriter = createRewriter({ endpoint: config.endpoint, now, budget })
  const closing = new AbortController()
  const today = createToday(options)

  async function run(
    { asked, reader, served, context, signal }: Asking,
    host: AnswerServiceOptions,
    emit: (event: AnswerEvent) => void,
  ) {
    const { audit, queryLog } = host
    await audit.defer() // throws while the trail cannot be written
    const pages = readablePages(served, asked, reader.account, { ...host, today: today() })
    const limited = { ...config, rewriter, signal: AbortSignal.any([signal, closing.signal]) }
    const { passages, sent, received, outcome } = await answerQuestion(asked, pages, limited, emit)
    budget.spend(sent + received)
    if (outcome === 'not_found')
      queryLog.searched(context.requestId, reader.account, {
        q: asked.question,
        hits: 0,
        edition: served.name,
      })
    await recordRead(audit, {
      event: 'answer_read',
      reader,
      path: ROUTES.answers.path,
      context,
      more: {
        question: digest(asked.question),
        outcome,
        model: config.endpoint.model,
        sent,
        received,
        passages: [...new Set(passages.map((one) => `${one.path} ${one.sha256.slice(0, 16)}`))],
      },
    })
    return outcome
  }

  const serve = (host: AnswerServiceOptions): AnswerService => ({
    rewriter,
    on: (other) => serve({ ...host, ...other }),
    admit: (account) => limits.enter(accountKey(account)),
    async answer(asking, emit) {
      let outcome = ''
      try {
        outcome = await run(asking, host, emit)
      } finally {
        limits.leave(FAILURES.has(outcome))
      }
    },
    close: () => closing.abort(),
  })
  return serve(options)
}

/** Pages of the edition that this request is served, and of no other; obsolete ones are neither found nor read. */
function readablePages(
  served: ServedEdition,
  { base }: AskedHere,
  account: Account,
  { origin, searches, today }: AnswerServiceOptions & { readonly today: string },
): ReadablePages {
  const index = served.search(base)
  const { files } = served.edition
  const isObsolete = (path: string) => pageStatusOf(files.get(path), today)?.obsolete === true
  return {
    async search(q, limit): Promise<SearchResponse | null> {
      if (index === null) return null
      const { json } = await searches.run(account, { ...index, query: { q, limit } })
      const response = readSearchResponse(JSON.parse(json))
      return response && { ...response, results: response.results.filter(({ id }) => !isObsolete(id)) }
    },
    async read(page) {
      const found = findPage(served, page, origin)
      const file = found === null ? undefined : files.get(found.path)
      const markdown = found === null ? null : await served.markdown(found.path)
      if (found === null || file === undefined || markdown === null || isObsolete(found.path)) return null
      const { pathname } = new URL(urlOf({ path: found.path, anchor: '' }, origin))
      return { path: found.path, title: found.title, url: pathname, sha256: file.sha256, markdown }
    },
  }
}
