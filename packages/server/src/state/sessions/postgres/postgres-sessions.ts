import type { Database } from '../../../storage/database/database.ts'
import type { SessionContext, SessionStore } from '../rows/session-store.ts'
import { createChanges } from './changes.ts'
import { createEnds } from './ends.ts'
import { createGrantStore } from './grants.ts'
import { createOperators } from './operators.ts'
import { createProofs, writeProofs } from './proofs.ts'
import { type LostWrites, type RecentWrites, rememberWrites } from './recent-writes.ts'
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
export function createPostgresSessions(
  database: Database,
  context: number | null,
  onLost: (lost: LostWrites) => void = () => {},
): SessionStore & { readonly recent: RecentWrites } {
  const recent = rememberWrites({ database, context, writeProofs, onLost })
  const { endProving, ...proofs } = createProofs(database, context, recent.noteProofs)
  return {
    sessions: createRows(database, context, recent),
    proofs,
    ends: createEnds(database, context, recent),
    changes: createChanges(database, recent),
    operators: createOperators(database, context),
    grants: createGrantStore(database, context, recent),
    recent,
    close: endProving,
  }
}
