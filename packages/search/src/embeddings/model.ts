import type { Said } from '@sekisho/contract/language'
import { vocabularyProblemOf } from '../texts/index.ts'

/** What texts are embedded with, as the site's config has it. */
export interface EmbeddingModel {
  readonly model: string
  /** What the model wants before a question (`query: ` of E5) and before a text of a page. */
  readonly queryPrefix: string
  readonly documentPrefix: string
}

/** A model, and where it is asked while pages are indexed. */
export interface EmbeddingSource extends EmbeddingModel {
  readonly url: string
}

const KEYS = ['url', 'model', 'queryPrefix', 'documentPrefix'] as const
const MAX_LENGTH = 1_000

/** Reads `embeddings` of a site's config; null, with a problem, for what cannot be used. */
export function readEmbeddingSource(input: unknown, problems: Said[]): EmbeddingSource | null {
  const given: Record<string, unknown> = { queryPrefix: '', documentPrefix: '', ...Object(input) }
  const isKnown = Object.keys(given).every((key) => KEYS.some((known) => known === key))
  const texts = KEYS.map((key) => given[key])
  const isRight = isKnown && texts.every((text) => typeof text === 'string' && text.length <= MAX_LENGTH)
  const [url = '', model = '', queryPrefix = '', documentPrefix = ''] = texts.map(String)
  if (isRight && isEndpoint(url) && model !== '') return { url, model, queryPrefix, documentPrefix }
  problems.push(vocabularyProblemOf('embeddings'))
  return null
}

/** Whether an address may be asked for vectors: a key is never part of it. */
export function isEndpoint(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}
