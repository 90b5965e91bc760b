import { type CheckedSentence, createSentenceCheck } from './check-sentence.ts'
import { isCovered } from './coverage.ts'
import { askModel, type ModelEndpoint, ModelError, type ModelFailure, sumTokens } from './model-endpoint.ts'
import {
  type AskedQuestion,
  type FoundPassages,
  findPassages,
  type Passage,
  type ReadablePages,
} from './passages.ts'
import { answerMessages } from './prompt.ts'
import { createAnswerReader } from './read-answer.ts'
import type { Rewriter } from './rewrite.ts'

/** Events of one answer, in this order: sources once, sentences, the end. */
export type AnswerEvent =
  | { readonly event: 'sources'; readonly sources: readonly AnswerSource[] }
  | ({ readonly event: 'sentence' } & CheckedSentence)
  | AnswerEnd

/** A heading that an answer may cite, as the server knows it. */
export type AnswerSource = Pick<Passage, 'n' | 'title' | 'heading' | 'url' | 'updated'>

export interface AnswerEnd {
  readonly event: 'end'
  readonly outcome: 'answered' | 'not_found' | ModelFailure
  /** Sentences that no source confirmed. */
  readonly dropped: number
  readonly nearest: FoundPassages['nearest']
}

/** Facts about an answer for the audit trail. */
interface AnswerRecord {
  readonly passages: readonly Passage[]
  readonly sent: number
  readonly received: number
  readonly outcome: AnswerEnd['outcome']
}

interface AnswerOptions {
  readonly endpoint: ModelEndpoint
  readonly rewriter: Rewriter
  readonly firstTextMs: number
  readonly totalMs: number
  readonly signal: AbortSignal
}

/** Answers one question from one reader's pages; `emit` gets each event as soon as it is certain. */
export async function answerQuestion(
  asked: AskedQuestion,
  pages: ReadablePages,
  options: AnswerOptions,
  emit: (event: AnswerEvent) => void,
): Promise<AnswerRecord> {
  const rewriting = options.rewriter.rewrite(asked.question)
  const { passages: found, nearest } = await findPassages(asked, rewriting, pages)
  const passages = pointsAtSomething(asked) || isCovered(asked.question, await rewriting, found) ? found : []
  const record = { passages, sent: 0, received: 0 }
  const finish = (outcome: AnswerEnd['outcome'], dropped: number) =>
    emit({ event: 'end', outcome, dropped, nearest })
  if (passages.length === 0) {
    finish('not_found', 0)
    return { ...record, outcome: 'not_found' }
  }
  emit({ event: 'sources', sources: passages.map(describe) })

  const check = createSentenceCheck(asked.question, passages)
  let subject = ''
  let shown = 0
  let dropped = 0
  const reader = createAnswerReader({
    onSubject: (named) => {
      subject = named
    },
    onSentence(sentence) {
      const checked = check(sentence, subject)
      if (checked === null) dropped += 1
      else {
        shown += 1
        emit({ event: 'sentence', ...checked })
      }
    },
  })
  const messages = answerMessages(asked, passages)
  try {
    const usage = await askModel(options.endpoint, messages, options, reader.read)
    const outcome = shown > 0 ? 'answered' : 'not_found'
    finish(outcome, dropped)
    return { ...record, ...usage, outcome }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    finish(error.code, dropped)
    return { ...record, sent: sumTokens(messages), outcome: error.code }
  }
}

/** Questions about the open page, a selection or an earlier answer need not name their subject. */
function pointsAtSomething({ question, page, selection, turns }: AskedQuestion): boolean {
  const isPointing = /こ[のれこち]|\b(?:this|these|here)\b/i.test(question)
  return selection !== '' || turns.length > 0 || (page !== '' && isPointing)
}

const describe = ({ n, title, heading, url, updated }: Passage): AnswerSource => ({
  n,
  title,
  heading,
  url,
  updated,
})
