import type { Database } from '../../storage/database/database.ts'
import type { TrimPlace } from '../reading/trim-trail.ts'
import { openPostgresAudit } from './postgres-audit.ts'

/** The trail of gates that share a database, for a role that may remove lines: theirs may not. */
export function createPostgresTrim(database: Database): TrimPlace {
  const { query } = database
  return {
    async listChains() {
      const rows = await query('SELECT chain FROM sekisho.audit_heads ORDER BY chain')
      return rows.map(({ chain }) => String(chain))
    },
    open: (chain) => openPostgresAudit(database, chain, { mayRemove: true }),
    async noteRemoval(chain, signed) {
      await query(
        `INSERT INTO sekisho.audit_removals VALUES ($1, $2)
         ON CONFLICT (chain) DO UPDATE SET signed = excluded.signed`,
        [chain, signed],
      )
    },
  }
}
