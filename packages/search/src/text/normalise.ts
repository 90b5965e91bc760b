import { foldKanji } from './kanji.ts'

const WIDE =
  /[\u3000\uff01-\uff9f\u2000-\u200f\u2028-\u202f\u00a0\ufeff\u00ad\u2e80-\u2fdf\uf900-\ufaff]|\p{VS}/u
const PLAIN = /^[\t\n\x20-\x7e]*$/
/** Selectors of a form (葛󠄀) among them: no keyboard has them. */
const ZERO_WIDTH = /[\u200b-\u200f\u00ad\ufeff\u2060]|\p{VS}(?<=\p{Script=Han}.)/gu
/** Full-width letters, half-width katakana, and characters that only other standards have twice. */
const WIDE_LETTERS =
  /[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]+|[\uff66-\uff9f]+|[\u2e80-\u2fdf\uf900-\ufaff]/g

/**
 * The form both sides of a comparison are brought to: compatibility characters decided (NFKC), case gone, characters in their usual form,
 * invisible characters gone, lone surrogates replaced. Lengths change; offsets into the result are its own.
 */
export function normalise(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase()
  return foldKanji(text.toWellFormed().replace(ZERO_WIDTH, '').normalize('NFKC').toLowerCase())
}

/** As `normalise`, keeping case, which still separates the parts of `useState`. */
export function normaliseWidth(text: string): string {
  if (PLAIN.test(text)) return text
  return foldKanji(text.toWellFormed().replace(ZERO_WIDTH, '').normalize('NFKC'))
}

/**
 * The form text is stored and shown in: full-width letters and half-width katakana become the usual ones so
 * that one pattern matches both, while punctuation stays as the author wrote it.
 */
export function normaliseForDisplay(text: string): string {
  if (PLAIN.test(text)) return text
  const sound = text.toWellFormed()
  if (!WIDE.test(sound)) return sound
  return sound.replace(ZERO_WIDTH, '').replace(WIDE_LETTERS, (letters) => letters.normalize('NFKC'))
}
