import { migrateDatabase } from '../../../storage/database/migrate.ts'
import { createTestDatabase, roleOf, type TestDatabase } from './postgres-server.ts'

/** By server, the database that those of this process are copies of: every migration costs as much as a test. */
const migrated = new Map<string, Promise<TestDatabase>>()

/** A database with the schema, whose gate's role has its grants and nothing else. Those of a process share their roles. */
export async function createMigratedDatabase(superuserUrl: string): Promise<TestDatabase> {
  const template = migrated.get(superuserUrl) ?? createTemplate(superuserUrl)
  migrated.set(superuserUrl, template)
  return createTestDatabase(superuserUrl, await template)
}

async function createTemplate(superuserUrl: string): Promise<TestDatabase> {
  const made = await createTestDatabase(superuserUrl)
  await migrateDatabase(made.ownerUrl, { gate: roleOf(made.gateUrl) })
  return made
}
