import { hash } from 'node:crypto'

/** What a session token looks like: 256 random bits in base64url. */
export const TOKEN_SHAPE = /^[A-Za-z0-9_-]{43}$/

declare const kind: unique symbol

/** base64url SHA-256 of a session's token: by it memory and disk know a session, and nobody can sign in with it. */
export type SessionKey = string & { readonly [kind]: 'SessionKey' }

export function sessionKeyOf(token: string): SessionKey {
  return hash('sha256', token, 'base64url') as SessionKey
}

/** The same of a session that counts on one preview's host: on every other its token is nobody's. */
export function previewSessionKeyOf(host: string, token: string): SessionKey {
  return hash('sha256', `${host}\n${token}`, 'base64url') as SessionKey
}
