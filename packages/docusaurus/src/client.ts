/** Exports for pages and theme components of a site, in the browser. */
export type { Reader } from '@sekisho/contract/session-response'
export type { Session } from './session/session-store.ts'
export { SignOutError, signOut } from './session/sign-out.ts'
export { useSession } from './session/tab-session.ts'
