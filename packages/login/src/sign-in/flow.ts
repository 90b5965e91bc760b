import type { LoginProvider } from '@sekisho/contract/login-page'
import type { StateStore } from './state-store.ts'

/** Sign-in with one provider, from its button to the gate's response. */
export interface Flow {
  /** Checks for a return from the provider; reports it to the store. */
  start(): void
  /** `again`: the account that was taken last was refused, so the reader is asked which one. */
  signIn(options: SignInOptions): Promise<void>
  /** A second way, for readers who never saw the window of the first. */
  signInHere?(options: SignInOptions): Promise<void>
  /** Signs in whom the provider still knows, without asking; absent where that was tried or cannot be. */
  signInSilently?(): Promise<void>
}

export interface SignInOptions {
  /** Ask for the account even when only one is signed in at the provider. */
  readonly chooseAccount: boolean
}

export interface FlowContext {
  readonly provider: LoginProvider
  /** Endpoint at which the gate opens sessions. */
  readonly sessionEndpoint: string
  readonly store: StateStore
  /** Called once, when the gate has let the reader in. */
  readonly onAdmitted: () => void
  readonly alert: (text: string) => void
  readonly log: (text: string, error: unknown) => void
  readonly wait: (ms: number) => Promise<void>
}

/** Parts of a kind of sign-in; loaded for that kind alone. */
export interface FlowKind {
  /** Rejects when the provider's settings cannot work. */
  createFlow(context: FlowContext): Promise<Flow>
  /** The text of its button. */
  button(label: string, lang: 'ja' | 'en'): string
}
