/** Fixtures for tests of other packages; nothing of the gate itself imports them. */

export { everybodysEdition } from './reader.ts'
export { seedSessions } from './seed-sessions.ts'
export {
  answerOf,
  CLIENT,
  cookieHeaderOf,
  createTestGate,
  ORIGIN,
  readObject,
  type TestGate,
} from './test-gate.ts'
export { createTestIssuer, goodClaims, ISSUER, PROJECT, type TestIssuer } from './test-issuer.ts'
export { startTestProvider, type TestProvider } from './test-provider.ts'
