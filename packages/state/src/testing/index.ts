export { findFreePort } from './free-port.ts'
export { writeManySessions } from './many-sessions.ts'
export {
  createTestDatabase,
  type PostgresServer,
  roleOf,
  startPostgres,
  type TestDatabase,
} from './postgres-server.ts'
export { ALICE, BOB, createTestSessions, MINUTE, PLAIN, type TestSessions } from './test-sessions.ts'
