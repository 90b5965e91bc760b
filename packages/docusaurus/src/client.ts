/** What pages and theme components of a site may use in the browser. */
export type { Reader } from '@sekisho/contract/session-answer'
export { SignOutError } from './session/session-api.ts'
export type { Session } from './session/session-store.ts'
export { signOut, useSession } from './session/tab-session.ts'
