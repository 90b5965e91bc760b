export { findFreePort } from './free-port.ts'
export { writeManySessions } from './many-sessions.ts'
export { hasPgbouncer, PGBOUNCER, type Pgbouncer, startPgbouncer } from './postgres/pgbouncer.ts'
export {
  createTestDatabase,
  type PostgresServer,
  roleOf,
  startPostgres,
  type TestDatabase,
} from './postgres/postgres-server.ts'
export {
  findReplication,
  type ReplicatedPostgres,
  startReplicatedPostgres,
} from './postgres/replicated-postgres.ts'
export { createMigratedDatabase } from './postgres/test-database.ts'
export {
  ALICE,
  BOB,
  createTestSessions,
  HOUR_LIMITS,
  HOUR_MS,
  LIMITS,
  MINUTE,
  PLAIN,
  type TestSessions,
} from './test-sessions.ts'
