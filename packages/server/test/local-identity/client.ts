import { decodeJwt } from 'jose'
import { isRecord } from '../../src/local-identity/accounts/account.ts'
import { type Call, ORIGIN, type Peer } from './peer.ts'

/** Claims that the picker puts into the assertion. */
type Claims = Readonly<Record<string, unknown>>

/** Fields of a response that a flow continues with. */
export interface Answer {
  readonly localId: string
  readonly idToken: string
  readonly refreshToken: string
}

/** Asks as the Firebase SDK does (recorded from firebase 12.19 in Chromium) and notes what it reads of each answer. */
export interface Client extends Pick<Peer, 'directory'> {
  signIn(claims: Claims): Promise<Answer>
  /** `accounts:signInWithIdp` with any body. */
  assert(body: unknown): Promise<Answer>
  lookup(body: unknown, headers?: Readonly<Record<string, string>>): Promise<void>
  refresh(form: Readonly<Record<string, string>>): Promise<Answer>
  /** Any call at all, of which only the status is noted where `status` says so. */
  ask(call: Partial<Call> & Pick<Call, 'path'>, note?: 'status'): Promise<void>
  readonly notes: readonly unknown[]
}

const IDENTITY = '/identitytoolkit.googleapis.com/v1/accounts:'
export const PATHS = {
  signIn: `${IDENTITY}signInWithIdp`,
  lookup: `${IDENTITY}lookup`,
  token: '/securetoken.googleapis.com/v1/token',
} as const
const JSON_HEADERS = { 'content-type': 'application/json' }

export function createClient({ ask, directory }: Peer): Client {
  const notes: unknown[] = []
  const readable = createReader()
  async function send(call: Partial<Call> & Pick<Call, 'path'>, note?: 'status'): Promise<Answer> {
    const response = await ask({ method: 'POST', headers: JSON_HEADERS, ...call })
    const { status } = response
    const body: unknown = await response.json()
    notes.push(note === 'status' ? status : { status, body: readable(body) })
    return tokensOf(body)
  }
  const assert = (body: unknown): Promise<Answer> =>
    send({ path: `${PATHS.signIn}?key=local`, body: JSON.stringify(body) })
  return {
    notes,
    directory,
    assert,
    signIn: (claims) => assert(popupBody(claims)),
    lookup: async (body, headers = {}) => {
      const all = { ...JSON_HEADERS, ...headers }
      await send({ path: `${PATHS.lookup}?key=local`, headers: all, body: JSON.stringify(body) })
    },
    refresh: (form) =>
      send({
        path: `${PATHS.token}?key=local`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
      }),
    ask: async (call, note) => {
      await send(call, note)
    },
  }
}

/** The body after a popup or a redirect: the picker's answer is the query of `requestUri`. */
export function popupBody(claims: Claims): Record<string, unknown> {
  const query = new URLSearchParams({ providerId: 'google.com', id_token: JSON.stringify(claims) })
  return {
    requestUri: `${ORIGIN}/emulator/auth/handler?${query}`,
    sessionId: 'unused',
    returnSecureToken: true,
    returnIdpCredential: true,
  }
}

function tokensOf(body: unknown): Answer {
  const found = isRecord(body) ? body : {}
  return {
    localId: String(found.localId),
    idToken: String(found.idToken ?? found.id_token),
    refreshToken: String(found.refreshToken ?? found.refresh_token),
  }
}

/** Two services differ in ids, times and signatures; what is left of an answer has to be the same. */
function createReader(): (body: unknown) => unknown {
  const ids: string[] = []
  const nameOf = (id: string): string => {
    if (!ids.includes(id)) ids.push(id)
    return `account ${ids.indexOf(id) + 1}`
  }
  const token = (value: string): unknown => {
    const { jti: _, iat = 0, exp = 0, auth_time, sub = '', user_id, ...claims } = decodeJwt(value)
    const isRecent = Number(auth_time) <= iat && Number(auth_time) > iat - 5
    return { ...claims, sub: nameOf(sub), user_id: nameOf(String(user_id)), lifetime: exp - iat, isRecent }
  }
  const read = (value: unknown, key = ''): unknown => {
    if (Array.isArray(value)) return value.map((entry) => read(entry))
    if (key === 'error' && isRecord(value)) return errorOf(value)
    if (isRecord(value)) {
      const entries = Object.entries(value).filter(([name]) => name !== 'lastRefreshAt') // which nobody reads
      return Object.fromEntries(entries.map(([name, inner]) => [name, read(inner, name)]))
    }
    if (/^(?:id_?token|access_token)$/i.test(key)) return token(String(value))
    if (/^(?:localId|user_id)$/.test(key)) return nameOf(String(value))
    if (/^(?:createdAt|lastLoginAt)$/.test(key))
      return /^\d{13}$/.test(String(value)) ? 'milliseconds' : value
    if (/^(?:refresh_?token|oauthAccessToken)$/i.test(key)) return value === '' ? value : 'opaque'
    if (key === 'rawUserInfo') return JSON.parse(String(value))
    return value
  }
  return read
}

/** The SDK takes what stands before the colon for the code; the emulator goes on with words about itself. */
function errorOf({ code, message, status, errors }: Record<string, unknown>): unknown {
  const text = String(message)
  const known = text.startsWith('Invalid JSON payload received.') ? 'Invalid JSON payload received.' : text
  return {
    code,
    message: known.split(' : ')[0],
    status,
    isListed: Array.isArray(errors) && errors.length === 1,
  }
}
