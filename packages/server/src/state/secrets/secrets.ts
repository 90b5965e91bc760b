import { hkdfSync } from 'node:crypto'
import { ExplainedError } from '@sekisho/contract/explained-error'
import { problemOf } from '../../storage/texts/index.ts'

/** The operator's secret, and the one that it takes the place of while it is being replaced. */
export interface Secrets {
  readonly current: string
  readonly previous: string | null
}

/** The secret that seals now. */
export type SecretInUse = keyof Secrets

/** None of the secrets is the one that what is kept was sealed with; the message says what to do. */
export class SecretError extends ExplainedError {
  override readonly name = 'SecretError'
  readonly code = 'secret_is_another'
}

/** The secret of stored data. */
export interface SecretRecord {
  /**
   * Resolves to the secret that closes seals now, and keeps the first one that it is asked with. A gate asks every ten seconds: the
   * newer one takes over once every gate that runs knows it. Rejects with {@link SecretError} when it is neither.
   */
  agree(): Promise<SecretInUse>
}

const FINGERPRINT_BYTES = 12

/** By what secrets are told apart without telling anything of them: 24 hex digits. */
export function secretFingerprintOf(secret: string): string {
  return Buffer.from(
    hkdfSync('sha256', secret, '', 'sekisho secret fingerprint v1', FINGERPRINT_BYTES),
  ).toString('hex')
}

/** Fingerprints of the secrets that are known, the newest first. */
export function fingerprintsOf({ current, previous }: Secrets): readonly string[] {
  return [current, ...(previous === null ? [] : [previous])].map(secretFingerprintOf)
}

/** Throws {@link SecretError} for a fingerprint of neither secret. */
export function secretInUse(fingerprint: string, secrets: Secrets): SecretInUse {
  const at = fingerprintsOf(secrets).indexOf(fingerprint)
  if (at === -1) {
    throw new SecretError(problemOf('other_secret', secretFingerprintOf(secrets.current), fingerprint))
  }
  return at === 0 ? 'current' : 'previous'
}
