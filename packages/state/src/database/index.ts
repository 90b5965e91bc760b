export { DatabaseError } from './database.ts'
export { migrateDatabase } from './migrate.ts'
export { GATE_GRANTS } from './schema.ts'
