import type { Language } from '../texts/language.ts'

/** Settings of one provider that the login page needs; they are public. */
export type LoginSettings = Readonly<Record<string, string>>

/** Sources on other hosts that the login page's content policy allows. */
export interface LoginSources {
  readonly script: readonly string[]
  readonly frame: readonly string[]
  readonly connect: readonly string[]
}

/** Browser requirements of a kind of sign-in; its flow belongs to the login page and loads for this kind alone. */
export interface LoginKindRules {
  /** The text of its button. */
  button(label: string, language: Language): string
  /** Pages of the identity service on the portal's own host. */
  readonly paths: readonly string[]
  sources(settings: LoginSettings, host: string): LoginSources
  /** Names of the operator's settings that the page makes public. */
  readonly publicSettings: readonly string[]
  /** Settings of each form the login page can take, for code that must know them all without an operator. */
  readonly examples: readonly LoginSettings[]
}
