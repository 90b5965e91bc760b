import type { Message } from '@sekisho/contract/language'
import type { JWTPayload } from 'jose'
import { problemOf } from '../texts/index.ts'

/** Deviations of a provider from OpenID Connect Core, and its additional claims. */
export interface Vendor {
  /** By which groups and addresses of the gate name it, unless the operator says otherwise. */
  readonly name: string
  /** Readers' name for its accounts. */
  readonly label: string
  readonly scopes: string
  /** Beside those of every request for an authorization. */
  readonly parameters: Readonly<Record<string, string>>
  /** Problem of an issuer in this setting; null without one. */
  findProblem(issuer: URL, setting: string): Message | null
  /** The stable id of the account, or null for a token that is not of this issuer's tenant. */
  readSubject(claims: JWTPayload, issuer: URL): string | null
  /** One company's accounts, documented to come without `email_verified` and with their address as `preferred_username`. */
  readonly isFixedTenant: boolean
  /** Absence of `email_verified` is left to the operator's list of domains; false where the vendor documents that it is always sent. */
  readonly mayOmitVerified: boolean
  /** Accepts `email_verified` without evidence of the company. */
  readonly verifiesAnyAddress: boolean
  /** Requires an ID token of the session for its logout. */
  readonly needsLogoutHint: boolean
  /** Tells if the list of groups is incomplete. */
  isCut(claims: JWTPayload, groups: readonly unknown[] | undefined): boolean
}

const STANDARD: Vendor = {
  name: 'oidc',
  label: 'SSO',
  scopes: 'openid profile email offline_access',
  parameters: {},
  findProblem: () => null,
  readSubject: ({ sub }) => sub ?? null,
  isFixedTenant: false,
  mayOmitVerified: true,
  verifiesAnyAddress: true,
  needsLogoutHint: false,
  isCut: () => false,
}

const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** The tenant that every personal Microsoft account belongs to. */
const PERSONAL_TENANT = '9188040d-6c67-4c5b-b112-36a304b66dad'
const tenantOf = ({ pathname }: URL) => /^\/([^/]+)\/v2\.0$/.exec(pathname)?.[1]?.toLowerCase() ?? ''

/** `sub` differs by application there; tenant and object do not (entra-docs, claims-validation). */
const ENTRA: Vendor = {
  ...STANDARD,
  name: 'entra',
  label: 'Microsoft',
  findProblem(issuer, setting) {
    const tenant = tenantOf(issuer)
    return GUID.test(tenant) && tenant !== PERSONAL_TENANT ? null : problemOf('any_tenant', setting)
  },
  readSubject({ tid, oid }, issuer) {
    const isOurs = typeof tid === 'string' && tid.toLowerCase() === tenantOf(issuer)
    return isOurs && typeof oid === 'string' && oid !== ''
      ? `${tid.toLowerCase()}:${oid.toLowerCase()}`
      : null
  },
  isFixedTenant: true,
  isCut: ({ _claim_names: elsewhere, hasgroups }) =>
    hasgroups === true || (typeof elsewhere === 'object' && elsewhere !== null && 'groups' in elsewhere),
}

/** An account of any company, or of none, has a verified address: `hd` says that its company manages it. */
const GOOGLE: Vendor = {
  ...STANDARD,
  name: 'google',
  label: 'Google',
  scopes: 'openid profile email',
  parameters: { access_type: 'offline', prompt: 'consent' },
  mayOmitVerified: false,
  verifiesAnyAddress: false,
}

/** Tells of no more groups than this, and does not say that there are more (developer.hashicorp.com, vault: okta). */
const OKTA_GROUPS = 100
const OKTA: Vendor = {
  ...STANDARD,
  name: 'okta',
  label: 'Okta',
  scopes: 'openid profile email groups offline_access',
  mayOmitVerified: false,
  needsLogoutHint: true,
  isCut: (_claims, groups = []) => groups.length >= OKTA_GROUPS,
}

/** Gives refresh tokens without being asked; `offline_access` would make ones that outlive its own session. */
const KEYCLOAK: Vendor = {
  ...STANDARD,
  name: 'keycloak',
  label: 'Keycloak',
  scopes: 'openid profile email',
  mayOmitVerified: false,
}

const BY_HOST: readonly (readonly [RegExp, Vendor])[] = [
  [/^login\.microsoftonline\.(?:com|us)$/, ENTRA],
  [/^accounts\.google\.com$/, GOOGLE],
  [/\.(?:okta|okta-emea|oktapreview)\.com$/, OKTA],
]

export const VENDORS = {
  oidc: STANDARD,
  entra: ENTRA,
  google: GOOGLE,
  okta: OKTA,
  keycloak: KEYCLOAK,
} as const

/** The vendor of an issuer; one that nothing special is known of keeps to the standard. */
export function vendorOf({ hostname, pathname }: URL): Vendor {
  const found = BY_HOST.find(([host]) => host.test(hostname))?.[1]
  return found ?? (/^(?:\/auth)?\/realms\//.test(pathname) ? KEYCLOAK : STANDARD)
}
