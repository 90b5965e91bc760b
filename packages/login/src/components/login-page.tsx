import type { LoginConfig } from '@sekisho/contract/login-page'
import type { EndReason } from '@sekisho/contract/session-response'
import { type ComponentType, type ReactNode, useSyncExternalStore } from 'react'
import type { Flow } from '../sign-in/flow.ts'
import { isIdle, type SignInState } from '../sign-in/state.ts'
import type { StateStore } from '../sign-in/state-store.ts'
import { describeNotice, describeProgress, TEXTS } from '../texts/index.ts'
import { Frame } from './frame.tsx'
import { LoadingPage } from './loading-page.tsx'

/** One provider's button. */
export interface Offer {
  /** The organisation or service of its accounts, in readers' words. */
  readonly label: string
  readonly text: string
  readonly Logo?: ComponentType | undefined
}

export interface StartedOffer extends Offer {
  readonly flow: Flow
}

interface LoginPageProps {
  readonly site: LoginConfig['site']
  readonly store: StateStore
  readonly offers: readonly StartedOffer[]
  /** Reason for the end of the visitor's last session; null without a message. */
  readonly endReason: EndReason | null
}

/** The login page once its providers have started. */
export function LoginPage({ site, store, offers, endReason }: LoginPageProps): ReactNode {
  const state = useSyncExternalStore(store.subscribe, store.getState)
  if (state.status === 'loading') return <LoadingPage site={site} />
  const chooseAccount = store.wasRefused()
  const slow = state.status === 'signing-in' && state.via === 'popup' && state.isSlow ? state.label : null
  const here = offers.find(({ label }) => label === slow)?.flow.signInHere
  return (
    <Frame site={site}>
      {endReason !== null && state.status === 'signed-out' && state.notice === null && (
        <p className="notice" role="status">
          {TEXTS.ended[endReason]}
        </p>
      )}
      {state.status === 'refused' ? <Refusal email={state.email} /> : <Invitation offers={offers} />}
      {offers.map(({ text, Logo, flow }) => (
        <LoginButton
          key={text}
          text={text}
          Logo={Logo}
          isBusy={!isIdle(state)}
          isDisabled={state.status === 'asking' || state.status === 'admitted'}
          onClick={() => void flow.signIn({ chooseAccount })}
        />
      ))}
      <Status state={state} />
      {here !== undefined && (
        <button type="button" className="quiet-button" onClick={() => void here({ chooseAccount })}>
          {TEXTS.logInOnThisPage}
        </button>
      )}
      <SecureNote />
    </Frame>
  )
}

interface BrokenPageProps {
  readonly site: LoginConfig['site']
  readonly offers: readonly Offer[]
}

/** The page without a working identity service: it can be read, but not used. */
export function BrokenPage({ site, offers }: BrokenPageProps): ReactNode {
  const sayWhy = () => window.alert(TEXTS.notConfigured)
  return (
    <Frame site={site}>
      <ConfigurationError />
      <Invitation offers={offers} />
      {offers.map(({ text, Logo }) => (
        <LoginButton key={text} text={text} Logo={Logo} isBusy={false} isDisabled={false} onClick={sayWhy} />
      ))}
      <SecureNote />
    </Frame>
  )
}

function Invitation({ offers }: { readonly offers: readonly Offer[] }): ReactNode {
  const [only, ...others] = offers
  return (
    <div>
      <h1>{TEXTS.invitation.title}</h1>
      <p className="lead">
        {TEXTS.invitation.lead(only === undefined || others.length > 0 ? null : only.label)}
      </p>
    </div>
  )
}

function Refusal({ email }: { readonly email: string }): ReactNode {
  return (
    <div role="alert">
      <h1>{TEXTS.refusal.title}</h1>
      <p className="lead">
        <strong className="email">{email}</strong>
        {TEXTS.refusal.lead}
      </p>
      <p>{TEXTS.refusal.advice}</p>
    </div>
  )
}

/** Always in the document, so that screen readers hear what changes in it. */
function Status({ state }: { readonly state: SignInState }): ReactNode {
  const progress = describeProgress(state)
  const notice = state.status === 'signed-out' ? state.notice : null
  return (
    <div className="status" role="status">
      {progress !== null && <p className="progress">{progress}</p>}
      {notice !== null && <p className="notice">{describeNotice(notice)}</p>}
    </div>
  )
}

/** Notice of a wrong setting; only the gate's log names it, never this page. */
function ConfigurationError(): ReactNode {
  return (
    <section className="configuration-error" role="alert" aria-labelledby="configuration-error">
      <h2 id="configuration-error">{TEXTS.configurationError.title}</h2>
      <p>{TEXTS.configurationError.advice}</p>
    </section>
  )
}

function SecureNote(): ReactNode {
  return (
    <p className="secure-note">
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M12 2 4 5v6c0 5 3.4 9.3 8 11 4.600-1.700 8-6 8-11V5zm-1.200 14.400-3.700-3.700 1.500-1.500 2.200 2.200 4.700-4.700 1.500 1.500z" />
      </svg>
      <span>{TEXTS.secureNote}</span>
    </p>
  )
}

interface LoginButtonProps {
  readonly text: string
  readonly Logo?: ComponentType | undefined
  /** A sign-in is in progress; the button still starts another one. */
  readonly isBusy: boolean
  readonly isDisabled: boolean
  readonly onClick: () => void
}

/** Button that starts sign-in; one for each provider. */
function LoginButton({ text, Logo, isBusy, isDisabled, onClick }: LoginButtonProps): ReactNode {
  return (
    <button type="button" className="login-button" aria-busy={isBusy} disabled={isDisabled} onClick={onClick}>
      {Logo !== undefined && <Logo />}
      <span>{text}</span>
    </button>
  )
}
