import type { FirebaseSettings } from '@sekisho/contract/firebase'
import { type FirebaseApp, initializeApp } from 'firebase/app'
import {
  type Auth,
  browserPopupRedirectResolver,
  connectAuthEmulator,
  GoogleAuthProvider,
  getRedirectResult,
  initializeAuth,
  inMemoryPersistence,
  onAuthStateChanged,
  signInWithPopup,
  signInWithRedirect,
  signOut,
  type User,
} from 'firebase/auth'
import type { SignInOptions } from '../sign-in/flow.ts'

/** A signed-in user, as far as the login page looks. */
export interface IdentityUser {
  readonly email: string | null
  /** Read only when the gate asks: both are secrets. */
  readTokens(): Promise<{ readonly idToken: string; readonly refreshToken: string }>
}

/** The calls of the spec's section 7, and nothing else of the SDK. */
export interface IdentityService {
  readRedirectResult(): Promise<void>
  watch(onUser: (user: IdentityUser | null) => void): void
  signInWithPopup(options: SignInOptions): Promise<void>
  signInWithRedirect(options: SignInOptions): Promise<void>
  signOut(): Promise<void>
}

/** The stand-in for Google's gapi, served by the local identity service alone. */
const LOCAL_GAPI_PATH = '/emulator/sekisho/gapi.js'

/** Starts the SDK; rejects when the settings cannot work. */
export async function createIdentityService(settings: FirebaseSettings): Promise<IdentityService> {
  const { emulatorOrigin, ...firebase } = settings
  if (emulatorOrigin !== undefined) await loadScript(new URL(LOCAL_GAPI_PATH, emulatorOrigin).href)
  const auth = startAuth(initializeApp(firebase), emulatorOrigin)
  return {
    readRedirectResult: async () => {
      await getRedirectResult(auth)
    },
    watch: (onUser) => {
      onAuthStateChanged(auth, (user) => onUser(user === null ? null : toIdentityUser(user)))
    },
    signInWithPopup: async (options) => {
      await signInWithPopup(auth, createProvider(options))
    },
    signInWithRedirect: (options) => signInWithRedirect(auth, createProvider(options)),
    signOut: () => signOut(auth),
  }
}

/** Nothing is persisted in the browser: the session is the gate's cookie. */
function startAuth(app: FirebaseApp, emulatorOrigin: string | undefined): Auth {
  const auth = initializeAuth(app, {
    persistence: inMemoryPersistence,
    popupRedirectResolver: browserPopupRedirectResolver,
  })
  auth.languageCode = 'ja'
  if (emulatorOrigin !== undefined) connectAuthEmulator(auth, emulatorOrigin, { disableWarnings: true })
  return auth
}

function createProvider({ chooseAccount }: SignInOptions): GoogleAuthProvider {
  const provider = new GoogleAuthProvider()
  if (chooseAccount) provider.setCustomParameters({ prompt: 'select_account' })
  return provider
}

function toIdentityUser(user: User): IdentityUser {
  return {
    email: user.email,
    readTokens: async () => ({ idToken: await user.getIdToken(), refreshToken: user.refreshToken }),
  }
}

/** Runs a classic script of this origin; rejects when it cannot be fetched. */
function loadScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = src
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => reject(new Error(`${src} could not be loaded`)))
    document.head.append(script)
  })
}
