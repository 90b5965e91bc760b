import { ExplainedError } from '@sekisho/contract/explained-error'
import type { MessageOrText } from '@sekisho/contract/language'
import { type EmbeddingSource, readEmbeddingSource } from '../../embeddings/model.ts'
import { vocabularyProblemOf as problemOf } from '../../texts/index.ts'

/** A word of the site that dictionaries lack or read wrongly, in any script. */
export interface SiteWord {
  readonly name: string
  /** In kana. */
  readonly reading: string
}

/** A team's own words, and the model of its own that knows which mean the same, as the site's config has them; checked by `readVocabulary`. */
export interface Vocabulary {
  readonly words: readonly SiteWord[]
  /** Groups of words that mean the same. */
  readonly synonyms: readonly (readonly string[])[]
  /** Without one, pages are found by their words alone. */
  readonly embeddings?: EmbeddingSource | null
}

/** The vocabulary cannot be used; the message lists every problem. */
export class VocabularyError extends ExplainedError {
  override readonly name = 'VocabularyError'
  readonly code = 'ERR_SEARCH_VOCABULARY'
  readonly mistakes: readonly MessageOrText[]

  /** @param where the file it stands in, when that is not the site's config */
  constructor(mistakes: readonly MessageOrText[], where = '') {
    super([problemOf('not_right', where), ...mistakes])
    this.mistakes = mistakes
  }
}

const KANA = /^[ぁ-ゖァ-ヺー]+$/u
const MAX = { words: 10_000, groups: 10_000, group: 20, length: 40 }

/** Reads a vocabulary from a site's config. Throws {@link VocabularyError} with all problems at once. */
export function readVocabulary(input: unknown): Vocabulary {
  const problems: MessageOrText[] = []
  const { words = [], synonyms = [], embeddings = null, ...unknown } = isRecord(input) ? input : {}
  if (input !== undefined && !isRecord(input)) problems.push(problemOf('not_an_object'))
  for (const key of Object.keys(unknown)) problems.push(problemOf('unknown_key', key))
  const vocabulary = {
    words: readWords(words, problems),
    synonyms: readSynonyms(synonyms, problems),
    ...(embeddings === null ? {} : { embeddings: readEmbeddingSource(embeddings, problems) }),
  }
  if (problems.length > 0) throw new VocabularyError(problems)
  return vocabulary
}

function readWords(input: unknown, problems: MessageOrText[]): SiteWord[] {
  if (!Array.isArray(input) || input.length > MAX.words) {
    problems.push(problemOf('words_list', MAX.words))
    return []
  }
  const seen = new Set<string>()
  return input.flatMap((word: unknown, at): SiteWord[] => {
    const keys = isRecord(word) ? Object.keys(word).sort().join(' ') : ''
    if (!isRecord(word) || keys !== 'name reading' || !isWord(word.name) || !isWord(word.reading))
      problems.push(problemOf('word', at, MAX.length))
    else if (!KANA.test(word.reading)) problems.push(problemOf('not_kana', at, word.name, word.reading))
    else if (seen.has(word.name)) problems.push(problemOf('word_twice', at, word.name))
    else {
      seen.add(word.name)
      return [{ name: word.name, reading: word.reading }]
    }
    return []
  })
}

function readSynonyms(input: unknown, problems: MessageOrText[]): string[][] {
  if (!Array.isArray(input) || input.length > MAX.groups) {
    problems.push(problemOf('synonyms_list', MAX.groups))
    return []
  }
  return input.flatMap((group: unknown, at): string[][] => {
    const isGroup =
      Array.isArray(group) && group.length > 1 && group.length <= MAX.group && group.every(isWord)
    if (!isGroup) problems.push(problemOf('group', at, MAX.group, MAX.length))
    else if (new Set(group).size !== group.length) problems.push(problemOf('group_twice', at))
    else return [group]
    return []
  })
}

const isWord = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() === value && value !== '' && value.length <= MAX.length

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
