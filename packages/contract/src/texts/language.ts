/** Languages that people are spoken to in. One more is named here; from then on the compiler names every table that lacks it. */
export const LANGUAGES = ['ja', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

/** Something that each language has of its own, most often a package's table of texts. */
export type InEveryLanguage<T> = Readonly<Record<Language, T>>

/** Language of logs and of readers whose own is not available. */
const FALLBACK: Language = 'en'

/** The language for a BCP 47 tag (`ja-JP`) or the locale of a terminal (`ja_JP.UTF-8`). */
export function pickLanguage(tag: string): Language {
  const [primary] = tag.toLowerCase().split(/[-_.@]/)
  return LANGUAGES.find((language) => language === primary) ?? FALLBACK
}

/** Tells if a language tag means Japanese, where more than the choice of a text depends on it. */
export const isJapanese = (tag: string): boolean => pickLanguage(tag) === 'ja'

/** Makes something once for each language. */
export function inEveryLanguage<T>(make: (language: Language) => T): InEveryLanguage<T> {
  return Object.fromEntries(LANGUAGES.map((language) => [language, make(language)])) as Record<Language, T>
}

/** Values of a text; where it takes text, another message may be given. */
type ValuesOf<S> = S extends (...values: infer V) => string
  ? { [I in keyof V]: V[I] extends string ? V[I] | Message : V[I] }
  : []

/** A message for people: a code with values, and its sentence in each language. */
export class Message {
  readonly code: string
  readonly values: readonly unknown[]
  /** Section of the texts that it is of. */
  readonly area: string
  readonly #sentences: InEveryLanguage<unknown>

  constructor(area: string, code: string, values: readonly unknown[], sentences: InEveryLanguage<unknown>) {
    this.area = area
    this.code = code
    this.values = values
    this.#sentences = sentences
  }

  /** Codes to look it up by, in every section: its own, and those of the messages among its values. */
  get publicCodes(): readonly string[] {
    const inner = this.values.filter((value) => value instanceof Message)
    return [`${this.area}.${this.code}`, ...inner.flatMap(({ publicCodes }) => publicCodes)]
  }

  in(language: Language): string {
    const sentence = this.#sentences[language]
    return typeof sentence === 'function'
      ? sentence(...this.values.map((value) => (value instanceof Message ? value.in(language) : value)))
      : String(sentence)
  }

  /** As logs and the messages of errors have it. */
  toString(): string {
    return this.in(FALLBACK)
  }

  toJSON(): string {
    return this.toString()
  }
}

/** A message, or the words of a third party, which stay as they are. */
export type MessageOrText = Message | string

/** Renders a message in a language. */
export const sayIn = (said: MessageOrText, language: Language): string =>
  typeof said === 'string' ? said : said.in(language)

/** Makes the messages of one section of a package's texts: sentences by their codes, functions where they need values. */
export function createMessages<T, Section extends keyof T & string>(
  texts: InEveryLanguage<T>,
  section: Section,
) {
  return <Code extends keyof T[Section] & string>(
    code: Code,
    ...values: ValuesOf<T[Section][Code]>
  ): Message =>
    new Message(
      section,
      code,
      values,
      inEveryLanguage((language) => texts[language][section][code]),
    )
}
