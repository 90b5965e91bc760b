import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readVocabulary, type Vocabulary, VocabularyError } from './vocabulary.ts'

/** Beside the site's config: what the team taught by command, as JSON of the shape of {@link Vocabulary}. */
export const VOCABULARY_FILE = 'sekisho.search.json'

/** Reads the vocabulary file in a folder; empty without one. Rejects with {@link VocabularyError} when it is no JSON, or no vocabulary. */
export async function readVocabularyFile(dir: string): Promise<Vocabulary> {
  const text = await readFile(join(dir, VOCABULARY_FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw error
  })
  try {
    return readVocabulary(JSON.parse(text))
  } catch (error) {
    if (error instanceof VocabularyError) throw new VocabularyError(error.mistakes, VOCABULARY_FILE)
    if (error instanceof SyntaxError) throw new VocabularyError([error.message], VOCABULARY_FILE)
    throw error
  }
}

/** Both together; a word with two readings has the first one's, and so have embeddings. */
export function joinVocabularies(first: Vocabulary, second: Vocabulary): Vocabulary {
  const known = new Set(first.words.map(({ name }) => name))
  return {
    words: [...first.words, ...second.words.filter(({ name }) => !known.has(name))],
    synonyms: [...first.synonyms, ...second.synonyms],
    embeddings: first.embeddings ?? second.embeddings ?? null,
  }
}

/**
 * Writes into the file of a folder that words mean the same, in one group with what they are said to mean already. Resolves
 * to that group, null when it was there. Rejects with {@link VocabularyError} when the file or a word cannot be read.
 */
export async function addSynonyms(dir: string, words: readonly string[]): Promise<readonly string[] | null> {
  const { words: readings, synonyms, ...others } = await readVocabularyFile(dir)
  const isNear = (group: readonly string[]) => group.some((word) => words.includes(word))
  const near = synonyms.filter(isNear)
  const group = [...new Set([...near.flat(), ...words])]
  if (near.length === 1 && near[0]?.length === group.length) return null
  const groups = [...synonyms.filter((one) => !isNear(one)), group]
  const vocabulary = { ...others, words: readings, synonyms: groups }
  readVocabulary(vocabulary)
  const file = join(dir, VOCABULARY_FILE)
  await writeFile(`${file}.new`, `${JSON.stringify(vocabulary, null, 2)}\n`)
  await rename(`${file}.new`, file)
  return group
}
