import { boundFetch, ResponseTooLargeError } from '@sekisho/contract/bounded-fetch'
import { findTlsProblem } from '@sekisho/contract/connection-failure'
import type { Message } from '@sekisho/contract/language'
import { embeddingProblemOf } from '../texts/index.ts'

/** An endpoint of OpenAI's form that turns texts into vectors: its whole address (`…/v1/embeddings`) and its key. */
export interface EmbeddingEndpoint {
  readonly url: string
  /** Sent as a bearer token. */
  readonly key?: string | undefined
}

/** Request to an endpoint. */
interface EmbeddingRequest {
  readonly model: string
  readonly input: readonly string[]
  readonly signal: AbortSignal
}

/** The endpoint gave no vectors. The message has nothing of what was sent, nor of what came. */
export class EmbeddingError extends Error {
  override readonly name = 'EmbeddingError'
  readonly code = 'ERR_EMBEDDING'
  readonly problem: Message
  /** The endpoint's own words where it refused the texts and may take others; null for every other failure. */
  readonly refusal: string | null

  constructor(problem: Message, refusal: string | null = null) {
    super(problem.toString())
    this.problem = problem
    this.refusal = refusal
  }
}

/** Statuses by which endpoints refuse texts, too long ones most of all: vLLM and Ollama 400, others 413 and 422. */
const REFUSING: ReadonlySet<number> = new Set([400, 413, 422])
const MAX_REFUSAL = { read: 4_096, shown: 200 }

const MAX_DIMENSIONS = 8_192
/** Of a response: 8 KB around the vectors, and a number as JSON writes the longest of them. */
const MAX_BYTES = { around: 8_192, number: 26 }
/** No caller waits as long; its signal ends the request. */
const TIMEOUT_MS = 600_000

/** Vectors of texts, in their order. Rejects with {@link EmbeddingError}, also where the signal says that it takes too long. */
export async function embed(
  { url, key }: EmbeddingEndpoint,
  { model, input, signal }: EmbeddingRequest,
): Promise<readonly (readonly number[])[]> {
  const headers = {
    'Content-Type': 'application/json',
    ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
  }
  const body = JSON.stringify({ model, input, encoding_format: 'float' })
  // A redirect would take the texts to a place that nobody named.
  const init = { method: 'POST', headers, body, signal, redirect: 'error' as const }
  let answer: unknown
  try {
    const maxBytes = MAX_BYTES.around + input.length * MAX_DIMENSIONS * MAX_BYTES.number
    const response = await boundFetch(fetch, { maxBytes, timeoutMs: TIMEOUT_MS })(url, init)
    if (!response.ok) {
      const refusal = REFUSING.has(response.status) ? await readRefusal(response) : null
      throw new EmbeddingError(embeddingProblemOf('answered', response.status), refusal)
    }
    answer = await response.json()
  } catch (error) {
    if (error instanceof EmbeddingError) throw error
    if (error instanceof ResponseTooLargeError) throw new EmbeddingError(embeddingProblemOf('other_vectors'))
    const code = signal.aborted ? 'too_slow' : error instanceof SyntaxError ? 'no_json' : 'unreachable'
    throw new EmbeddingError(findTlsProblem(error) ?? embeddingProblemOf(code))
  }
  return readVectors(answer, input.length)
}

/** Reads the beginning of a refusal. It is shown to those who build the site, whose texts it is about. */
async function readRefusal(response: Response): Promise<string> {
  const text = (await response.text()).slice(0, MAX_REFUSAL.read)
  const [, message = text] = /"message"\s*:\s*"((?:[^"\\]|\\.){1,1000})"/.exec(text) ?? []
  return message.replace(/\p{C}/gu, ' ').slice(0, MAX_REFUSAL.shown)
}

function readVectors(answer: unknown, count: number): readonly (readonly number[])[] {
  const { data }: { data?: unknown } = Object(answer)
  const items: readonly { index?: unknown; embedding?: unknown }[] = Array.isArray(data)
    ? data.map(Object)
    : []
  const vectors = items
    .toSorted((a, b) => Number(a.index) - Number(b.index))
    .map(({ embedding }) => embedding)
    .filter(isVector)
  if (vectors.length !== count || vectors.some(({ length }) => length !== vectors[0]?.length))
    throw new EmbeddingError(embeddingProblemOf('other_vectors'))
  return vectors
}

const isVector = (value: unknown): value is readonly number[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= MAX_DIMENSIONS &&
  value.every(Number.isFinite) &&
  value.some((one) => one !== 0)
