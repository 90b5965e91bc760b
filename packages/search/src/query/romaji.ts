import { toHiragana } from 'wanakana'
import { isHiragana } from '../text/characters.ts'
import type { Lexicon } from './lexicon.ts'
import { type ReadPart, readKana } from './readings.ts'

const MIN_ROMAJI = 4
const ROMAJI = /^[a-z]+(?:['-][a-z]+)*-?$/
const VOWEL = '[aiueo]'

/**
 * Reads romaji as words of the site, the reading of fewest words if its letters leave a choice. Hepburn and Kunrei, and
 * what people type besides: `-` for a long vowel (ma-ji), `nn` for ん (honnyaku), no apostrophe where one belongs (unyou),
 * `m` for ん before lips (shimbun), `di` and `ti` for ディ and ティ. Empty when it spells none.
 */
export function readRomaji(name: string, lexicon: Lexicon, open: boolean): readonly ReadPart[] {
  if (name.length < MIN_ROMAJI || !ROMAJI.test(name)) return []
  let best: readonly ReadPart[] = []
  for (const kana of kanaSpellings(name, open)) {
    const read = readKana(kana, lexicon, open)
    if (read === null || (best.length > 0 && read.length >= best.length)) continue
    best = read
    if (best.length === 1) break
  }
  return best
}

function kanaSpellings(name: string, open: boolean): string[] {
  const plain = name.replace(/tch/g, 'cch').replace(/m(?=[bp])/g, 'n')
  const doubled = plain.replace(new RegExp(`nn(?!${VOWEL}|')`, 'g'), "n'")
  const spellings = [
    plain,
    doubled,
    doubled.replace(/n(?=y[auo])/g, "n'"),
    doubled.replace(/([dt])i/g, '$1hi'),
    doubled.replace(new RegExp(`(?<=${VOWEL})n(?=${VOWEL})`, 'g'), "n'"),
  ]
  const kana = spellings.map((spelling) => toHiragana(spelling))
  const complete = kana.map((text) => (open ? text.replace(/[a-z]{1,2}$/, '') : text))
  return [...new Set(complete)].filter(isHiragana)
}
