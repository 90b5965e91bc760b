import { beforeEach, describe, expect, it } from 'vitest'
import type { Flow, SignInOptions } from '../sign-in/flow.ts'
import { createStateStore, type StateStore } from '../sign-in/state-store.ts'
import type { IdentityService, IdentityUser } from './identity-service.ts'
import type { Admission } from './open-session.ts'
import { createSignIn } from './sign-in.ts'

const sdkError = (code: string): Error => Object.assign(new Error(`Firebase: Error (${code}).`), { code })
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
const hana: IdentityUser = {
  email: 'hana@b.example',
  readTokens: async () => ({ idToken: 'i', refreshToken: 'r' }),
}

let calls: string[]
let popup: (options: SignInOptions) => Promise<void>
let redirect: () => Promise<void>
let redirectResult: () => Promise<void>
let admission: Admission
let onUser: (user: IdentityUser | null) => void
let timers: Map<number, () => void>

beforeEach(() => {
  calls = []
  popup = async () => {}
  redirect = () => new Promise(() => {})
  redirectResult = async () => {}
  admission = { kind: 'admitted' }
  timers = new Map()
})

/** The flow with its store, as a page uses them. */
interface Page extends Pick<StateStore, 'getState'> {
  signIn(): Promise<void>
  signInByRedirect(): Promise<void>
}

function start(): Page {
  const identity: IdentityService = {
    readRedirectResult: () => redirectResult(),
    watch: (listener) => {
      onUser = listener
    },
    signInWithPopup: (options) => {
      calls.push(options.chooseAccount ? 'popup, choosing' : 'popup')
      return popup(options)
    },
    signInWithRedirect: () => {
      calls.push('redirect')
      return redirect()
    },
    signOut: async () => void calls.push('sign out'),
  }
  const store = createStateStore()
  const flow: Flow = createSignIn({
    identity,
    store,
    label: 'Google',
    openSession: async () => admission,
    onAdmitted: () => calls.push('admitted'),
    alert: (text) => calls.push(`alert ${text}`),
    log: (text) => calls.push(`log ${text}`),
    wait: (ms) => new Promise((resolve) => timers.set(ms, resolve)),
  })
  flow.start()
  const options = () => ({ chooseAccount: store.wasRefused() })
  return {
    getState: store.getState,
    signIn: () => flow.signIn(options()),
    signInByRedirect: async () => flow.signInHere?.(options()),
  }
}

describe('at start', () => {
  it('logs a redirect result that cannot be read, and carries on', async () => {
    redirectResult = () => Promise.reject(sdkError('auth/internal-error'))
    const signIn = start()
    onUser(null)
    await settle()
    expect(calls).toEqual(['log The redirect result could not be read'])
    expect(signIn.getState()).toEqual({ status: 'signed-out', notice: null })
  })

  it('sends a user returning from a redirect straight to the gate', async () => {
    start()
    onUser(hana)
    await settle()
    expect(calls).toEqual(['admitted'])
  })

  it('does not wait for ever for a silent identity service', async () => {
    const signIn = start()
    timers.get(15_000)?.()
    await settle()
    expect(signIn.getState()).toEqual({ status: 'signed-out', notice: { kind: 'no-answer' } })
  })
})

describe('signing in', () => {
  it.each(['auth/popup-blocked', 'auth/internal-error', 'auth/network-request-failed'])(
    'logs %s and goes on by redirect',
    async (code) => {
      popup = () => Promise.reject(sdkError(code))
      const signIn = start()
      onUser(null)
      void signIn.signIn()
      await settle()
      expect(calls).toEqual(['popup', 'log Popup sign-in failed; trying redirect sign-in', 'redirect'])
      expect(signIn.getState()).toMatchObject({ status: 'signing-in', via: 'redirect' })
    },
  )

  it('stays here when a later click replaced the popup', async () => {
    popup = () => Promise.reject(sdkError('auth/cancelled-popup-request'))
    const signIn = start()
    onUser(null)
    await signIn.signIn()
    expect(calls).toEqual(['popup'])
    expect(signIn.getState()).toEqual({ status: 'signed-out', notice: { kind: 'cancelled' } })
  })

  it('alerts in Japanese when the redirect fails too', async () => {
    popup = () => Promise.reject(sdkError('auth/popup-blocked'))
    redirect = () => Promise.reject(sdkError('auth/internal-error'))
    const signIn = start()
    onUser(null)
    await signIn.signIn()
    expect(calls.at(-1)).toBe('alert 認証に失敗しました: Firebase: Error (auth/internal-error).')
    expect(signIn.getState()).toMatchObject({ status: 'signed-out', notice: { kind: 'failed' } })
  })

  it('alerts when the redirect never leaves the page', async () => {
    const signIn = start()
    onUser(null)
    const done = signIn.signInByRedirect()
    timers.get(20_000)?.()
    await done
    expect(calls.at(-1)).toMatch(/^alert 認証に失敗しました: /)
  })

  it('offers redirect sign-in when the popup takes long', async () => {
    popup = () => new Promise(() => {})
    const signIn = start()
    onUser(null)
    void signIn.signIn()
    timers.get(8000)?.()
    await settle()
    expect(signIn.getState()).toMatchObject({ status: 'signing-in', isSlow: true })
  })

  it('ignores what an abandoned popup reports after a second click', async () => {
    const rejections: ((error: Error) => void)[] = []
    popup = () => new Promise((_, reject) => rejections.push(reject))
    const signIn = start()
    onUser(null)
    void signIn.signIn()
    void signIn.signIn()
    rejections[0]?.(sdkError('auth/popup-closed-by-user'))
    await settle()
    expect(signIn.getState()).toMatchObject({ status: 'signing-in', via: 'popup' })
  })
})

describe('the gate', () => {
  it('is not asked about a user without an address', async () => {
    const signIn = start()
    onUser({ ...hana, email: null })
    await settle()
    expect(calls).toEqual(['sign out'])
    expect(signIn.getState()).toEqual({ status: 'signed-out', notice: { kind: 'no-email' } })
  })

  it('refuses an account by name, and the next try asks which account', async () => {
    admission = { kind: 'refused' }
    const signIn = start()
    onUser(hana)
    await settle()
    onUser(null)
    expect(signIn.getState()).toEqual({ status: 'refused', email: 'hana@b.example' })
    await signIn.signIn()
    expect(calls).toEqual(['sign out', 'popup, choosing'])
  })

  it('leaves the reader with a reason when it cannot decide', async () => {
    admission = { kind: 'failed', reason: 'too-many-requests', retryAfterSeconds: 30 }
    const signIn = start()
    onUser(hana)
    await settle()
    expect(calls).toEqual(['sign out'])
    expect(signIn.getState()).toMatchObject({ notice: { kind: 'admission', retryAfterSeconds: 30 } })
  })

  it('is not reached when the tokens cannot be read', async () => {
    const signIn = start()
    onUser({ ...hana, readTokens: () => Promise.reject(new Error('no token')) })
    await settle()
    expect(signIn.getState()).toMatchObject({ notice: { kind: 'failed', message: 'no token' } })
  })
})
