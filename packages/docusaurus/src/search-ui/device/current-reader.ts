import { sessionStore } from '../../session/tab-session.ts'

/** Whose device memory it is; null while that is unknown, and then nothing is kept. */
export function currentReader(): string | null {
  const session = sessionStore.get()
  return session.status === 'signed-in' ? session.email : null
}
