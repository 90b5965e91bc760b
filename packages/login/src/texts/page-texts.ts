import type { EndReason } from '@sekisho/contract/session-response'
import type { AdmissionFailure, Notice } from '../sign-in/state.ts'

/** Texts of the page in one language. */
export interface PageTexts {
  readonly invitation: {
    readonly title: string
    /** The required account of a sole provider; null when readers may choose. */
    readonly lead: (label: string | null) => string
  }
  /** `lead` follows the account's address. */
  readonly refusal: { readonly title: string; readonly lead: string; readonly advice: string }
  readonly configurationError: { readonly title: string; readonly advice: string }
  readonly secureNote: string
  readonly logInOnThisPage: string
  /** The alert for a click while the identity service was never started. */
  readonly notConfigured: string
  readonly timedOut: string
  readonly failed: (message: string) => string
  /** Reason for the end of a session, and the next step. */
  readonly ended: Readonly<Record<EndReason, string>>
  readonly notices: Readonly<Record<Exclude<Notice['kind'], 'failed' | 'admission'>, string>>
  readonly admission: Readonly<Record<Exclude<AdmissionFailure, 'not-configured'>, string>>
  readonly waitSeconds: (seconds: number) => string
  readonly progress: {
    readonly redirect: (label: string) => string
    readonly popup: (label: string) => string
    readonly slowPopup: (label: string) => string
    readonly asking: (email: string) => string
    readonly admitted: string
  }
}
