export { findFreePort } from './free-port.ts'
export { writeManySessions } from './many-sessions.ts'
export { hasPgbouncer, PGBOUNCER, type Pgbouncer, startPgbouncer } from './pgbouncer.ts'
export {
  createTestDatabase,
  type PostgresServer,
  roleOf,
  startPostgres,
  type TestDatabase,
} from './postgres-server.ts'
export { findReplication, type ReplicatedPostgres, startReplicatedPostgres } from './replicated-postgres.ts'
export { createMigratedDatabase } from './test-database.ts'
export { ALICE, BOB, createTestSessions, LIMITS, MINUTE, PLAIN, type TestSessions } from './test-sessions.ts'
