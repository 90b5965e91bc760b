/** Issuers for tests, and what a test builds a provider of; test-only. */

export { type AssertionsOptions, createAssertions } from '../firebase/assertions.ts'
export { createHelperProxy } from '../firebase/helper-proxy.ts'
export { firebaseIssuer, firebaseLogin } from '../firebase/settings.ts'
export type { ExchangeResult } from '../firebase/token-exchange.ts'
export { createClientAuth } from '../oidc/client.ts'
export type { OidcSettings, TokenAuth } from '../oidc/oidc-settings.ts'
export { createOidcProvider } from '../oidc/provider.ts'
export { VENDORS } from '../oidc/vendors.ts'
export { createTestIssuer, goodClaims, ISSUER, PROJECT, somebody, type TestIssuer } from './test-issuer.ts'
export { startTestProvider, type TestClaims, type TestProvider } from './test-provider.ts'
