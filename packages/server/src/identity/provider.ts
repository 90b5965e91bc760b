import type { Message } from '@sekisho/contract/language'
import type { LoginProvider } from '@sekisho/contract/login-page'
import { PROVIDER_FAILURES, type SignInFailureCause } from '@sekisho/contract/sign-in-problem'
import type { GateRequest } from '@sekisho/wire'
import type { RequestContext } from '../kernel/boundary.ts'
import type { RouteTable } from '../kernel/route-table.ts'
import type { Identity, IssuerEnd, Seal, SpentToken } from '../state/sessions/index.ts'
import { UnavailableError } from '../storage/unavailable-error.ts'

/** One way to sign in. Whatever is said about accounts comes through this, and ends in a verified token of the issuer. */
export interface IdentityProvider {
  readonly issuer: string
  /** Its part of the login page. */
  readonly login: LoginProvider
  /** Exact paths of its own, all of them open. `receiver` lets in whom they bring. */
  routes(receiver: SignInReceiver): RouteTable
  /** Reads what the login page's flow posts to the session endpoint, or null; absent where readers come by `routes`. */
  readonly readAssertion?: (body: unknown) => Assertion | null
  /** Asks again about an account that signed in before. */
  revalidate(refreshToken: string): Promise<Revalidation>
  /**
   * Address at which a browser ends the provider's own session after sign-out; null without one. Absent for providers that never have any.
   * @param refreshToken of the ended session; null where it had none
   */
  readonly endSession?: (refreshToken: string | null) => Promise<string | null>
}

/** Something a browser brought that names an account. */
interface Assertion {
  /** Throws `UnavailableError` when the issuer's keys cannot be had. */
  judge(): Promise<Verdict>
}

/** The result of judging an assertion; an outage of the issuer is thrown instead. */
export type Verdict = Claim | { readonly ok: false; readonly reason: RejectionReason }

/** An account that its issuer vouches for now. */
export interface Claim {
  readonly ok: true
  readonly identity: Identity
  /** Set where the address does not count for the policy. */
  readonly doubt?: AddressDoubt | null
  /** The token that says so, which counts once. */
  readonly spent: SpentToken
  /** Gets the refresh token by which the account is proven from now on; asked once the account is admitted. */
  prove(): Promise<Revalidation>
}

export type RejectionReason =
  | 'malformed'
  | 'signature'
  | 'expired'
  | 'claims'
  | 'stale'
  | 'provider'
  | 'tenant'
  | 'unverified_email'
  | 'userinfo'

/** Reasons why a policy may not believe an account's address: none, not verified, or of a domain this provider may not vouch for. */
export type AddressDoubt = 'no_email' | 'email_unverified' | 'email_domain'

/** The result of asking again about an account that signed in before. */
export type Revalidation =
  | { readonly kind: 'proven'; readonly identity: Identity; readonly refreshToken: string | null }
  /** Final: the account is disabled, deleted or changed, or (`token`) this one token of it was revoked. */
  | { readonly kind: 'gone'; readonly about: 'account' | 'token'; readonly reason: string }
  /** The service answered, but not about the account: this token is odd, or a key or clock does not fit. */
  | { readonly kind: 'unclear'; readonly reason: string }
  /** The service could not be asked; nothing is known. `limitedMs`: it said to ask less often, and again after this. */
  | { readonly kind: 'unavailable'; readonly reason: string; readonly limitedMs?: number }

/** A failed sign-in without a statement on the account; answered as an outage of the responsible side. */
export class SignInFailure extends UnavailableError {
  readonly failure: SignInFailureCause

  constructor(failure: SignInFailureCause, options: ErrorOptions) {
    const isTheirs = PROVIDER_FAILURES.some((known) => known === failure)
    super(isTheirs ? 'identity_unavailable' : 'unavailable', `sign-in failed: ${failure}`, options)
    this.failure = failure
  }
}

/** Turns a provider's claim into a session: policy, limits, record and cookies included. */
export interface SignInReceiver {
  admit(claim: Claim, request: GateRequest, context: RequestContext): Promise<SignInOutcome>
  /** Records a refusal of the provider's own. */
  refuse(reason: string, context: RequestContext): SignInOutcome
  /** Counts and logs what failed without a word on an account, and says whose outage it is. */
  fail(error: unknown): 'identity_unavailable' | 'unavailable'
  /** Spends the state of a sign-in, on every gate; false when it was spent before. */
  spendState(state: string, expiresAtMs: number): Promise<boolean>
  /** Ends sessions that the provider says are over; resolves to how many. */
  end(issuer: string, ended: IssuerEnd, context: RequestContext): Promise<number>
}

export type SignInOutcome =
  /** With the cookies of the session. */
  | { readonly kind: 'started'; readonly headers: Headers }
  | {
      readonly kind: 'refused'
      readonly code: 'rejected' | 'not_admitted'
      readonly reason: string
      readonly email: string | null
    }
  | { readonly kind: 'too_many'; readonly waitSeconds: number }

/** Source of settings: the trimmed text, or undefined when unset or empty. */
export interface SettingsSource {
  text(name: string): string | undefined
  /** The same of a setting that may also be named by a file, `NAME_FILE`. */
  secret(name: string): string | undefined
}

/** A provider as its settings describe it, with nothing opened yet. */
export interface ProviderConfig {
  readonly login: LoginProvider
  /** Owner of sessions when it is the first provider. */
  readonly owner: SessionOwner
  /** Description for operators. */
  readonly summary: string
  /** Settings that are well formed and do not work for a portal at this address. */
  findProblems(origin: URL): readonly Message[]
  open(options: OpenProviderOptions): Promise<IdentityProvider>
}

/** Owner of sessions; those of another issuer or application are invalid. */
interface SessionOwner {
  readonly issuer: string
  readonly projectId: string
}

export interface OpenProviderOptions {
  readonly origin: URL
  /** File of a local service's accounts. */
  readonly accountsFile: string
  readonly onWarning: (message: string) => void
  /** Encrypts what the browser keeps for the gate on its way to the provider and back. */
  readonly seal: Seal
  readonly now: () => number
}

/** Identity configuration; an invalid one is not fatal: the gate starts, admits no account and reports the problem. */
export interface IdentityConfig {
  /** In the order in which they are offered; none when a setting is wrong. */
  readonly providers: readonly ProviderConfig[]
  /** Unusable providers that the login page shows while there are no others. */
  readonly broken: readonly LoginProvider[]
  /** Known even while another setting is wrong, so that live sessions go on. */
  readonly owner: SessionOwner
  readonly problems: readonly Message[]
}
