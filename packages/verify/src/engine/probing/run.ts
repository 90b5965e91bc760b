import { encodePath } from '@sekisho/contract/canonical-path'
import type { Language } from '@sekisho/contract/language'
import type { WireClient } from '../../client/client.ts'
import { findHeader, type WireRequest } from '../../client/request.ts'
import type { WireOutcome } from '../../client/response.ts'
import type { ProtectedRelease, ProtectedText } from '../../leaks/protected-release.ts'
import { createFindingList, describeRequest, type FindingList } from '../answers/findings.ts'
import { createInspector } from '../answers/inspector.ts'
import { judge, type Standing } from '../answers/judge.ts'
import { createKnownAnswers, ignoredHeaders, type KnownAnswer } from '../answers/known-answers.ts'
import { createOwnAnswers } from '../answers/own-answers.ts'
import { isProxyAnswer, type Manner } from '../answers/proxy-answers.ts'
import type { Reference } from '../answers/reference.ts'
import type { Effort } from './probes.ts'
import type { Reader } from './reader.ts'
import { listTargets, type Targets } from './targets.ts'
import { createUniformity, type Uniformity } from './uniformity.ts'

export interface VerifyOptions {
  readonly client: WireClient
  /** The Host the gate answers to. */
  readonly host: string
  readonly release: ProtectedRelease
  readonly reference: Reference
  /** Something in front may answer by itself; never true of a gate started for verification. */
  readonly behindProxy: boolean
  /** Null leaves out what only a session can show. */
  readonly reader: Reader | null
  readonly effort: Effort
  /** The operator's language for the login page; null when unknown. */
  readonly loginLanguage: Language | null
  readonly onProgress?: (progress: Progress) => void
}

export interface Progress {
  readonly phase: 'reading' | 'tables' | 'crowd' | 'sessions' | 'raw bytes' | 'surface' | 'comparing'
  readonly requests: number
}

/** One verification under way: what every phase shares. */
export interface Run {
  readonly options: VerifyOptions
  readonly targets: Targets
  readonly findings: FindingList
  readonly uniformity: Uniformity
  /** Answers that decoys got, and what a proxy refused by itself: what nothing looks like. */
  readonly refusals: Set<number>
  /** Counts, recognises, searches and judges one outcome. */
  readonly take: (question: Question, outcome: WireOutcome) => KnownAnswer
  /** Adds text that must not be sent without a session. */
  readonly protect: (text: ProtectedText) => void
  readonly enter: (phase: Progress['phase']) => void
  /** Compares what is left to compare. */
  readonly finish: () => void
  readonly totals: () => Totals
}

/** A request, and where in the tables it comes from. */
export interface Question {
  readonly request: WireRequest
  readonly row: string
  readonly manner: Manner
}

export interface Totals {
  readonly requests: number
  /** Number of distinct answers of the gate. */
  readonly differentAnswers: number
  /** Answers of a proxy in front: rows of the tables, and requests. */
  readonly proxy: { readonly rows: number; readonly requests: number }
}

const PROGRESS_EVERY = 1_000

export function createRun(options: VerifyOptions): Run {
  const { release, reference } = options
  const findings = createFindingList()
  const book = createKnownAnswers(ignoredHeaders(options.behindProxy))
  const uniformity = createUniformity()
  const own = createOwnAnswers(options)
  const moreTexts: ProtectedText[] = []
  const inspector = createInspector({ ...reference, release: withTexts(release, moreTexts), findings })
  const pages = new Set([...release.files.keys(), ...release.redirects.keys()].map(encodePath))
  const refusals = new Set<number>()
  const proxyRows = new Set<string>()
  let proxyRequests = 0
  let requests = 0
  let phase: Progress['phase'] = 'reading'
  const report = () => options.onProgress?.({ phase, requests })

  function take({ request, row, manner }: Question, outcome: WireOutcome): KnownAnswer {
    requests += 1
    if (requests % PROGRESS_EVERY === 0) report()
    const { answer, isNew } = book.identify(outcome)
    const standing = standingOf(request, answer)
    if (isNew) inspector.inspect(answer, { request, row, standing })
    const verdicts = [...judge(outcome, standing), ...(standing === 'identity' ? [] : own.judge(answer))]
    const answered = { manner, outcome, isOurs: isOurs(answer), isAtPage: isAtPage(request) }
    if (verdicts.length > 0 && options.behindProxy && isProxyAnswer(answered)) {
      proxyRows.add(row)
      proxyRequests += 1
      refusals.add(answer.id)
      return answer
    }
    for (const verdict of verdicts) findings.add({ ...verdict, request: describeRequest(request), row })
    return answer
  }

  function standingOf({ method, target }: WireRequest, { outcome, bodySha256 }: KnownAnswer): Standing {
    const isSuccess = outcome.kind === 'response' && outcome.response.status === 200
    if (isSuccess && reference.pinned.has(bodySha256)) return 'pinned'
    return method === 'GET' && reference.identityPaths.has(target) ? 'identity' : 'unknown'
  }

  /** A fault's document holds the request's id, so its bytes are never the same twice. */
  function isOurs({ outcome, bodySha256 }: KnownAnswer): boolean {
    if (outcome.kind !== 'response') return false
    const isProblem = findHeader(outcome.response.headers, 'Content-Type')?.startsWith(
      'application/problem+json',
    )
    return isProblem === true || (outcome.response.body.length > 0 && reference.pinned.has(bodySha256))
  }

  function isAtPage({ method, target }: WireRequest): boolean {
    const line = method === 'RAW' ? target : `${method} ${target} `
    const [, path = ''] = /^(?:GET|HEAD) (\S*) /.exec(line) ?? []
    return pages.has(path)
  }

  return {
    options,
    targets: listTargets(release, options.host),
    findings,
    uniformity,
    refusals,
    take,
    protect: (text) => moreTexts.push(text),
    enter(next) {
      phase = next
      report()
    },
    finish() {
      inspector.finish()
      uniformity.report(findings)
    },
    totals: () => ({
      requests,
      differentAnswers: book.size(),
      proxy: { rows: proxyRows.size, requests: proxyRequests },
    }),
  }
}

function withTexts(release: ProtectedRelease, texts: readonly ProtectedText[]): ProtectedRelease {
  return {
    ...release,
    *storedBytes() {
      yield* release.storedBytes()
      for (const text of texts) yield { ...text, type: 'application/json' }
    },
  }
}
