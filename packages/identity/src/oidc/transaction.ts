import { readCookie, setCookie } from '@sekisho/frame/cookies'
import type { Seal } from '@sekisho/state/sessions'
import type { GateRequest } from '@sekisho/wire'

/** What the gate has to know again when the browser comes back from the provider; the browser keeps it, sealed. */
export interface Transaction {
  readonly nonce: string
  readonly codeVerifier: string
  /** Path, query and fragment of the page that was asked for. */
  readonly returnTo: string
  /** Whether the provider was to answer without showing anything. */
  readonly isSilent: boolean
  readonly startedAtMs: number
}

const LIFE_MS = 600_000
const SEALED = /^[A-Za-z0-9_-]{1,4000}$/

/** Cookies that bind a sign-in to the browser that began it; one for each, so that two tabs do not disturb each other. */
export interface Transactions {
  /** The Set-Cookie of a new one. */
  begin(state: string, transaction: Transaction): string
  /** The one that `state` names, if this browser began it and it is not too old; and the Set-Cookie that forgets it. */
  take(
    state: string,
    request: GateRequest,
  ): { readonly transaction: Transaction | null; readonly forget: string }
}

export function createTransactions(options: {
  readonly seal: Seal
  readonly secure: boolean
  readonly provider: string
  readonly now: () => number
}): Transactions {
  const { seal, secure, provider, now } = options
  const nameOf = (state: string) => `${secure ? '__Host-' : ''}sekisho-sign-in-${state.slice(0, 8)}`
  const contextOf = (state: string) => `sign-in ${provider} ${state}`
  return {
    begin(state, transaction) {
      const sealed = seal.close(JSON.stringify(transaction), contextOf(state))
      const value = Buffer.from(sealed).toString('base64url')
      return setCookie(nameOf(state), value, { secure, httpOnly: true, maxAgeSeconds: LIFE_MS / 1_000 })
    },
    take(state, { headers }) {
      const name = nameOf(state)
      const forget = setCookie(name, '', { secure, httpOnly: true, maxAgeSeconds: 0 })
      const cookie = readCookie(headers.get('cookie'), name, SEALED)
      const text =
        cookie.kind === 'present' ? seal.open(Buffer.from(cookie.value, 'base64url'), contextOf(state)) : null
      const transaction = text === null ? null : (JSON.parse(text) as Transaction) // sealed by us
      const ageMs = transaction === null ? -1 : now() - transaction.startedAtMs
      return { transaction: ageMs >= 0 && ageMs < LIFE_MS ? transaction : null, forget }
    },
  }
}
