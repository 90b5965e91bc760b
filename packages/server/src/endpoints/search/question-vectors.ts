import {
  type EmbeddingEndpoint,
  embed,
  type IndexedModel,
  isSameModel,
  PROBE,
} from '@sekisho/search/embeddings'

/** Vectors of what readers ask. */
interface QuestionVectors {
  /** Null when there is none in time: then the question is answered by its words. */
  vectorOf(model: IndexedModel, question: string): Promise<readonly number[] | null>
}

/** So long a question waits for its vector. */
const ANSWER_MS = 150
/** More at once would wait for each other. */
const MAX_ASKED = 8
/** Number of consecutive failures after which questions skip vectors for a while. */
const MAX_FAILED = 5
const REST_MS = 30_000
const MAX_KEPT = 500
/** A model that is not the index's is asked for again after this time: the endpoint or the release may change. */
const OTHER_MODEL_MS = 60_000
const STEP_MS = 10
/** One character says nothing that a word does not. */
const MIN_CHARACTERS = 2

/**
 * A signal that aborts when an endpoint has had so long. Time in which this thread searched and could read no answer is its own: of
 * two steps between which it was busy only two steps count.
 */
function endpointTimeout(ms: number): { readonly signal: AbortSignal; stop(): void } {
  const controller = new AbortController()
  let spentMs = 0
  let lastMs = performance.now()
  const timer = setInterval(() => {
    const nowMs = performance.now()
    spentMs += Math.min(nowMs - lastMs, 2 * STEP_MS)
    lastMs = nowMs
    if (spentMs >= ms) controller.abort()
  }, STEP_MS)
  return { signal: controller.signal, stop: () => clearInterval(timer) }
}

/** Asks an endpoint, remembers what it said last, and lets it rest when it does not answer. */
export function createQuestionVectors(
  endpoint: EmbeddingEndpoint,
  {
    now = () => performance.now(),
    answerMs = ANSWER_MS,
    onProblem = () => {},
  }: { now?: () => number; answerMs?: number; onProblem?: (message: string) => void } = {},
): QuestionVectors {
  const kept = new Map<string, Promise<readonly number[] | null>>()
  let asked = 0
  let failed = 0
  let restsUntilMs = 0

  /** Time and result of each index's last comparison with the answering model; vectors of two models do not compare. */
  const compared = new Map<string, { readonly isSame: boolean; readonly atMs: number }>()

  async function embedInTime(
    model: string,
    input: readonly string[],
  ): Promise<readonly (readonly number[])[]> {
    asked += 1
    const { signal, stop } = endpointTimeout(answerMs)
    try {
      const vectors = await embed(endpoint, { model, input, signal })
      failed = 0
      return vectors
    } catch {
      failed += 1
      if (failed === MAX_FAILED) onProblem('the embeddings endpoint did not answer five times in a row')
      if (failed >= MAX_FAILED) restsUntilMs = now() + REST_MS
      return []
    } finally {
      stop()
      asked -= 1
    }
  }

  async function ask({ model, probe }: IndexedModel, text: string): Promise<readonly number[] | null> {
    const known = probe === undefined ? undefined : compared.get(probe)
    const isKnown = known !== undefined && (known.isSame || now() < known.atMs + OTHER_MODEL_MS)
    if (known !== undefined && isKnown && !known.isSame) return null
    if (probe === undefined || isKnown) return (await embedInTime(model, [text]))[0] ?? null
    const [vector, ofProbe] = await embedInTime(model, [text, PROBE])
    if (vector === undefined || ofProbe === undefined) return null
    const isSame = isSameModel(probe, ofProbe)
    if (!isSame) onProblem(`the embeddings endpoint answers with another model than the index of ${model}`)
    compared.clear()
    compared.set(probe, { isSame, atMs: now() })
    return isSame ? vector : null
  }

  return {
    async vectorOf(indexed, question) {
      const { model, queryPrefix, probe } = indexed
      const text = question.trim()
      const key = JSON.stringify([model, probe, queryPrefix, text])
      const known = kept.get(key)
      if (known !== undefined) return known
      if (text.length < MIN_CHARACTERS || asked >= MAX_ASKED || now() < restsUntilMs) return null
      const coming = ask(indexed, queryPrefix + text)
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
