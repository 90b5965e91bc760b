import { type EndReason, readEndReason } from '@sekisho/contract/session-response'

/** Asks the gate why this browser's last session ended. Null when it had none, ended it itself, or nobody answers. */
export async function askEndReason(fetcher: typeof fetch, endpoint: string): Promise<EndReason | null> {
  try {
    const response = await fetcher(endpoint, { credentials: 'same-origin', cache: 'no-store' })
    return response.status === 401 ? readEndReason(await response.json()) : null
  } catch {
    return null
  }
}
