/** What pages and theme components of a site may use in the browser. */
export type { Reader } from '@sekisho/contract/session-answer'
export type { Session } from './session/session.ts'
export { SignOutError } from './session/session-api.ts'
export { signOut } from './session/tab-session.ts'
export { useSession } from './session/use-session.ts'
