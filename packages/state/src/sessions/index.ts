export { startPulse } from './pulse.ts'
export { resealSessions } from './reseal.ts'
export { type ChangingSeal, createChangingSeal, createSeal, type Seal } from './seal.ts'
export {
  type Account,
  type Identity,
  KEEP_ENDS_MS,
  type Session,
  type SessionLimits,
  type SessionRow,
  UNPROVABLE_MS,
  type Vouched,
} from './session.ts'
export type { EndScope, IssuerEnd } from './session-ending.ts'
export { previewSessionKeyOf, type SessionKey, sessionKeyOf, TOKEN_SHAPE } from './session-key.ts'
export type {
  RevocationFilter,
  SessionContext,
  SessionOperators,
  SessionRows,
  SessionStore,
  SpentToken,
} from './session-store.ts'
export { createSessions, type Sessions } from './sessions.ts'
export type { DuePage } from './unwritten-proofs.ts'
