import { type Language, type MessageOrText, pickLanguage, sayIn } from '@sekisho/contract/language'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The language of the command line: what `--lang` says (main.ts leaves it in `SEKISHO_LANG`), else the locale of the terminal,
 * in the order POSIX reads it.
 */
export function languageOf(env: Environment): Language {
  const locale = [env.SEKISHO_LANG, env.LC_ALL, env.LC_MESSAGES, env.LANG].find((value) => value)
  return pickLanguage(locale ?? '')
}

/** Renders a message in the terminal's language. */
export const sayTo = ({ env }: { readonly env: Environment }, said: MessageOrText): string =>
  sayIn(said, languageOf(env))

/** Renders a problem with what `sekisho explain` takes at its end: `… [release.no_release]`. */
export function sayWithCode(problem: MessageOrText, language: Language): string {
  const codes = typeof problem === 'string' ? '' : ` [${problem.publicCodes.join(' ')}]`
  return `${sayIn(problem, language)}${codes}`
}

/** A moment as clocks here show it, with its offset: `2026-11-22 18:05:12 +09:00`. */
export function formatTime(atMs: number): string {
  const offset = -new Date(atMs).getTimezoneOffset()
  const shifted = new Date(atMs + offset * 60_000).toISOString()
  const pad = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60]
  return `${shifted.slice(0, 10)} ${shifted.slice(11, 19)} ${offset < 0 ? '-' : '+'}${pad(hours)}:${pad(minutes)}`
}

/** The day of a moment by the clocks here, `2026-11-22`. */
export const dayOf = (atMs: number): string => new Date(atMs).toLocaleDateString('sv')

/** Neutralises third-party text for one line of a terminal: nothing in it may move the cursor or reorder the line. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '�')
}

/** Text of several lines as a terminal may have it: what would move the cursor, end a line elsewhere or reorder one is shown as `�`. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, '�')
}

/** Controls but tab and newline, other ends of lines, and marks of direction. */
const UNPRINTABLE = /(?![\n\t])[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu
