import { type EmbeddingEndpoint, type EmbeddingModel, embed } from '@sekisho/search/embeddings'

/** Vectors of what readers ask. */
export interface QuestionVectors {
  /** Null when there is none in time: then the question is answered by its words. */
  vectorOf(model: EmbeddingModel, question: string): Promise<readonly number[] | null>
}

/** So long a question waits for its vector. */
const ANSWER_MS = 150
/** More at once would wait for each other. */
const MAX_ASKED = 8
/** After so many in a row that did not come, nobody waits for the next ones for a while. */
const MAX_FAILED = 5
const REST_MS = 30_000
const MAX_KEPT = 500
/** One character says nothing that a word does not. */
const MIN_CHARACTERS = 2

/** Asks an endpoint, remembers what it said last, and lets it rest when it does not answer. */
export function createQuestionVectors(
  endpoint: EmbeddingEndpoint,
  { now = () => performance.now(), answerMs = ANSWER_MS }: { now?: () => number; answerMs?: number } = {},
): QuestionVectors {
  const kept = new Map<string, Promise<readonly number[] | null>>()
  let asked = 0
  let failed = 0
  let restsUntilMs = 0

  async function ask(model: string, text: string): Promise<readonly number[] | null> {
    asked += 1
    try {
      const signal = AbortSignal.timeout(answerMs)
      const [vector = null] = await embed(endpoint, { model, input: [text], signal })
      failed = 0
      return vector
    } catch {
      failed += 1
      if (failed >= MAX_FAILED) restsUntilMs = now() + REST_MS
      return null
    } finally {
      asked -= 1
    }
  }

  return {
    async vectorOf({ model, queryPrefix }, question) {
      const text = question.trim()
      const key = JSON.stringify([model, queryPrefix, text])
      const known = kept.get(key)
      if (known !== undefined) return known
      if (text.length < MIN_CHARACTERS || asked >= MAX_ASKED || now() < restsUntilMs) return null
      const coming = ask(model, queryPrefix + text)
      kept.set(key, coming)
      const vector = await coming
      if (vector === null) kept.delete(key)
      for (const oldest of kept.keys()) {
        if (kept.size <= MAX_KEPT) break
        kept.delete(oldest)
      }
      return vector
    },
  }
}
