export { DatabaseError, GATE_CONNECTIONS } from './database.ts'
export { type DatabaseReport, inspectDatabase } from './inspect.ts'
export { type GrantedRoles, migrateDatabase } from './migrate.ts'
export { GATE_GRANTS, OPERATOR_GRANTS } from './schema.ts'
