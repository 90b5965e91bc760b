import type { MessageOrText } from '@sekisho/contract/language'
import { vocabularyProblemOf } from '../texts/index.ts'

/** Embedding model of a site, from its config. */
export interface EmbeddingModel {
  readonly model: string
  /** Prefixes that the model expects before a question (`query: ` of E5) and before a text of a page. */
  readonly queryPrefix: string
  readonly documentPrefix: string
  /** The longest text to send, in UTF-16 units; absent where passages of the usual length are right. */
  readonly maxCharacters?: number
}

/** A model as an index names it. */
export interface IndexedModel extends EmbeddingModel {
  /** Its vector of {@link PROBE}, packed, in base64; by it a changed model of the same name is told. Absent from older indexes. */
  readonly probe?: string
}

/** A text whose vector tells models apart. */
export const PROBE = 'The quick brown fox jumps over the lazy dog. いろはにほへと ちりぬるを 0123456789'

/** A model, and where it is asked while pages are indexed. */
export interface EmbeddingSource extends EmbeddingModel {
  readonly url: string
}

const KEYS = ['url', 'model', 'queryPrefix', 'documentPrefix'] as const
const CHARACTERS = { least: 100, most: 100_000 }
const MAX_LENGTH = 1_000

/** Reads `embeddings` of a site's config; null, with a problem, for what cannot be used. */
export function readEmbeddingSource(input: unknown, problems: MessageOrText[]): EmbeddingSource | null {
  const { maxCharacters, ...others } = Object(input)
  const given: Record<string, unknown> = { queryPrefix: '', documentPrefix: '', ...others }
  const isKnown = Object.keys(given).every((key) => KEYS.some((known) => known === key))
  const texts = KEYS.map((key) => given[key])
  const isRight = isKnown && texts.every((text) => typeof text === 'string' && text.length <= MAX_LENGTH)
  const [url = '', model = '', queryPrefix = '', documentPrefix = ''] = texts.map(String)
  const length = { ...(maxCharacters !== undefined && { maxCharacters }) }
  if (isRight && isLength(maxCharacters) && isEndpoint(url) && model !== '')
    return { url, model, queryPrefix, documentPrefix, ...length }
  problems.push(vocabularyProblemOf('embeddings'))
  return null
}

const isLength = (value: unknown): boolean =>
  value === undefined ||
  (Number.isInteger(value) && Number(value) >= CHARACTERS.least && Number(value) <= CHARACTERS.most)

/** Tells if an address is a valid endpoint; it must not contain the key. */
export function isEndpoint(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}
