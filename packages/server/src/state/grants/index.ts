export type {
  Grant,
  GrantKind,
  GrantStore,
  OwnedGrant,
  RegisteredClient,
} from '../sessions/rows/grant-store.ts'
export { PERSONAL_PREFIX } from './grant-tokens.ts'
export {
  ACCESS_MS,
  type Consent,
  createGrants,
  GRANT_MS,
  type Grants,
  MAX_PERSONAL_MS,
  type PersonalTokenRequest,
  type Redeemed,
  type RegisteredClients,
} from './grants.ts'
export { resealGrants } from './reseal-grants.ts'
