import { readIdentifier } from './identifiers.ts'
import { normalise } from './normalise.ts'

/** The lookup form of an English term: its words in lower case, plural endings off. */
export function englishKey(term: string): string {
  const words = normalise(term).split(/[\s_-]+/)
  return words
    .map((word) => singular(readIdentifier(word).joined))
    .join(' ')
    .trim()
}

/** The other grammatical number of an English word; a guess, to be checked against the site's words. */
export function numberVariants(word: string): string[] {
  if (!/^[a-z]{3,}$/.test(word)) return []
  const one = singular(word)
  return one === word ? [`${word}s`, `${word}es`] : [one]
}

function singular(word: string): string {
  if (word.length < 4 || word.endsWith('ss')) return word
  return word.replace(/ies$/, 'y').replace(/(?<=s|x|ch|sh)es$|s$/, '')
}
