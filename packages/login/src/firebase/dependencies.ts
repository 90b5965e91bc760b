import type { FlowContext } from '../sign-in/flow.ts'
import type { IdentityService } from './identity-service.ts'
import type { Admission, SessionTokens } from './open-session.ts'

/** Everything outside this flow's own logic. */
export interface SignInDependencies
  extends Pick<FlowContext, 'store' | 'onAdmitted' | 'alert' | 'log' | 'wait'> {
  readonly identity: IdentityService
  readonly openSession: (tokens: SessionTokens) => Promise<Admission>
  /** The organisation or service of these accounts, in readers' words. */
  readonly label: string
}
