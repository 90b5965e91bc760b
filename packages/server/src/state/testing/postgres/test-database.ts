import { migrateDatabase } from '../../../storage/database/migrate.ts'
import { createTestDatabase, roleOf, type TestDatabase } from './postgres-server.ts'

/** A database with the schema, whose gate's role has its grants and nothing else. */
export async function createMigratedDatabase(superuserUrl: string): Promise<TestDatabase> {
  const made = await createTestDatabase(superuserUrl)
  await migrateDatabase(made.ownerUrl, { gate: roleOf(made.gateUrl) })
  return made
}
