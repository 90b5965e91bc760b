import { KATAKANA_RUN } from './characters.ts'

const KANA_DISTANCE = 0x60
const FOLDED: ReadonlyMap<string, string> = new Map([
  ...pairs('ァィゥェォッャュョヮヵヶ', 'アイウエオツヤユヨワカケ'),
  ...pairs('ヂヅヲ', 'ジズオ'),
])
const FOLDABLE = new RegExp(`[${[...FOLDED.keys()].join('')}]`, 'g')
/** A long vowel is written with the vowel itself or, after エ and オ, with イ and ウ. */
const LONG_VOWELS = new RegExp(
  [
    '(?<=[アカサタナハマヤラワガザダバパ])ア',
    '(?<=[イキシチニヒミリギジビピ])イ',
    '(?<=[ウクスツヌフムユルグズブプ])ウ',
    '(?<=[エケセテネヘメレゲゼデベペ])[エイ]',
    '(?<=[オコソトノホモヨロゴゾドボポ])[オウ]',
  ].join('|'),
  'g',
)

/** Hiragana written as katakana; everything else unchanged. */
export function toKatakana(text: string): string {
  return text.replace(/[ぁ-ゖゝゞ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) + KANA_DISTANCE))
}

/** Katakana written as hiragana; everything else, the long vowel mark too, unchanged. */
export function toHiragana(text: string): string {
  return text.replace(/[ァ-ヶヽヾ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - KANA_DISTANCE))
}

/**
 * Brings the spellings of a loan word together: サーバー and サーバ, ウィンドウ and ウインドウ, ヴァ and バ.
 * A run of two characters keeps its long vowel mark, since キー without it would be キ, which is everywhere.
 */
export function foldKatakana(text: string): string {
  return text.replace(KATAKANA_RUN, foldRun)
}

/** A reading as a lookup key: katakana, folded. かんきょう, カンキョウ and こんぴゅーた all have one. */
export function foldReading(reading: string): string {
  return foldRun(toKatakana(reading))
}

/** A still looser key: vowels written long or short meet (kansu, kansuu; saabaa, サーバー; フェース, フェイス). */
export function looseReading(reading: string): string {
  return loosen(foldReading(reading))
}

/** The looser key of a reading that {@link foldReading} has folded. */
export function loosen(folded: string): string {
  return folded.replace(LONG_VOWELS, '')
}

function foldRun(run: string): string {
  const letters = run
    .replace(/ヴ[ァアィイェエォオャュョ]?/g, foldV)
    .replace(FOLDABLE, (kana) => FOLDED.get(kana) ?? kana)
  return letters.length <= 2 ? letters : letters.replace(/ー/g, '') || letters
}

function foldV(syllable: string): string {
  const vowel = syllable[1]
  if (vowel === undefined) return 'ブ'
  if ('ャュョ'.includes(vowel)) return `ビ${vowel}`
  return 'バビベボ'['アイエオ'.indexOf(FOLDED.get(vowel) ?? vowel)] ?? 'ブ'
}

function pairs(from: string, to: string): [string, string][] {
  return [...from].map((kana, at) => [kana, [...to][at] ?? kana])
}
