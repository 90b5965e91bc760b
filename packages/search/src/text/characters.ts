/** The scripts a piece of text is cut into. `word` is every other letter and digit: Latin, Greek, Cyrillic. */
export const HAN = '\\p{Script=Han}々〆ヶ'
export const HIRAGANA = 'ぁ-ゖゝゞ'
export const KATAKANA = 'ァ-ヺヽヾー'
/** Scripts of other languages that join words to what follows (Korean particles) or write none apart (Thai). */
const JOINED =
  '\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Bopomofo}'

/** All characters that are indexed as pairs instead of words. */
export const CJK = `${HAN}${HIRAGANA}${KATAKANA}${JOINED}`
const KATAKANA_ONLY = new RegExp(`^[${KATAKANA}]+$`, 'u')
const HIRAGANA_ONLY = new RegExp(`^[${HIRAGANA}ー]+$`, 'u')
const HAN_ANY = new RegExp(`[${HAN}]`, 'u')
const CJK_ANY = new RegExp(`[${CJK}]`, 'u')

/** A run of katakana with its long vowel marks. */
export const KATAKANA_RUN = new RegExp(`[${KATAKANA}]+`, 'gu')

export const isKatakana = (text: string): boolean => KATAKANA_ONLY.test(text)
export const isHiragana = (text: string): boolean => HIRAGANA_ONLY.test(text)
export const hasHan = (text: string): boolean => HAN_ANY.test(text)
export const hasJapanese = (text: string): boolean => CJK_ANY.test(text)

/** Cuts a Japanese run where the script changes: 静的アセットの扱い → 静的, アセット, の, 扱, い. */
export function splitScripts(run: string): string[] {
  return run.match(new RegExp(`[${HAN}]+|[${HIRAGANA}]+|[${KATAKANA}]+`, 'gu')) ?? []
}
