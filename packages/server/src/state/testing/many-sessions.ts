import { DatabaseSync } from 'node:sqlite'
import { sealRow } from '../sessions/rows/genuine-rows.ts'
import type { Seal } from '../sessions/rows/seal.ts'
import { sessionKeyOf } from '../sessions/rows/session-key.ts'
import { PLAIN } from './test-sessions.ts'

const WHERE = { device: '', address: '' }

/**
 * Writes `count` sessions into a database in one transaction, as many sign-ins would have one by one: session `n` is of
 * account `uid-n` (counted from `from`), with the token `token-n` and the refresh token `refresh-n`.
 */
export function writeManySessions(
  file: string,
  count: number,
  { seal, atMs, from = 0 }: { readonly seal: Seal; readonly atMs: number; readonly from?: number },
): void {
  const db = new DatabaseSync(file)
  const insert = db.prepare(
    `INSERT INTO sessions (key, id, issuer, sub, vouched, email, name, started_at, last_seen_at, proven_at, refresh)
     VALUES (?, ?, '${PLAIN.issuer}', ?, '["address","all"]', ?, NULL, ?, ?, ?, ?)`,
  )
  db.exec('BEGIN')
  for (let n = from; n < from + count; n += 1) {
    const account = { ...PLAIN, sub: `uid-${n}`, email: `p${n}@example.co.jp`, name: null }
    const row = { key: sessionKeyOf(`token-${n}`), id: `id-${n}`, ...account, ...WHERE, startedAtMs: atMs }
    insert.run(
      row.key,
      row.id,
      row.sub,
      row.email,
      atMs,
      atMs,
      atMs,
      sealRow(seal, { ...row, provenAtMs: atMs }, `refresh-${n}`),
    )
  }
  db.exec('COMMIT')
  db.close()
}
