import { viewCookieName } from '@sekisho/contract/cookies'
import type { GateRequest } from '@sekisho/wire'
import { readCookie, setCookie } from '../kernel/client/cookies.ts'
import type { Seal, Session } from '../state/sessions/index.ts'

/** The edition a reader views, kept by their browser. */
export interface Views {
  /** The edition that was asked for in this session and in no other; null for none. */
  read(request: GateRequest, session: Session): string | null
  /** Has the browser ask for an edition from now on, in this session. */
  begin(session: Session, edition: string): string
  end(): string
}

const SHAPE = /^[A-Za-z0-9_-]{38,120}$/
const VIEW_SECONDS = 8 * 3_600

/**
 * Keeps the viewed edition in a cookie that only a gate can write, sealed for one session on one host: it ends with that session, and each
 * beginning has its line in the trail.
 */
export function createViews(origin: URL, seal: Seal): Views {
  const secure = origin.protocol === 'https:'
  const name = viewCookieName(secure)
  const contextOf = ({ id }: Session) => JSON.stringify(['viewing as', origin.host, id])
  const write = (value: string, maxAgeSeconds: number) =>
    setCookie(name, value, { secure, httpOnly: true, maxAgeSeconds })
  return {
    read({ headers }, session) {
      const cookie = readCookie(headers.get('cookie'), name, SHAPE)
      if (cookie.kind !== 'present') return null
      return seal.open(Buffer.from(cookie.value, 'base64url'), contextOf(session))
    },
    begin(session, edition) {
      const sealed = Buffer.from(seal.close(edition, contextOf(session))).toString('base64url')
      return write(sealed, VIEW_SECONDS)
    },
    end: () => write('', 0),
  }
}
