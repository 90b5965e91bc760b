import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts what the store must keep but a leaked store must not tell. */
export interface Seal {
  close(text: string, context: string): Uint8Array
  /** Null when it was sealed with another secret or for another context, or was altered. */
  open(sealed: Uint8Array, context: string): string | null
}

const IV_BYTES = 12
const TAG_BYTES = 16
/** How long an empty text is when it is sealed. */
export const SEALED_NOTHING_BYTES = IV_BYTES + TAG_BYTES

/** AES-256-GCM under a key derived from the operator's secret; `context` binds a value to its row. */
export function createSeal(secret: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'sekisho refresh tokens v1', 32))
  return {
    close(text, context) {
      const iv = randomBytes(IV_BYTES)
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
