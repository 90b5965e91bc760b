import { readFileSync, writeFileSync } from 'node:fs'
import { synonymKey } from '../src/indexer/writing/synonyms.ts'

/**
 * Writes `synonyms.txt` from the JSON file of npm's `sudachi-synonyms-dictionary`: `npm run search:synonyms -- FILE`. Groups are separated
 * by semicolons, words by bars, forms of a word by commas; a form with a minus is found for others and finds none.
 */
const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('usage: npm run search:synonyms -- FILE')

interface DictionaryGroup {
  readonly items: readonly {
    readonly midashi: string
    /** 0: expands and is expanded to; 1: is only expanded to; 2: neither. */
    readonly expandControl: 0 | 1 | 2
    /** Equal for forms of one word. */
    readonly vocabularyNumber?: number
  }[]
}

/** A verb of one character (取る, 入れる) means too many things for a general dictionary. */
const AMBIGUOUS = /^\p{Script=Han}[ぁ-ん]+$/u
const MAX_GROUP = 14
const MAX_WORD = 24
const GROUPS_IN_LINE = 40

const dictionary: readonly DictionaryGroup[] = JSON.parse(readFileSync(file, 'utf8'))
const groups = dictionary.flatMap(({ items }) => {
  const usable = items.filter(
    ({ expandControl, midashi }) => expandControl < 2 && midashi.length > 1 && midashi.length <= MAX_WORD,
  )
  if (usable.length > MAX_GROUP) return []
  const words = Map.groupBy(usable, ({ vocabularyNumber }) => vocabularyNumber)
  const written = [...words.values()].map((forms) => {
    const keys = new Map<string, boolean>()
    for (const { midashi, expandControl } of forms) {
      const key = synonymKey(midashi).replace(/[;|,\n]/g, '')
      if (key !== '') keys.set(key, keys.get(key) || (expandControl === 0 && !AMBIGUOUS.test(midashi)))
    }
    return [...keys].map(([key, finds]) => (finds ? key : `-${key}`)).join(',')
  })
  return written.join('|').includes(',') || written.length > 1 ? [written.join('|')] : []
})
const lines = groups.map((group, at) => group + (at % GROUPS_IN_LINE === GROUPS_IN_LINE - 1 ? ';\n' : ';'))
writeFileSync(new URL('../synonyms.txt', import.meta.url), lines.join(''))
