/** Errors of identity settings; the other languages have the same codes and values. */
export const en = {
  identity: {
    no_provider: (other: string, itsSettings: readonly string[]) =>
      `nobody signs readers in yet: for an OpenID provider (Entra ID, Google, Okta, Keycloak, HENNGE One and others) set SEKISHO_IDENTITY=oidc, SEKISHO_OIDC_ISSUER, SEKISHO_OIDC_CLIENT_ID and SEKISHO_OIDC_CLIENT_SECRET_FILE; for ${other}, ${itsSettings.join(', ')}`,
    bad_identity: (known: readonly string[]) =>
      `SEKISHO_IDENTITY must name ${known.join(' or ')}, or both with a comma between`,
    missing: (name: string) => `${name} is missing`,
    setting_missing: (name: string) => `${name} is missing or the text "undefined"`,
    bad_host: (name: string) => `${name} must be a host name without a scheme`,
    bad_project: (name: string) => `${name} is not a project id`,
    demo_project: (name: string) => `${name} must not start with demo- in production`,
    real_project: (name: string) => `${name} must start with demo- with --local`,
    other_host: (name: string, host: string) =>
      `${name} should be ${host}: sign-in by redirect fails in browsers that block third-party storage`,
    bad_provider_issuer: (name: string) =>
      `${name} must be the https address of the provider, exactly as its tokens name it`,
    any_tenant: (name: string) =>
      `${name} must name one tenant by its id, as in https://login.microsoftonline.com/TENANT-ID/v2.0: with common, organizations or consumers anybody can make a tenant whose accounts have the addresses of yours`,
    bad_provider_name: (name: string) =>
      `${name} must be a short name of small letters, digits and hyphens, and not role`,
    bad_domains: (name: string) => `${name} must be mail domains, separated by commas`,
    same_provider_name: (provider: string) =>
      `two providers are called ${provider}: name them apart with SEKISHO_OIDC_NAME and SEKISHO_OIDC_2_NAME`,
    no_provider_domains: (name: string) =>
      `${name} must name the mail domains this provider may vouch for: with several providers one could give its accounts the addresses of another's`,
    no_credential: (prefix: string) =>
      `${prefix}CLIENT_SECRET (or ${prefix}CLIENT_SECRET_FILE, or ${prefix}PRIVATE_KEY_FILE) is missing`,
  },
}
