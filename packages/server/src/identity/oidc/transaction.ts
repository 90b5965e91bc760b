import type { GateRequest } from '@sekisho/wire'
import { readCookie, setCookie } from '../../kernel/client/cookies.ts'
import type { Seal } from '../../state/sessions/index.ts'

/** State to recover when the browser returns from the provider; the browser keeps it, sealed. */
export interface Transaction {
  readonly nonce: string
  readonly codeVerifier: string
  /** Path, query and fragment of the page that was asked for. */
  readonly returnTo: string
  /** The provider must respond without showing anything. */
  readonly isSilent: boolean
  readonly startedAtMs: number
}

const LIFE_MS = 600_000
/** Sign-ins that a browser may have begun at a time; each cookie has up to 4 KB, and a request 16. */
const MAX_BEGUN = 5
/** Sign-ins that a gate remembers as finished: some 170 a second. */
const MAX_TAKEN = 100_000
const SEALED = /^[A-Za-z0-9_-]{1,4000}$/

/** Cookies that bind a sign-in to the browser that began it; one for each, so that two tabs do not disturb each other. */
export interface Transactions {
  /** The Set-Cookie of a new one, and those that forget the oldest of too many: all of them travel with every request. */
  begin(state: string, transaction: Transaction, request: Pick<GateRequest, 'headers'>): readonly string[]
  /**
   * The transaction of `state`, once at this gate, if this browser began it recently: a replayed cookie could cause a provider request per code.
   * `cookie` is the Set-Cookie that keeps only the page, for ten minutes, so that going back leads there.
   */
  take(
    state: string,
    request: GateRequest,
  ): {
    readonly transaction: Transaction | null
    /** Time from which its cookie is invalid at every gate. */
    readonly expiresAtMs: number
    readonly returnTo: string | null
    /** The way here is repeated: this browser was let back to the page already. */
    readonly isRepeated: boolean
    readonly cookie: string
  }
}

/** Names of cookies that begin like this, in the order in which they were sent. */
function namesIn(header: string, prefix: string): readonly string[] {
  const names = header
    .split(';')
    .map((pair) => pair.slice(0, (pair.indexOf('=') + 1 || pair.length + 1) - 1).trim())
  return names.filter((name) => name.startsWith(prefix) && /^[A-Za-z0-9_-]+$/.test(name))
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
  const doneContextOf = (state: string) => `sign-in done ${provider} ${state}`
  const taken = new Map<string, number>() // state to when it was taken, oldest first

  /** True for the first use; used transactions are remembered while their cookie is valid. */
  function takeOnce(state: string): boolean {
    for (const [known, atMs] of taken) {
      if (now() - atMs < LIFE_MS && taken.size < MAX_TAKEN) break
      taken.delete(known)
    }
    if (taken.has(state)) return false
    taken.set(state, now())
    return true
  }

  return {
    begin(state, transaction, { headers }) {
      const sealed = seal.close(JSON.stringify(transaction), contextOf(state))
      const value = Buffer.from(sealed).toString('base64url')
      const begun = setCookie(nameOf(state), value, {
        secure,
        httpOnly: true,
        maxAgeSeconds: LIFE_MS / 1_000,
      })
      // browsers send the oldest first (RFC 6265 §5.4)
      const surplus = namesIn(headers.get('cookie') ?? '', nameOf('')).slice(0, 1 - MAX_BEGUN)
      return [
        begun,
        ...surplus.map((name) => setCookie(name, '', { secure, httpOnly: true, maxAgeSeconds: 0 })),
      ]
    },
    take(state, { headers }) {
      const name = nameOf(state)
      const found = readCookie(headers.get('cookie'), name, SEALED)
      const sealed = found.kind === 'present' ? Buffer.from(found.value, 'base64url') : null
      const text = sealed === null ? null : seal.open(sealed, contextOf(state))
      const transaction = text === null ? null : (JSON.parse(text) as Transaction) // sealed by us
      const ageMs = transaction === null ? -1 : now() - transaction.startedAtMs
      const isValid = ageMs >= 0 && ageMs < LIFE_MS && takeOnce(state)
      const done = sealed === null || text !== null ? null : seal.open(sealed, doneContextOf(state))
      const returnTo = transaction?.returnTo ?? done
      const value =
        returnTo === null ? '' : Buffer.from(seal.close(returnTo, doneContextOf(state))).toString('base64url')
      const maxAgeSeconds = returnTo === null ? 0 : LIFE_MS / 1_000
      const cookie = setCookie(name, value, { secure, httpOnly: true, maxAgeSeconds })
      return {
        transaction: isValid ? transaction : null,
        returnTo,
        isRepeated: done !== null,
        cookie,
        expiresAtMs: (transaction?.startedAtMs ?? 0) + LIFE_MS,
      }
    },
  }
}
