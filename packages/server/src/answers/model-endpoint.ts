import { countTokens } from '../agents/mcp/page-text.ts'
import { createTextReader, type ModelUsage } from './stream-dialects.ts'

/** A chat endpoint of OpenAI's form that the operator named. */
export interface ModelEndpoint {
  /** The whole address, `…/v1/chat/completions`. */
  readonly url: string
  readonly model: string
  /** Header and value of the key; null for an endpoint without one. */
  readonly key: readonly [header: string, value: string] | null
}

export interface ModelMessage {
  readonly role: 'system' | 'user'
  readonly content: string
}

interface ModelLimits {
  readonly firstTextMs: number
  readonly totalMs: number
  /** Ends the request upstream, for a reader who left. */
  readonly signal: AbortSignal
}

/** Reason of a failed request; nothing that was sent or received is in it. */
export type ModelFailure = 'unreachable' | 'refused' | 'too_slow' | 'too_long' | 'broken' | 'stopped'

export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly code: ModelFailure
  /** Status of the endpoint's response; null without one. */
  readonly status: number | null

  constructor(code: ModelFailure, status: number | null = null) {
    super(status === null ? code : `${code}: ${status}`)
    this.code = code
    this.status = status
  }
}

/** Bytes of one response; an answer is a hundredth of that. */
const MAX_BYTES = 2_000_000
/** Characters of text, after which the request is ended. */
const MAX_CHARACTERS = 24_000

/**
 * Sends messages and calls `onText` with each piece of the model's text. Resolves to the tokens used, estimated where the endpoint does
 * not count them. Throws {@link ModelError}; the request upstream has ended then.
 */
export async function askModel(
  endpoint: ModelEndpoint,
  messages: readonly ModelMessage[],
  { firstTextMs, totalMs, signal }: ModelLimits,
  onText: (text: string) => void,
): Promise<ModelUsage> {
  const ending = new AbortController()
  let failure: ModelFailure = 'unreachable'
  const end = (code: ModelFailure) => {
    failure = code
    ending.abort()
  }
  const stop = () => end('stopped')
  const first = setTimeout(end, firstTextMs, 'too_slow' satisfies ModelFailure)
  const total = setTimeout(end, totalMs, 'too_slow' satisfies ModelFailure)
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  let characters = 0
  const take = (text: string) => {
    if (text.trim() !== '') clearTimeout(first)
    characters += text.length
    if (characters > MAX_CHARACTERS) throw new ModelError('too_long')
    onText(text)
  }
  try {
    const response = await post(endpoint, messages, ending.signal)
    if (!response.ok) throw new ModelError('refused', response.status)
    failure = 'broken'
    const reader = createTextReader(take)
    let bytes = 0
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength
      if (bytes > MAX_BYTES) throw new ModelError('too_long')
      if (reader.read(chunk)) break
    }
    const usage = reader.end()
    return usage ?? { sent: sumTokens(messages), received: Math.ceil(characters / 2) }
  } catch (error) {
    if (error instanceof ModelError) throw error
    throw new ModelError(failure)
  } finally {
    ending.abort() // what the endpoint would still send is not wanted
    signal.removeEventListener('abort', stop)
    clearTimeout(first)
    clearTimeout(total)
  }
}

export const sumTokens = (messages: readonly ModelMessage[]): number =>
  messages.reduce((sum, { content }) => sum + countTokens(content), 0)

/** A redirect would take questions and passages to a host that the operator did not name. */
function post({ url, model, key }: ModelEndpoint, messages: readonly ModelMessage[], signal: AbortSignal) {
  return fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'text/event-stream',
      ...(key === null ? {} : { [key[0]]: key[1] }),
    },
    body: JSON.stringify({ model, messages, stream: true, stream_options: { include_usage: true } }),
    signal,
    redirect: 'error',
  })
}
