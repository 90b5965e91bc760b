export { startPulse } from './held/pulse.ts'
export type { DuePage } from './held/unwritten-proofs.ts'
export { resealSessions } from './rows/reseal.ts'
export { type ChangingSeal, createChangingSeal, createSeal, type Seal } from './rows/seal.ts'
export {
  type Account,
  type Identity,
  KEEP_ENDS_MS,
  type Session,
  type SessionLimits,
  type SessionRow,
  UNPROVABLE_MS,
  type Vouched,
  whoOf,
} from './rows/session.ts'
export { previewSessionKeyOf, type SessionKey, sessionKeyOf, TOKEN_SHAPE } from './rows/session-key.ts'
export {
  MAX_ROWS,
  type RevocationFilter,
  type SessionContext,
  type SessionOperators,
  type SessionRows,
  type SessionStore,
  type SpentToken,
} from './rows/session-store.ts'
export type { EndScope, IssuerEnd } from './session-ending.ts'
export { createSessions, type Sessions } from './sessions.ts'
