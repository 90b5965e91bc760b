import { CJK, HIRAGANA, KATAKANA } from '../../../text/characters.ts'

/** A stretch of the query in one kind of script. `spaced` is whether a space stands before it. */
export interface Atom {
  readonly kind: 'japanese' | 'latin'
  readonly text: string
  readonly spaced: boolean
  readonly last: boolean
}

const ATOM = new RegExp(`(?<!\\s)(\\s*)([${CJK}]+|[^\\s${CJK}]+)`, 'gu')
const JAPANESE = new RegExp(`^[${CJK}]`, 'u')
const KANA_END = new RegExp(`[${HIRAGANA}${KATAKANA}]$`, 'u')
const KATAKANA_END = new RegExp(`[${KATAKANA}]$`, 'u')
const UNFINISHED_SYLLABLE = /^[a-z]{1,2}$/i

/** Cuts a query into Japanese runs and chunks of anything else. */
export function readAtoms(query: string): Atom[] {
  const atoms = [...query.matchAll(ATOM)].map(
    ([, space = '', text = ''], at): Atom => ({
      kind: JAPANESE.test(text) ? 'japanese' : 'latin',
      text,
      spaced: at === 0 || space !== '',
      last: false,
    }),
  )
  const typed = dropUnfinishedSyllable(joinAroundRemnants(atoms))
  return typed.map((atom, at) => ({ ...atom, last: at === typed.length - 1 }))
}

const REMNANT = /^(?:[kstnhmyrwgzdbp]|[ksnhmrgzbp]y|sh|ts)$/
const KATAKANA_START = new RegExp(`^[${KATAKANA}]`, 'u')

/** Letters of a syllable whose vowel was missed, within katakana (コンテクsト): a word with one slip. */
function joinAroundRemnants(atoms: readonly Atom[]): readonly Atom[] {
  const joined: Atom[] = []
  for (let at = 0; at < atoms.length; at += 1) {
    const [atom, letters, rest] = atoms.slice(at, at + 3)
    if (atom === undefined) break
    const isRemnant =
      letters !== undefined && !letters.spaced && REMNANT.test(letters.text) && KATAKANA_END.test(atom.text)
    if (isRemnant && rest?.spaced === false && KATAKANA_START.test(rest.text)) {
      joined.push({ ...atom, text: atom.text + rest.text })
      at += 2
    } else joined.push(atom)
  }
  return joined
}

/** An input method shows a syllable's first letters until the vowel comes: コンポーネンt. */
function dropUnfinishedSyllable(atoms: readonly Atom[]): readonly Atom[] {
  const [before, tail] = [atoms.at(-2), atoms.at(-1)]
  if (before === undefined || tail === undefined || tail.spaced || tail.kind !== 'latin') return atoms
  if (!KANA_END.test(before.text) || !UNFINISHED_SYLLABLE.test(tail.text)) return atoms
  return [...atoms.slice(0, -2), before]
}
