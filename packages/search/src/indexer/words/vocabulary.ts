import { ExplainedError } from '@sekisho/contract/explained-error'
import { type EmbeddingSource, readEmbeddingSource } from '../../embeddings/model.ts'

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
  readonly mistakes: readonly string[]

  /** @param where the file it stands in, when that is not the site's config */
  constructor(problems: readonly string[], where?: string) {
    const list = problems.map((line) => `- ${line}`).join('\n')
    super(`The search vocabulary${where === undefined ? '' : ` in ${where}`} is not right.\n${list}`)
    this.mistakes = problems
  }
}

const KANA = /^[ぁ-ゖァ-ヺー]+$/u
const MAX = { words: 10_000, groups: 10_000, group: 20, length: 40 }

/** Reads a vocabulary from a site's config. Throws {@link VocabularyError} with all problems at once. */
export function readVocabulary(input: unknown): Vocabulary {
  const problems: string[] = []
  const { words = [], synonyms = [], embeddings = null, ...unknown } = isRecord(input) ? input : {}
  if (input !== undefined && !isRecord(input))
    problems.push('it must be an object with words, synonyms and embeddings')
  for (const key of Object.keys(unknown))
    problems.push(`"${key}" is unknown; known are words, synonyms and embeddings`)
  const vocabulary = {
    words: readWords(words, problems),
    synonyms: readSynonyms(synonyms, problems),
    ...(embeddings === null ? {} : { embeddings: readEmbeddingSource(embeddings, problems) }),
  }
  if (problems.length > 0) throw new VocabularyError(problems)
  return vocabulary
}

function readWords(input: unknown, problems: string[]): SiteWord[] {
  if (!Array.isArray(input) || input.length > MAX.words) {
    problems.push(`words must be a list of at most ${MAX.words} { name, reading }`)
    return []
  }
  const seen = new Set<string>()
  return input.flatMap((word: unknown, at): SiteWord[] => {
    const keys = isRecord(word) ? Object.keys(word).sort().join(' ') : ''
    if (!isRecord(word) || keys !== 'name reading' || !isWord(word.name) || !isWord(word.reading))
      problems.push(`words[${at}] must be { name, reading }, texts of at most ${MAX.length} characters`)
    else if (!KANA.test(word.reading))
      problems.push(`words[${at}]: the reading of ${word.name} must be in kana, not "${word.reading}"`)
    else if (seen.has(word.name)) problems.push(`words[${at}]: ${word.name} is there twice`)
    else {
      seen.add(word.name)
      return [{ name: word.name, reading: word.reading }]
    }
    return []
  })
}

function readSynonyms(input: unknown, problems: string[]): string[][] {
  if (!Array.isArray(input) || input.length > MAX.groups) {
    problems.push(
      `synonyms must be a list of at most ${MAX.groups} groups such as ["議事録", "ミーティングメモ"]`,
    )
    return []
  }
  return input.flatMap((group: unknown, at): string[][] => {
    const isGroup =
      Array.isArray(group) && group.length > 1 && group.length <= MAX.group && group.every(isWord)
    if (!isGroup)
      problems.push(`synonyms[${at}] must have 2 to ${MAX.group} words of at most ${MAX.length} characters`)
    else if (new Set(group).size !== group.length) problems.push(`synonyms[${at}] has a word twice`)
    else return [group]
    return []
  })
}

const isWord = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() === value && value !== '' && value.length <= MAX.length

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
