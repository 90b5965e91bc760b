import { type EmbeddingEndpoint, isEndpoint } from '@sekisho/search/embeddings'
import { problemOf } from '../texts/index.ts'
import type { SettingsReader } from './settings.ts'

/**
 * Where readers' questions are sent to become vectors: nowhere unless the operator says so. An index names its model and never a place,
 * so that whoever publishes does not decide to whom readers' questions go.
 */
export function readEmbeddings(settings: SettingsReader): EmbeddingEndpoint | null {
  const url = settings.text('SEKISHO_EMBEDDINGS_URL')
  const key = settings.secret('SEKISHO_EMBEDDINGS_KEY')
  if (url === undefined) return null // a key alone is for builds
  if (!isEndpoint(url)) settings.problems.push(problemOf('bad_embeddings_url'))
  return { url, key }
}
