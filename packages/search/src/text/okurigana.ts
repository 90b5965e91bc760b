import { HAN } from './characters.ts'

/** Stems end in these rows (い and え columns), so they stand inside a compound verb and particles do not. */
const STEM_ENDINGS = 'いきぎしちみりびけえめれべげせね'
/** A て alone is a stem (立て替え) as often as a particle; after another kana (開いて閉じる) it is a particle. */
const INSIDE = `(?:[${STEM_ENDINGS}]{1,2}|て)`
const INNER = new RegExp(`([${HAN}])${INSIDE}(?=[${HAN}])`, 'gu')
const COMPOUND = new RegExp(`[${HAN}](?:${INSIDE}[${HAN}])+`, 'gu')
const TRAILING = new RegExp(`(?<=[${HAN}])[${STEM_ENDINGS}てわうくぐすつむるぶ]{1,2}$`, 'u')

/** Removes the optional kana of a word: 取り消し, 取消し and 取消 are all 取消. */
export function okuriganaSkeleton(word: string): string {
  return word.replace(INNER, '$1').replace(TRAILING, '')
}

/** The skeletons of all compound verbs in a text that writes the kana between their characters. */
export function skeletonsIn(text: string): string[] {
  return (text.match(COMPOUND) ?? []).map(okuriganaSkeleton)
}
