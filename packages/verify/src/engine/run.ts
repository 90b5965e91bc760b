import type { WireClient } from '../client/client.ts'
import type { WireOutcome, WireRequest } from '../client/messages.ts'
import type { ProtectedRelease } from '../leaks/protected-text.ts'
import { createAnswerBook, type KnownAnswer } from './answer-book.ts'
import { createFindingList, type FindingList } from './findings.ts'
import { createInspector } from './inspector.ts'
import { judge, type Standing } from './judge.ts'
import type { Effort } from './probes.ts'
import type { Reference } from './reference.ts'
import { describeRequest } from './request-line.ts'
import { listTargets, type Targets } from './targets.ts'
import { createUniformity, type Uniformity } from './uniformity.ts'

export interface VerifyOptions {
  readonly client: WireClient
  /** The Host the gate answers to. */
  readonly host: string
  readonly release: ProtectedRelease
  readonly reference: Reference
  readonly effort: Effort
  readonly onProgress?: (progress: Progress) => void
}

export interface Progress {
  readonly phase: 'tables' | 'raw bytes' | 'surface' | 'comparing'
  readonly requests: number
}

/** One verification under way: what every phase shares. */
export interface Run {
  readonly options: VerifyOptions
  readonly targets: Targets
  readonly findings: FindingList
  readonly uniformity: Uniformity
  /** Answers that decoys got: what nothing looks like. */
  readonly refusals: Set<number>
  /** Counts, recognises, searches and judges one outcome. */
  readonly take: (request: WireRequest, row: string, outcome: WireOutcome) => KnownAnswer
  readonly enter: (phase: Progress['phase']) => void
  /** Compares what is left to compare. */
  readonly finish: () => void
  readonly totals: () => { readonly requests: number; readonly differentAnswers: number }
}

const PROGRESS_EVERY = 1_000

export function createRun(options: VerifyOptions): Run {
  const { release, reference } = options
  const findings = createFindingList()
  const book = createAnswerBook()
  const uniformity = createUniformity()
  const inspector = createInspector({ ...reference, release, findings })
  let requests = 0
  let phase: Progress['phase'] = 'tables'
  const report = () => options.onProgress?.({ phase, requests })

  function take(request: WireRequest, row: string, outcome: WireOutcome): KnownAnswer {
    requests += 1
    if (requests % PROGRESS_EVERY === 0) report()
    const { answer, isNew } = book.identify(outcome)
    const standing = standingOf(request, answer)
    if (isNew) inspector.inspect(answer, { request, row, standing })
    for (const verdict of judge(outcome, standing)) {
      findings.add({ ...verdict, request: describeRequest(request), row })
    }
    return answer
  }

  function standingOf({ method, target }: WireRequest, { outcome, bodySha256 }: KnownAnswer): Standing {
    const isSuccess = outcome.kind === 'answer' && outcome.answer.status === 200
    if (isSuccess && reference.pinned.has(bodySha256)) return 'pinned'
    return method === 'GET' && reference.identityPaths.has(target) ? 'identity' : 'unknown'
  }

  return {
    options,
    targets: listTargets(release, options.host),
    findings,
    uniformity,
    refusals: new Set(),
    take,
    enter(next) {
      phase = next
      report()
    },
    finish() {
      inspector.finish()
      uniformity.report(findings)
    },
    totals: () => ({ requests, differentAnswers: book.size() }),
  }
}
