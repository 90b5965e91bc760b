import { createHash } from 'node:crypto'
import { errors } from 'jose'
import type { SpentToken } from '../state/sessions/index.ts'
import type { RejectionReason } from './provider.ts'

/** A token that is exchanged for a session, as it is remembered: over header and payload only, since a signature has several encodings. */
export function spentTokenOf(idToken: string, expiresAtMs: number): SpentToken {
  const signed = idToken.slice(0, idToken.lastIndexOf('.'))
  return {
    digest: createHash('sha256').update(signed).digest('base64url'),
    expiresAtMs: expiresAtMs + 60_000,
  }
}

/** Jose's reason for rejecting a token; null for outages of the key set and our own faults. */
export function rejectionOf(error: unknown): RejectionReason | null {
  if (!(error instanceof errors.JOSEError)) return null
  if (error instanceof errors.JWTExpired) return 'expired'
  if (error instanceof errors.JWTClaimValidationFailed) return 'claims'
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'signature'
  if (error instanceof errors.JWKSNoMatchingKey) return 'signature'
  return 'malformed'
}
