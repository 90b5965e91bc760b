import { toHiragana } from 'wanakana'
import { ROMAJI_LIMITS } from '../../../query-constants.ts'
import { isHiragana } from '../../../text/characters.ts'
import { isGuess, type ReadPart, readKana } from '../japanese/readings.ts'
import type { Lexicon } from '../words/lexicon.ts'

const ROMAJI = /^[a-z]+(?:['-][a-z]+)*-?$/
const VOWEL = '[aiueo]'

/** The words that romaji may stand for; none when it spells none. */
export interface ReadRomaji {
  readonly parts: readonly ReadPart[]
  readonly isGuess: boolean
}

const NONE: ReadRomaji = { parts: [], isGuess: false }

/**
 * Reads romaji as words of the site, as few as possible. Accepts Hepburn, Kunrei and common variants: `-` for a long vowel (ma-ji), `nn`
 * for ん (honnyaku), no apostrophe (unyou), `m` before lips (shimbun), `di` and `ti` for ディ and ティ.
 */
export function readRomaji(name: string, lexicon: Lexicon, open: boolean): ReadRomaji {
  if (name.length < ROMAJI_LIMITS.minRomaji || name.length > ROMAJI_LIMITS.maxRomaji || !ROMAJI.test(name))
    return NONE
  let best = NONE
  for (const kana of kanaSpellings(name, open)) {
    const parts = readKana(kana, lexicon, open)
    if (parts === null || (best.parts.length > 0 && parts.length >= best.parts.length)) continue
    best = { parts, isGuess: isGuess(kana, parts) }
    if (parts.length === 1) break
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
