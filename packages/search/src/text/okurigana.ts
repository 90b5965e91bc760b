import { HAN } from './characters.ts'

/** Stems end in these rows (い and え columns), so they stand inside a compound verb and particles do not. */
const STEM_ENDINGS = 'いきぎしちみりびけえめれべげせ'
const INNER = new RegExp(`([${HAN}])[${STEM_ENDINGS}]{1,2}(?=[${HAN}])`, 'gu')
const COMPOUND = new RegExp(`[${HAN}](?:[${STEM_ENDINGS}]{1,2}[${HAN}])+`, 'gu')
const TRAILING = new RegExp(`(?<=[${HAN}])[いきぎしちみりびけえめれべげせうくぐすつむるぶ]{1,2}$`, 'u')

/**
 * What is left of a word when the kana that may or may not be written are taken out: 取り消し, 取消し and
 * 取消 are all 取消.
 */
export function okuriganaSkeleton(word: string): string {
  return word.replace(INNER, '$1').replace(TRAILING, '')
}

/** The skeletons of all compound verbs in a text that writes the kana between their characters. */
export function skeletonsIn(text: string): string[] {
  return (text.match(COMPOUND) ?? []).map(okuriganaSkeleton)
}
