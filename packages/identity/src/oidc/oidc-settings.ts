import type { Vendor } from './vendors.ts'

/** One OpenID provider, as the operator describes it. */
export interface OidcSettings {
  /** By which groups, addresses and the audit trail name it. */
  readonly name: string
  readonly label: string
  readonly vendor: Vendor
  /** Exactly as the provider's tokens name it. */
  readonly issuer: string
  readonly clientId: string
  /** A client secret, or a private key in PEM (PKCS #8). */
  readonly credential: { readonly secret: string } | { readonly privateKey: string }
  readonly scopes: string
  readonly groupsClaim: string
  /** Mail domains whose addresses it may vouch for; none where that is its own to say. */
  readonly domains: readonly string[]
  /** Its roles count in a policy without its name before them. */
  readonly isFirst: boolean
}
