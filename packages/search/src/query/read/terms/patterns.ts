import { isKatakana } from '../../../text/characters.ts'
import { kanjiForms } from '../../../text/kanji.ts'

const SPELLINGS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [...'アイウエオツヤユヨワカケ'].map((kana, at) => [kana, `[${kana}${'ァィゥェォッャュョヮヵヶ'[at]}]`]),
  ),
  バ: '(?:バ|ヴァ)',
  ビ: '(?:ビ|ヴィ|ヴ(?=[ャュョ]))',
  ブ: '[ブヴ]',
  ベ: '(?:ベ|ヴェ)',
  ボ: '(?:ボ|ヴォ)',
  ジ: '[ジヂ]',
  ズ: '[ズヅ]',
  オ: '[オォヲ]',
}
// Both cases are named, so that they are compared as they are: to compile the large classes without regard to case
// takes the engine a millisecond for each pattern, more than the search for it.
const LETTER = '(?-i:[A-Za-z0-9\\u00c0-\\u024f\\u0370-\\u04ff])'
const NOT_LETTER = '(?-i:[^A-Za-z0-9\\u00c0-\\u024f\\u0370-\\u04ff\\u3041-\\u9fff])'
const INFLECTION = '[い-ん]{0,2}'

/** Pattern source that finds a folded Japanese word in text as its author spelled it. */
export function japanesePattern(key: string): string {
  return Array.from(key, (character) => {
    if (!isKatakana(character) || character === 'ー') return kanjiForms(character) ?? RegExp.escape(character)
    return `${SPELLINGS[character] ?? character}ー?`
  }).join('')
}

/** The pattern where no katakana stands before or after it. */
export function aloneInKatakana(pattern: string): string {
  return `(?<![ァ-ヺー])${pattern}(?![ァ-ヺ])`
}

/** The pattern where it is a word by itself, with nothing around it but particles. */
export function aloneInKanji(pattern: string): string {
  return `(?<![一-龠々])${pattern}(?!(?![はがをにのでともへやか])[一-龠々ぁ-ん])`
}

/** The pattern where no letter follows that alone makes another word of it: any one (クラスタ), or one of the site's `others` (トレイトオブジェクト). */
export function wholeInKatakana(pattern: string, others: readonly string[]): string {
  return `${pattern}(?!${['[ァ-ヺ](?![ァ-ヺー])', ...others.map(japanesePattern)].join('|')})`
}

/** Pattern source for a compound verb reduced to its Chinese characters: 取消 finds 取り消し. */
export function skeletonPattern(skeleton: string): string {
  return Array.from(skeleton, (character) => kanjiForms(character) ?? RegExp.escape(character)).join(
    INFLECTION,
  )
}

/**
 * Pattern source for names one after another, however they are joined: `use-state`, `useState`, `use state`.
 * The check before the first letter stands last, so that the engine scans for the letters and not for the check.
 */
export function namesPattern(names: readonly string[], boundary: 'word' | 'none'): string {
  const body = names.map((name) => RegExp.escape(name)).join(`${NOT_LETTER}{0,2}`)
  return boundary === 'word' ? `${body}(?!${LETTER})(?<!${LETTER}${body})` : body
}
