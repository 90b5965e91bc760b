import { type EndReason, readEndReason } from '@sekisho/contract/session-response'

/** Reads why this browser's last session ended. Null without one, after a sign-out, and without a response. */
export async function askEndReason(fetcher: typeof fetch, endpoint: string): Promise<EndReason | null> {
  try {
    const response = await fetcher(endpoint, { credentials: 'same-origin', cache: 'no-store' })
    return response.status === 401 ? readEndReason(await response.json()) : null
  } catch {
    return null
  }
}
