import { stem } from 'porter2'
import { readIdentifier } from './identifiers.ts'
import { normalise } from './normalise.ts'

const WORD = /^[a-z]{3,}$/

/** The lookup form of an English term: its words in lower case, plural endings off. */
export function englishKey(term: string): string {
  const words = normalise(term).split(/[\s_-]+/)
  return words
    .map((word) => singular(readIdentifier(word).joined))
    .join(' ')
    .trim()
}

/**
 * The stem that the forms of an English word share (restore, restoring; policy, policies), marked so that it is no word
 * itself. Empty for what is no plain word.
 */
export function englishStem(word: string): string {
  return WORD.test(word) ? `${stem(word)}~` : ''
}

function singular(word: string): string {
  if (word.length < 4 || word.endsWith('ss')) return word
  return word.replace(/ies$/, 'y').replace(/(?<=s|x|ch|sh)es$|s$/, '')
}
