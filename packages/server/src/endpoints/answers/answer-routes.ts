import { readFileSync } from 'node:fs'
import { brotliCompressSync } from 'node:zlib'
import type { ProblemCode } from '@sekisho/contract/problems'
import { ROUTES } from '@sekisho/contract/routes'
import { BytesResponse, type GateResponse } from '@sekisho/wire'
import type { AnswerEvent } from '../../answers/answer.ts'
import type { AnswerRefusal } from '../../answers/answer-limits.ts'
import type { RequestContext } from '../../kernel/boundary.ts'
import { isFromReader } from '../../kernel/client/fetch-metadata.ts'
import { readFormBody, readJsonBody } from '../../kernel/json-body.ts'
import { problem } from '../../kernel/pages/problem.ts'
import type { Reader, ServedEdition } from '../../kernel/reader.ts'
import { type ReaderHandler, type RouteTable, readerRoute } from '../../kernel/route-table.ts'
import type { QueryLog } from '../../state/search-log/index.ts'
import type { AnswerService } from './answer-service.ts'
import { askPage, createAnswerHtml, scriptTexts } from './ask-page.ts'
import { type AskedHere, readAsked, readFeedback } from './read-asked.ts'

interface AnswerRoutesOptions {
  readonly answers: AnswerService
  readonly queryLog: Pick<QueryLog, 'searched'>
  /** IANA name, for the time after which a reader can ask again. */
  readonly timeZone: string
  readonly now: () => number
}

const REFUSALS: Readonly<Record<AnswerRefusal['reason'], ProblemCode>> = {
  account: 'too_many_requests',
  busy: 'answers_busy',
  budget: 'answers_budget',
  resting: 'answers_unavailable',
}

/** Comments keep proxies from ending a stream that says nothing for a while. */
const KEEP_ALIVE_MS = 10_000

