import type { Vendor } from './vendors.ts'

/** Clocks of gate and provider may differ by this. */
export const TOLERANCE_SECONDS = 30
/** Signatures that count: never `none`, and never one by a key that both sides know. */
export const ALGORITHMS = ['RS256', 'ES256']

/** Ways to show a token endpoint a client secret, or that there is none (OpenID Connect Core §9). */
export const TOKEN_AUTH = ['client_secret_basic', 'client_secret_post', 'none'] as const
export type TokenAuth = (typeof TOKEN_AUTH)[number]

/** One OpenID provider, as the operator describes it. */
export interface OidcSettings {
  /** By which groups, addresses and the audit trail name it. */
  readonly name: string
  readonly label: string
  readonly vendor: Vendor
  /** Exactly as the provider's tokens name it. */
  readonly issuer: string
  readonly clientId: string
  /** A client secret, a private key in PEM (PKCS #8), or nothing for a public client. */
  readonly credential:
    | { readonly secret: string }
    | { readonly privateKey: string }
    | { readonly isPublic: true }
  /** Null: by what the provider announces. */
  readonly tokenAuth: TokenAuth | null
  readonly scopes: string
  readonly groupsClaim: string
  /** Groups are expected of this provider, so the userinfo endpoint is asked where the ID token lacks them. */
  readonly asksForGroups: boolean
  /** Mail domains whose addresses it may vouch for; none where that is its own to say. */
  readonly domains: readonly string[]
  /** Its roles count in a policy without its name before them. */
  readonly isFirst: boolean
}
