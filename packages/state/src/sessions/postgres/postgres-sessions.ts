import type { Database } from '../../database/database.ts'
import type { SessionContext, SessionStore } from '../session-store.ts'
import { createChanges } from './changes.ts'
import { createEnds } from './ends.ts'
import { createOperators } from './operators.ts'
import { createProofs } from './proofs.ts'
import { createRows } from './rows.ts'

/** Finds the number of a context; one that is new gets one. */
export async function readContextId({ query }: Database, context: SessionContext): Promise<number> {
  const values = [context.issuer, context.projectId, context.origin]
  await query(
    'INSERT INTO sekisho.contexts (issuer, project_id, origin) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    values,
  )
  const [row] = await query(
    'SELECT id FROM sekisho.contexts WHERE issuer = $1 AND project_id = $2 AND origin = $3',
    values,
  )
  return Number(row?.id)
}

/** Sessions in PostgreSQL, of one context, or for an operator's command (null) of all. Closing it leaves the database open. */
export function createPostgresSessions(database: Database, context: number | null): SessionStore {
  const { endProving, ...proofs } = createProofs(database, context)
  return {
    sessions: createRows(database, context),
    proofs,
    ends: createEnds(database, context),
    changes: createChanges(database),
    operators: createOperators(database, context),
    close: endProving,
  }
}
