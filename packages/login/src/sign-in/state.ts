/** Reasons for opening no session although the account may be admitted. */
export type AdmissionFailure =
  | 'rejected'
  | 'too-many-requests'
  | 'identity-unavailable'
  /** A problem of the portal's own. */
  | 'unavailable'
  | 'not-configured'
  | 'unreachable'
  /** Admitted, but the browser did not store the cookie: reloading would only end up here again. */
  | 'cookie-lost'
  | 'unexpected'

/** Something the reader should know while they stay on the login page. */
export type Notice =
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'barred' }
  | { readonly kind: 'no-email' }
  | { readonly kind: 'expired' }
  | { readonly kind: 'tenant' }
  | { readonly kind: 'unverified-email' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'no-answer' }
  | {
      readonly kind: 'admission'
      readonly reason: AdmissionFailure
      readonly retryAfterSeconds: number | null
    }

/** The visitor's state. Only `admitted` leaves this page. */
export type SignInState =
  | { readonly status: 'loading' }
  | { readonly status: 'signed-out'; readonly notice: Notice | null }
  | {
      readonly status: 'signing-in'
      readonly via: 'popup' | 'redirect'
      readonly label: string
      readonly isSlow: boolean
    }
  | { readonly status: 'asking'; readonly email: string }
  | { readonly status: 'refused'; readonly email: string }
  | { readonly status: 'admitted' }

export type SignInEvent =
  | { readonly type: 'resolved-without-user'; readonly notice: Notice | null }
  | { readonly type: 'started'; readonly via: 'popup' | 'redirect'; readonly label: string }
  | { readonly type: 'became-slow' }
  | { readonly type: 'stopped'; readonly notice: Notice }
  | { readonly type: 'user'; readonly email: string }
  | { readonly type: 'refused' }
  | { readonly type: 'admitted' }

/** The whole behaviour of the page; an event that does not fit the state changes nothing. */
export function reduceSignIn(state: SignInState, event: SignInEvent): SignInState {
  switch (event.type) {
    case 'resolved-without-user':
      return state.status === 'loading' ? { status: 'signed-out', notice: event.notice } : state
    case 'started':
      return isIdle(state) || state.status === 'signing-in'
        ? { status: 'signing-in', via: event.via, label: event.label, isSlow: false }
        : state
    case 'became-slow':
      return state.status === 'signing-in' ? { ...state, isSlow: true } : state
    case 'stopped':
      return state.status === 'admitted' ? state : { status: 'signed-out', notice: event.notice }
    case 'user':
      return state.status === 'admitted' ? state : { status: 'asking', email: event.email }
    case 'refused':
      return state.status === 'asking' ? { status: 'refused', email: state.email } : state
    case 'admitted':
      return state.status === 'asking' ? { status: 'admitted' } : state
  }
}

/** Tells if the reader may start to sign in. */
export function isIdle(state: SignInState): boolean {
  return state.status === 'signed-out' || state.status === 'refused'
}