/** Binds questions as an event stream, the page that asks without a script, and the panel that every page can load. */
export function createAnswerRoutes(options: AnswerRoutesOptions): RouteTable {
  const { answers, queryLog, now } = options
  const clock = new Intl.DateTimeFormat('ja', { timeStyle: 'short', timeZone: options.timeZone })
  const clockTime = (waitSeconds: number) => clock.format(now() + waitSeconds * 1_000 + 59_999)
  const script = readFileSync(new URL('./browser/ask.js', import.meta.url), 'utf8')
    .replace("'%texts%'", JSON.stringify(scriptTexts()))
    .replace('%answers%', ROUTES.answers.path)
    .replace('%feedback%', ROUTES.answersFeedback.path)
  const body = new Uint8Array(Buffer.from(script.replace(/^[ \t]*\/[/*].*$/gm, '').replace(/^\s+/gm, ''))) // as small as a page may load

  /** Begins an answer; a code when there is none, with seconds after which to ask again. */
  function begin({
    account,
  }: Reader): { readonly refused: ProblemCode; readonly waitSeconds: number } | null {
    const refusal = answers.admit(account)
    return refusal && { refused: REFUSALS[refusal.reason], waitSeconds: refusal.waitSeconds }
  }

  const ask: ReaderHandler = async (request, reader, context) => {
    const sent = await readJsonBody(request, ROUTES.answers.maxBodyBytes)
    if (sent.kind !== 'read') return problem(sent.kind === 'too_large' ? 'too_large' : 'bad_request')
    const asked = readAsked(sent.value)
    if (asked === null) return problem('bad_request')
    const { served } = reader
    if (served === null) return problem('unavailable')
    const refusal = begin(reader)
    if (refusal !== null)
      return problem(refusal.refused, { headers: { 'Retry-After': String(refusal.waitSeconds) } })
    const asking = { asked, reader, served, context }
    return stream('text/event-stream', (signal, write) => {
      const beat = setInterval(write, KEEP_ALIVE_MS, ':\n\n')
      const emit = (event: AnswerEvent) => write(`data: ${JSON.stringify(event)}\n\n`)
      return answers.answer({ ...asking, signal }, emit).finally(() => clearInterval(beat))
    })
  }

  const showPage: ReaderHandler = (request, { served }) => {
    const site = served?.site ?? null
    const { searchParams } = new URL(request.url)
    const [start, end] = askPage({
      site,
      question: (searchParams.get('q') ?? '').slice(0, 500),
      page: (searchParams.get('page') ?? '').slice(0, 1_000),
      startsAtOnce: searchParams.has('q') && isFromReader(request),
    })
    return new BytesResponse(start.text + end, { headers: start.headers })
  }

  /** The page without a script: a form, answered by a page that grows while the answer comes. */
  const askByForm: ReaderHandler = async (request, reader, context) => {
    const form = await readFormBody(request, ROUTES.ask.maxBodyBytes)
    const asked =
      form === null ? null : readAsked({ ...Object.fromEntries(form), base: form.get('page') || '/' })
    const { served } = reader
    if (asked === null) return problem('bad_request')
    if (served === null) return problem('unavailable')
    return answerPage(asked, served, reader, context)
  }

  function answerPage(
    asked: AskedHere,
    served: ServedEdition,
    reader: Reader,
    context: RequestContext,
  ): GateResponse {
    const { site } = served
    const [start, end] = askPage({ site, question: asked.question, page: asked.page })
    const show = createAnswerHtml(site, clockTime)
    const refusal = begin(reader)
    if (refusal !== null) {
      const shown = start.text + show(refusal).text + end
      const headers = { ...start.headers, 'Retry-After': String(refusal.waitSeconds) }
      const status = refusal.refused === 'too_many_requests' ? 429 : 503
      return new BytesResponse(shown, { status, headers })
    }
    return stream(
      'text/html; charset=utf-8',
      async (signal, write) => {
        write(start.text)
        const asking = { asked, reader, served, context, signal }
        await answers.answer(asking, (event) => write(show(event).text))
        write(end)
      },
      start.headers,
    )
  }

  const noteFeedback: ReaderHandler = async (request, { served, account }, { requestId }) => {
    const sent = await readJsonBody(request, ROUTES.answersFeedback.maxBodyBytes)
    const entry = sent.kind === 'read' ? readFeedback(sent.value) : null
    if (entry === null) return problem('bad_request')
    if (!entry.helpful && served !== null)
      queryLog.searched(requestId, account, { q: entry.question, hits: 0, edition: served.name })
    return new Response(null, { status: 204 })
  }

  const packed = new Uint8Array(brotliCompressSync(body))
  const headers = { 'Content-Type': 'text/javascript; charset=utf-8', Vary: 'Accept-Encoding' }
  const sendScript: ReaderHandler = ({ headers: wanted }) =>
    /\bbr\b/.test(wanted.get('accept-encoding') ?? '')
      ? new BytesResponse(packed, { headers: { ...headers, 'Content-Encoding': 'br' } })
      : new BytesResponse(body, { headers })
  return new Map([
    readerRoute(ROUTES.answers, { POST: ask }),
    readerRoute(ROUTES.answersFeedback, { POST: noteFeedback }),
    readerRoute(ROUTES.ask, { GET: showPage, HEAD: showPage, POST: askByForm }),
    readerRoute(ROUTES.askScript, { GET: sendScript, HEAD: sendScript }),
  ])
}

/** A response whose body is written while it is sent; `run` is told when its reader leaves. */
function stream(
  type: string,
  run: (signal: AbortSignal, write: (text: string) => void) => Promise<void>,
  headers: Readonly<Record<string, string>> = {},
): GateResponse {
  const left = new AbortController()
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string) => {
        if (!left.signal.aborted) controller.enqueue(encoder.encode(text))
      }
      run(left.signal, write).then(
        () => left.signal.aborted || controller.close(),
        (error) => controller.error(error),
      )
    },
    cancel: () => left.abort(),
  })
  return new Response(body, { headers: { ...headers, 'Content-Type': type, 'X-Accel-Buffering': 'no' } })
}
