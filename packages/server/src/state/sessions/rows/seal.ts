import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { UnavailableError } from '../../../storage/unavailable-error.ts'

/** Encrypts what the store must keep but a leaked store must not tell. */
export interface Seal {
  /** @param atMs a time that `sealedAtMs` reads; random without one. */
  close(text: string, context: string, atMs?: number): Uint8Array
  /** Null when it was sealed with another secret or for another context, or was altered. */
  open(sealed: Uint8Array, context: string): string | null
}

/**
 * Time with which a value was sealed, as genuine as the value; any number for one sealed without. It begins the nonce, which earlier versions
 * open as they do a random one.
 */
export function sealedAtMs(sealed: Uint8Array): number {
  return sealed.length < TIME_BYTES ? 0 : Buffer.from(sealed).readUIntBE(0, TIME_BYTES)
}

/** A seal while one secret takes the place of another: opens what either closed. */
export interface ChangingSeal extends Seal {
  /** Selects the secret that seals from now on; null for none, since neither is in use: then each call fails. */
  use(which: 'current' | 'previous' | null): void
  /** Tells if the value would now be sealed with another secret. */
  isOutdated(sealed: Uint8Array, context: string): boolean
}

const IV_BYTES = 12
const TAG_BYTES = 16
const TIME_BYTES = 6
/** Length of a sealed empty text. */
export const SEALED_NOTHING_BYTES = IV_BYTES + TAG_BYTES

/** AES-256-GCM under a key derived from the operator's secret; `context` binds a value to its row. */
export function createSeal(secret: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'sekisho refresh tokens v1', 32))
  return {
    close(text, context, atMs) {
      const iv = randomBytes(IV_BYTES) // behind a time 48 random bits in each millisecond
      if (atMs !== undefined) iv.writeUIntBE(atMs, 0, TIME_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), body])
    },
    open(sealed, context) {
      try {
        const iv = sealed.subarray(0, IV_BYTES)
        const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
        decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
        const body = sealed.subarray(IV_BYTES + TAG_BYTES)
        return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
      } catch {
        return null
      }
    },
  }
}

/** Closes with the current secret until told otherwise. Calls fail with `UnavailableError` while neither secret is the one in use. */
export function createChangingSeal(secrets: {
  readonly current: string
  readonly previous: string | null
}): ChangingSeal {
  const current = createSeal(secrets.current)
  const previous = secrets.previous === null ? current : createSeal(secrets.previous)
  let inUse: Seal | null = current
  const closing = () => {
    if (inUse !== null) return inUse
    throw new UnavailableError('unavailable', 'SEKISHO_SECRET is another one than sessions are sealed with')
  }
  return {
    use(which) {
      inUse = which === null ? null : { current, previous }[which]
    },
    close: (text, context, atMs) => closing().close(text, context, atMs),
    open(sealed, context) {
      const first = closing()
      const other = first === current ? previous : current
      return first.open(sealed, context) ?? (other === first ? null : other.open(sealed, context))
    },
    isOutdated: (sealed, context) => closing().open(sealed, context) === null,
  }
}
