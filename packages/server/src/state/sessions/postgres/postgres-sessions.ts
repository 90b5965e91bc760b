import type { Database } from '../../../storage/database/database.ts'
import { onPostgres } from '../../sql/sql.ts'
import type { SessionContext, SessionStore } from '../rows/session-store.ts'
import { createEnds } from '../statements/ends.ts'
import { createGrantStore } from '../statements/grants.ts'
import { createOperators } from '../statements/operators.ts'
import { createProofs } from '../statements/proofs.ts'
import { createChanges } from './changes.ts'
import { createProving } from './proving.ts'
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
  const recent = rememberWrites({ database, context, onLost })
  const { endProving, holdProving } = createProving(database, context)
  const sql = onPostgres(database)
  return {
    sessions: createRows(database, context, recent),
    proofs: { ...createProofs(sql, context, recent.noteProofs), holdProving },
    ends: createEnds(sql, context, recent.noteEnds),
    changes: createChanges(database, recent),
    operators: createOperators(sql, context),
    grants: createGrantStore(sql, context, {
      ...{ hasEnded: recent.hasEnded, onRemoved: recent.noteGrants, onRefreshed: recent.noteRefreshed },
    }),
    recent,
    close: endProving,
  }
}
