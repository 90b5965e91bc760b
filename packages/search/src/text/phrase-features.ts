import { HAN, HIRAGANA, KATAKANA } from './characters.ts'
import { englishStem } from './english.ts'
import { foldKatakana } from './kana.ts'
import { normalise } from './normalise.ts'

const RUN = new RegExp(`[${HAN}]+|[${KATAKANA}]+|[${HIRAGANA}]+|[a-z0-9][a-z0-9+#_.-]*`, 'gu')
const IS_HAN = new RegExp(`^[${HAN}]`, 'u')
const IS_KANA = new RegExp(`^[${HIRAGANA}]`, 'u')
const IS_KATAKANA = new RegExp(`^[${KATAKANA}]`, 'u')
const GRAMMAR = new Set(
  'the a an to of in is it i my on for and with how do can not be are what that this or as at from by if when without'.split(
    ' ',
  ),
)
/** A character within a compound, the kana after a character, three kana, and names among Japanese words say less than a word. */
const WEIGHTS = { word: 1, within: 0.35, ending: 0.4, kana: 0.2, name: 0.3 }
const KANA_LENGTH = 3

/**
 * Features that phrases may share, without a dictionary: pairs of kanji and single ones (消~ in 消す and 消去), katakana words, English stems,
 * runs of three kana; each with its weight from 0 to 1.
 */
export function phraseFeatures(phrase: string): ReadonlyMap<string, number> {
  const text = foldKatakana(normalise(phrase))
  const runs = [...text.matchAll(RUN)].map(({ 0: run, index }) => ({ run, end: index + run.length, index }))
  const isJapanese = runs.some(({ run }) => IS_HAN.test(run) || IS_KANA.test(run))
  const features = new Map<string, number>()
  const add = (feature: string, weight: number): void => {
    features.set(feature, Math.max(features.get(feature) ?? 0, weight))
  }
  for (const [at, { run, end }] of runs.entries()) {
    const next = runs[at + 1]
    if (IS_HAN.test(run)) addCharacters(run, next?.index === end ? next.run : '', add)
    else if (IS_KANA.test(run))
      for (let start = 0; start + KANA_LENGTH <= run.length; start += 1)
        add(run.slice(start, start + KANA_LENGTH), WEIGHTS.kana)
    else if (IS_KATAKANA.test(run)) {
      if (run.length > 1) add(run, WEIGHTS.word)
    } else if (run.length > 1 && !GRAMMAR.has(run))
      add(englishStem(run) || run, isJapanese ? WEIGHTS.name : WEIGHTS.word)
  }
  return features
}

function addCharacters(run: string, after: string, add: (feature: string, weight: number) => void): void {
  const characters = Array.from(run)
  const [only = '', second] = characters
  if (second === undefined) {
    add(`${only}~`, WEIGHTS.word)
    if (IS_KANA.test(after)) add(only + after.slice(0, 1), WEIGHTS.ending)
    return
  }
  for (const [at, character] of characters.entries()) {
    add(`${character}~`, WEIGHTS.within)
    const next = characters[at + 1]
    if (next !== undefined) add(character + next, WEIGHTS.word)
  }
}
