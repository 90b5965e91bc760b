/** What is said to somebody at a terminal, in each language the command line speaks. */
export interface Text {
  readonly ja: string
  readonly en: string
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The language of the command line: what `--lang` says (main.ts leaves it in `SEKISHO_LANG`), else the locale of the terminal,
 * in the order POSIX reads it. English unless that is Japanese.
 */
export function languageOf(env: Environment): keyof Text {
  const locale = [env.SEKISHO_LANG, env.LC_ALL, env.LC_MESSAGES, env.LANG].find((value) => value)
  return /^ja(?:[_.-]|$)/i.test(locale ?? '') ? 'ja' : 'en'
}

/** Picks the text in the language of the terminal. */
export function choose({ env }: { readonly env: Environment }, text: Text): string {
  return text[languageOf(env)]
}
