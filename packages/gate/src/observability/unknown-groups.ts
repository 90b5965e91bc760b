import type { Log } from './log.ts'

/** Tells operators of an account whose groups its provider does not tell whole, so that it has none. */
export function logUnknownGroups(log: Log, session: string): void {
  const advice = 'decisions/182 and the handbook say what to set at the provider'
  log('warn', 'groups_unknown', { session, advice })
}
