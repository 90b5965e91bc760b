import { hash } from 'node:crypto'

/** Form of a session token: 256 random bits in base64url. */
export const TOKEN_SHAPE = /^[A-Za-z0-9_-]{43}$/

declare const kind: unique symbol

/** base64url SHA-256 of a session's token: the key in memory and on disk, useless for signing in. */
export type SessionKey = string & { readonly [kind]: 'SessionKey' }

export function sessionKeyOf(token: string): SessionKey {
  return hash('sha256', token, 'base64url') as SessionKey
}

/** Key of a session for one preview's host: its token is invalid on every other. */
export function previewSessionKeyOf(host: string, token: string): SessionKey {
  return hash('sha256', `${host}\n${token}`, 'base64url') as SessionKey
}
