import { en } from './texts/en.mjs'
import { ja } from './texts/ja.mjs'

/** As `languageOf` of packages/sekisho/src/language.ts, which no Node older than ours can read. */
const { SEKISHO_LANG, LC_ALL, LC_MESSAGES, LANG } = process.env
const texts = /^ja(?:[-_.@]|$)/i.test(SEKISHO_LANG || LC_ALL || LC_MESSAGES || LANG || '') ? ja : en

/** Prints the text of a code in the language of the terminal. */
export function say(code, ...values) {
  const text = texts[code]
  return typeof text === 'function' ? text(...values) : text
}

/** Reports one step of a longer run, so that the reason for waiting is visible. */
export function step(message) {
  process.stdout.write(`\n▸ ${message}\n`)
}

/** Ends the run with one sentence instead of a stack. */
export function fail(message, code = 1) {
  process.stderr.write(`\n✖ ${message}\n`)
  process.exit(code)
}
