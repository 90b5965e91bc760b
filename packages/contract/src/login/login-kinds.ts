import type { Language } from '../texts/language.ts'

/** Settings of one provider that the login page needs; they are public. */
export type LoginSettings = Readonly<Record<string, string>>

/** What the login page may load from other hosts, as sources of its content policy. */
export interface LoginSources {
  readonly script: readonly string[]
  readonly frame: readonly string[]
  readonly connect: readonly string[]
}

/** What a kind of signing in needs of the browser; its flow is the login page's, and loaded for this kind alone. */
export interface LoginKindRules {
  /** The text of its button. */
  button(label: string, language: Language): string
  /** Pages of the identity service on the portal's own host. */
  readonly paths: readonly string[]
  sources(settings: LoginSettings, host: string): LoginSources
  /** Names of the operator's settings that the page shows to everybody. */
  readonly publicSettings: readonly string[]
  /** Settings of each form the login page can have, for whoever has to know them all without an operator. */
  readonly examples: readonly LoginSettings[]
}
