import { TEXTS } from '../texts/index.ts'
import type { LoginKindRules } from './login-kinds.ts'

/** Signing in on the provider's own page, to which the browser is sent; settings: `start`, where the gate says which page that is. */
export const REDIRECT = {
  button: (label, language) => TEXTS[language].loginDocument.button(label),
  paths: [],
  sources: () => ({ script: [], frame: [], connect: [] }),
  publicSettings: ['SEKISHO_OIDC_NAME', 'SEKISHO_OIDC_LABEL'],
  examples: [{}, { start: '/__gate/sign-in/oidc' }],
} as const satisfies LoginKindRules

/** Body of the login page's request to `start`. */
export interface StartRequest {
  /** Path, query and fragment of the page that was asked for. */
  readonly returnTo: string
  /** `choose`: ask for the account; `silent`: show nothing, and come back if that takes a reader. */
  readonly prompt: 'any' | 'choose' | 'silent'
}
