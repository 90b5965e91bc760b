import type { JWTPayload } from 'jose'
import type { Identity } from '../../state/sessions/index.ts'
import type { AddressDoubt, RejectionReason } from '../provider.ts'
import type { OidcSettings } from './oidc-settings.ts'

/** The account that the claims of a verified ID token name, or why they name none of this provider. */
type AccountReading =
  | { readonly ok: true; readonly identity: Identity; readonly doubt: AddressDoubt | null }
  | { readonly ok: false; readonly reason: RejectionReason }

const MAX_CHARS = 254
const MAX_GROUPS = 1_000

/** Reads who it is, and what the provider vouches for beside: the address, and groups by its own ids. */
export function readAccount(claims: JWTPayload, settings: OidcSettings): AccountReading {
  const { vendor, issuer, domains } = settings
  const sub = vendor.readSubject(claims, new URL(issuer))
  if (sub === null) return { ok: false, reason: 'tenant' }
  if (sub === '' || sub.length > MAX_CHARS) return { ok: false, reason: 'claims' }
  if (
    vendor.name === 'google' &&
    domains.length > 0 &&
    !domains.includes(textOf(claims.hd)?.toLowerCase() ?? '')
  )
    return { ok: false, reason: 'tenant' }
  const email = addressOf(claims, vendor)
  const doubt = email === null ? 'no_email' : doubtOf(email, claims, settings)
  const { groups, hasAllGroups } = readGroups(claims, settings)
  return {
    ok: true,
    identity: {
      issuer,
      sub,
      email: email ?? sub,
      name: textOf(claims.name),
      sid: textOf(claims.sid),
      vouched: { address: doubt === null, groups, hasAllGroups },
    },
    doubt,
  }
}

/** The address that claims name, whether or not it is verified. */
export function addressOf(claims: JWTPayload, { isFixedTenant }: OidcSettings['vendor']): string | null {
  return textOf(claims.email) ?? (isFixedTenant ? textOf(claims.preferred_username) : null)
}

/** Spellings of true in `xms_edov`, which Entra sends as a boolean, a number or a text. */
const DOMAIN_VERIFIED: ReadonlySet<unknown> = new Set([true, 1, '1', 'true'])

/**
 * Reason why a policy may not believe the address; null where it may. An address proves nothing where its holder, or the administrator of
 * any tenant, can write it (nOAuth); the operator's list of domains limits the addresses a provider may vouch for.
 */
function doubtOf(email: string, claims: JWTPayload, { vendor, domains }: OidcSettings): AddressDoubt | null {
  const { email_verified: isVerified, xms_edov: isDomainVerified, hd } = claims
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  const isListed = domains.includes(domain)
  const mayBeAbsent = vendor.isFixedTenant || (isListed && vendor.mayOmitVerified)
  if (isVerified !== true && !(isVerified === undefined && mayBeAbsent)) return 'email_unverified'
  if (isDomainVerified !== undefined && !DOMAIN_VERIFIED.has(isDomainVerified)) return 'email_unverified'
  if (domains.length > 0) return isListed ? null : 'email_domain'
  const isOfCompany = vendor.isFixedTenant || vendor.verifiesAnyAddress || textOf(hd) !== null
  return isOfCompany || domain === 'gmail.com' ? null : 'email_domain'
}

/** Groups as a policy names them: `NAME:ID`, and roles as `role:ID` of the first provider, `NAME:role:ID` of any. */
function readGroups(claims: JWTPayload, settings: OidcSettings) {
  const { name, vendor, groupsClaim, isFirst } = settings
  const said = claims[groupsClaim]
  const list = Array.isArray(said) ? said : undefined
  const isOdd = said !== undefined && list === undefined
  const hasAllGroups = !isOdd && !vendor.isCut(claims, list) && (list?.length ?? 0) <= MAX_GROUPS
  const ids = hasAllGroups ? textsOf(list) : []
  const roles = textsOf(claims.roles)
  return {
    hasAllGroups,
    groups: [
      ...ids.filter((id) => !id.startsWith('role:')).map((id) => `${name}:${id}`),
      ...roles.flatMap((role) => [`${name}:role:${role}`, ...(isFirst ? [`role:${role}`] : [])]),
    ],
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= MAX_CHARS ? value : null
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.slice(0, MAX_GROUPS).flatMap((one) => textOf(one) ?? []) : []
}
