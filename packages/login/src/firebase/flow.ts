import { FIREBASE, isFirebaseSettings } from '@sekisho/contract/firebase'
import type { FlowKind } from '../sign-in/flow.ts'
import { createIdentityService } from './identity-service.ts'
import { openSession } from './open-session.ts'
import { createSignIn } from './sign-in.ts'

/** Signing in by Firebase's SDK: it brings tokens, and the gate takes them for a session. */
export const firebase: FlowKind = {
  async createFlow({ provider, sessionEndpoint, ...context }) {
    const { label, settings } = provider
    if (!isFirebaseSettings(settings))
      throw new Error('apiKey, authDomain or projectId is missing or not a real value')
    return createSignIn({
      ...context,
      identity: await createIdentityService(settings),
      openSession: (tokens) => openSession(fetch, sessionEndpoint, tokens),
      label,
    })
  },
  button: FIREBASE.button,
}
