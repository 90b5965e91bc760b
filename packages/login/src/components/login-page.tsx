import type { LoginConfig } from '@sekisho/contract/login-page'
import type { EndReason } from '@sekisho/contract/session-answer'
import type { ReactNode } from 'react'
import { useSyncExternalStore } from 'react'
import type { SignIn } from '../sign-in/sign-in.ts'
import { isIdle, type SignInState } from '../sign-in/state.ts'
import { describeNotice, describeProgress, TEXTS } from '../texts.ts'
import { ConfigurationError } from './configuration-error.tsx'
import { Frame } from './frame.tsx'
import { GoogleButton } from './google-button.tsx'
import { LoadingPage } from './loading-page.tsx'
import { SecureNote } from './secure-note.tsx'

interface LoginPageProps {
  readonly site: LoginConfig['site']
  readonly signIn: SignIn
  /** Why the visitor's last session ended; null when there is nothing to say. */
  readonly endReason: EndReason | null
}

/** The login page once the identity service has started. */
export function LoginPage({ site, signIn, endReason }: LoginPageProps): ReactNode {
  const state = useSyncExternalStore(signIn.subscribe, signIn.getState)
  if (state.status === 'loading') return <LoadingPage site={site} />
  return (
    <Frame site={site}>
      {endReason !== null && state.status === 'signed-out' && state.notice === null && (
        <p className="notice" role="status">
          {TEXTS.ended[endReason]}
        </p>
      )}
      {state.status === 'refused' ? <Refusal email={state.email} /> : <Invitation />}
      <GoogleButton
        isBusy={!isIdle(state)}
        isDisabled={state.status === 'asking' || state.status === 'admitted'}
        onClick={() => void signIn.signIn()}
      />
      <Status state={state} />
      {state.status === 'signing-in' && state.via === 'popup' && state.isSlow && (
        <button type="button" className="quiet-button" onClick={() => void signIn.signInByRedirect()}>
          {TEXTS.logInOnThisPage}
        </button>
      )}
      <SecureNote />
    </Frame>
  )
}

/** The page without a working identity service: it can be read, but not used. */
export function BrokenPage({ site }: { readonly site: LoginConfig['site'] }): ReactNode {
  return (
    <Frame site={site}>
      <ConfigurationError />
      <Invitation />
      <GoogleButton isBusy={false} isDisabled={false} onClick={() => window.alert(TEXTS.notConfigured)} />
      <SecureNote />
    </Frame>
  )
}

function Invitation(): ReactNode {
  return (
    <div>
      <h1>{TEXTS.invitation.title}</h1>
      <p className="lead">{TEXTS.invitation.lead}</p>
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
