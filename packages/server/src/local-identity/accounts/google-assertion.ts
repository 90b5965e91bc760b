import { parseOrNull } from '@sekisho/contract/json-shape'
import { isRecord, textOrNull } from './account.ts'

/** Google's statement on an account: here the picker's, unverified. */
export interface GoogleProfile {
  readonly googleId: string
  readonly email: string | null
  readonly emailVerified: boolean
  readonly displayName: string | null
  readonly photoUrl: string | null
}

/** `code` is an error code of the real service. */
type ReadAssertion =
  | { readonly ok: true; readonly profile: GoogleProfile; readonly idToken: string }
  | { readonly ok: false; readonly code: string }

/**
 * Reads the body of `accounts:signInWithIdp`: the assertion stands in the query of `requestUri` after a popup or a
 * redirect, and in `postBody` when an application brings the credential itself.
 */
export function readAssertion(body: Readonly<Record<string, unknown>>): ReadAssertion {
  // A token in the body would link a second identity to its account, which no call of ours asks for.
  if ('idToken' in body) return refuse('INVALID_IDP_RESPONSE')
  const requestUri = textOrNull(body.requestUri)
  if (requestUri === null) return refuse('MISSING_REQUEST_URI')
  const parameters = URL.parse(requestUri)?.searchParams
  if (parameters === undefined) return refuse('INVALID_REQUEST_URI')
  for (const [name, value] of new URLSearchParams(textOrNull(body.postBody) ?? ''))
    parameters.set(name, value)

  const provider = textOrNull(parameters.get('providerId'))?.toLowerCase()
  if (provider === undefined) return refuse('INVALID_CREDENTIAL_OR_PROVIDER_ID')
  if (provider !== 'google.com') return refuse('OPERATION_NOT_ALLOWED')
  const idToken = parameters.get('id_token') ?? ''
  const profile = readProfile(idToken)
  return profile === null ? refuse('INVALID_IDP_RESPONSE') : { ok: true, profile, idToken }
}

/** The profile for the SDK, in the form of the real service. */
export function describeAssertion(profile: GoogleProfile, idToken: string): Record<string, unknown> {
  const { googleId, emailVerified } = profile
  const [displayName, email, photoUrl] = [profile.displayName, profile.email, profile.photoUrl].map(
    (value) => value ?? undefined, // left out of the JSON
  )
  const scopes = ['openid', 'https://www.googleapis.com/auth/userinfo.profile']
  if (email !== undefined) scopes.push('https://www.googleapis.com/auth/userinfo.email')
  return {
    kind: 'identitytoolkit#VerifyAssertionResponse',
    context: '',
    providerId: 'google.com',
    displayName,
    fullName: displayName,
    email,
    emailVerified,
    photoUrl,
    rawUserInfo: JSON.stringify({
      granted_scopes: scopes.join(' '),
      id: googleId,
      name: displayName,
      verified_email: emailVerified,
      locale: 'en',
      email,
      picture: photoUrl,
    }),
    federatedId: `https://accounts.google.com/${googleId}`,
    oauthAccessToken: 'no-access-token-of-google',
    oauthIdToken: idToken,
  }
}

/** The picker writes the claims as plain JSON: there is no Google that could have signed them. */
function readProfile(idToken: string): GoogleProfile | null {
  const claims = parseOrNull(idToken)
  if (!isRecord(claims) || [claims.sub, claims.name, claims.email, claims.picture].some(isWrongType))
    return null
  const googleId = textOrNull(claims.sub)
  if (googleId === null) return null
  return {
    googleId,
    email: textOrNull(claims.email)?.toLowerCase() ?? null,
    emailVerified: claims.email_verified === true,
    displayName: textOrNull(claims.name),
    photoUrl: textOrNull(claims.picture),
  }
}

function isWrongType(claim: unknown): boolean {
  return claim !== undefined && typeof claim !== 'string'
}

function refuse(code: string): ReadAssertion {
  return { ok: false, code }
}
