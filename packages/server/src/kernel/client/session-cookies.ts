import { cookieNames } from '@sekisho/contract/cookies'
import type { Reader } from '@sekisho/contract/session-response'
import type { GateRequest } from '@sekisho/wire'
import {
  KEEP_ENDS_MS,
  type Session,
  type SessionKey,
  sessionKeyOf,
  TOKEN_SHAPE,
} from '../../state/sessions/index.ts'
import { type CookieReading, readCookie, setCookie } from './cookies.ts'

/** Session of a request's cookies, without the token itself. */
type KeyReading =
  | Exclude<CookieReading, { readonly kind: 'present' }>
  | { readonly kind: 'present'; readonly key: SessionKey }

/** The two cookies of a session: the secret one, and one that lets a page show who is signed in. */
export interface SessionCookies {
  readKey(request: GateRequest): KeyReading
  /** Adds both to an answer. */
  give(headers: Headers, token: string, session: Session): void
  /** Expires both. */
  clear(headers: Headers): void
  /** Expires the display cookie: no session exists, but the other cookie can still explain its end. */
  clearReader(headers: Headers): void
}

const MAX_NAME_CHARS = 100

/** @param keyOf by which the session of a token is known here */
export function createSessionCookies(
  origin: URL,
  maxAgeSeconds: number,
  keyOf: (token: string) => SessionKey = sessionKeyOf,
): SessionCookies {
  const names = cookieNames(origin.protocol === 'https:')
  const secure = origin.protocol === 'https:'
  /** Outlives the longest session, so that its holder can be told that it became too old. */
  const sessionAgeSeconds = maxAgeSeconds + KEEP_ENDS_MS / 1_000
  function readFrom(headers: Headers): KeyReading {
    const cookie = readCookie(headers.get('cookie'), names.session, TOKEN_SHAPE)
    return cookie.kind === 'present' ? { kind: 'present', key: keyOf(cookie.value) } : cookie
  }
  function clearReader(headers: Headers): void {
    headers.append('set-cookie', setCookie(names.reader, '', { secure, httpOnly: false, maxAgeSeconds: 0 }))
  }
  return {
    readKey: ({ headers }) => readFrom(headers),
    give(headers, token, { email, name }) {
      const shown: Reader = { email, name: name?.slice(0, MAX_NAME_CHARS) ?? null }
      const reader = Buffer.from(JSON.stringify(shown)).toString('base64url')
      headers.append(
        'Set-Cookie',
        setCookie(names.session, token, { secure, httpOnly: true, maxAgeSeconds: sessionAgeSeconds }),
      )
      headers.append(
        'Set-Cookie',
        setCookie(names.reader, reader, { secure, httpOnly: false, maxAgeSeconds }),
      )
    },
    clear(headers) {
      headers.append('set-cookie', setCookie(names.session, '', { secure, httpOnly: true, maxAgeSeconds: 0 }))
      clearReader(headers)
    },
    clearReader,
  }
}
