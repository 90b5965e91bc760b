import { type OwnSession, readOwnSessions } from '@sekisho/contract/own-sessions'
import { PATHS } from '@sekisho/contract/paths'
import { request } from './session-api.ts'

/** Asks the gate where the account is signed in; nothing when the gate does not say. Never throws. */
export async function listSessions(fetcher: typeof fetch): Promise<readonly OwnSession[]> {
  try {
    const response = await fetcher(PATHS.sessions, request('GET'))
    return response.status === 200 ? readOwnSessions(await response.json()) : []
  } catch {
    return []
  }
}
