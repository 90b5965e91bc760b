import type { IdentityService } from '../identity/identity-service.ts'
import type { Admission, SessionTokens } from '../session/open-session.ts'

/** Everything outside this page's own logic. */
export interface SignInDependencies {
  readonly identity: IdentityService
  readonly openSession: (tokens: SessionTokens) => Promise<Admission>
  /** Called once, when the gate has let the reader in. */
  readonly onAdmitted: () => void
  readonly alert: (text: string) => void
  readonly log: (text: string, error: unknown) => void
  readonly wait: (ms: number) => Promise<void>
}
