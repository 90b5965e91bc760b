import type { AnswerEvent } from '../answers/answer.ts'
import type { ModelEndpoint } from '../answers/model-endpoint.ts'
import { createAnswerService } from '../endpoints/answers/answer-service.ts'
import { createFairSearches } from '../endpoints/search/fair-searches.ts'
import { createSearchRunner } from '../endpoints/search/search-runner.ts'
import { openReleases } from '../releases/open-releases.ts'
import { everybodysEdition, readerOf, SESSION } from './reader.ts'

/** One answer, and the tokens that the trail records for it. */
interface TestAnswer {
  readonly events: readonly AnswerEvent[]
  readonly tokens: number
}

/** Answers questions of readers without a group over the current release of a folder, with a chat endpoint and without limits. */
export async function openAnswers(releasesDir: string, endpoint: ModelEndpoint) {
  await using cleanup = new AsyncDisposableStack()
  const served = await everybodysEdition(await openReleases({ releasesDir }))
  if (served === null) throw new Error('the release has no edition for every reader')
  const runner = cleanup.adopt(createSearchRunner(), (started) => started.close())
  let tokens = 0
  let asked = 0
  const service = cleanup.adopt(
    createAnswerService({
      config: {
        ...{ endpoint, rewritesOnly: false, tokensADay: Number.POSITIVE_INFINITY },
        ...{ firstTextMs: 60_000, totalMs: 120_000 },
      },
      origin: new URL('https://portal.test'),
      searches: createFairSearches(runner),
      audit: {
        defer: () => null,
        recordReading({ more }) {
          tokens = Number(more?.sent) + Number(more?.received)
          return null
        },
      },
      queryLog: { searched() {} },
      answerTokens: null,
      ...{ digest: (text) => text, now: Date.now, timeZone: 'Asia/Tokyo' },
    }),
    (started) => started.close(),
  )
  const resources = cleanup.move()
  return {
    async ask(question: string): Promise<TestAnswer> {
      const events: AnswerEvent[] = []
      asked += 1
      const reader = readerOf(served, { ...SESSION, sub: `reader ${asked}` })
      service.admit(reader.account)
      await service.answer(
        {
          asked: { question, page: '', selection: '', base: '/', turns: [] },
          ...{ reader, served, signal: new AbortController().signal },
          context: { clientAddress: '', isReader: true, requestId: 'r' },
        },
        (event) => events.push(event),
      )
      return { events, tokens }
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
