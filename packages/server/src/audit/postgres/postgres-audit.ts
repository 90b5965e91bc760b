import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { type Database, DatabaseError, type Query } from '../../storage/database/database.ts'
import { problemOf } from '../../storage/texts/index.ts'
import { atMsOf, CHAIN_START, type ChainHead, readLink } from '../chain/audit-chain.ts'
import type { AuditBatch } from '../chain/audit-queue.ts'
import type { AuditSource, AuditStore, ChainEnd } from '../chain/audit-store.ts'
import { AuditDamagedError } from '../files/audit-folder.ts'
import { LostEndError, rememberLines } from '../writing/lost-end.ts'

/** Lines that are read at once. */
const PAGE = 1_000
/** Lines that one call finds to remove, so that none takes long. */
const MAX_REMOVED = 10_000

/**
 * Opens one chain in the database. A gate's role can add lines and read them, and neither change nor remove one; `mayRemove`
 * is for the owner's. Throws `DatabaseError` where a commit would not survive a power cut.
 */
export async function openPostgresAudit(
  { query, transaction }: Database,
  chain: string,
  { mayRemove }: { readonly mayRemove: boolean },
): Promise<AuditStore> {
  const [durability] = await query("SELECT current_setting('synchronous_commit') AS level")
  if (durability?.level === 'off') {
    throw new DatabaseError(problemOf('commit_not_synced'))
  }
  const [first] = await query(
    'SELECT seq, prev FROM sekisho.audit_lines WHERE chain = $1 ORDER BY seq LIMIT 1',
    [chain],
  )
  const before = first === undefined ? CHAIN_START : { seq: Number(first.seq) - 1, hash: String(first.prev) }
  const opened = await transaction(async (ask, server) => ({ server, last: await readLast(ask, PAGE) }))
  const end: ChainEnd = {
    head: opened.last.head,
    before,
    lastLine: opened.last.lines.at(-1) ?? '',
    cutBytes: 0,
  }
  const written = rememberLines(opened.last, () => performance.now())
  /** The one that took the last batch: as long as it runs, nothing that it took is lost. */
  let server = opened.server

  async function readLast(ask: Query, count: number): Promise<AuditBatch> {
    const rows = await ask(
      'SELECT seq, hash, line FROM sekisho.audit_lines WHERE chain = $1 ORDER BY seq DESC LIMIT $2',
      [chain, count],
    )
    const [last] = rows
    if (last === undefined) return { head: CHAIN_START, lines: [] }
    return {
      head: { seq: Number(last.seq), hash: String(last.hash) },
      lines: rows.map(({ line }) => String(line)).reverse(),
    }
  }
  /** Explains an end that is the beginning of this process' lines on another server: the rest was lost, and there is no other writer. */
  function explainOtherEnd(found: ChainHead, answering: string): Error {
    if (answering === server) {
      return new AuditDamagedError(`the chain ${chain} was cut, or is written by somebody else, too`)
    }
    const lost = written.findBehind(found)
    if (lost !== null) {
      const message = `another server answers, which has the chain ${chain} up to line ${found.seq} only`
      return new LostEndError(message, found, lost)
    }
    return new AuditDamagedError(
      `another server answers, and line ${found.seq}, with which the chain ${chain} ends there, is none that this gate remembers: ` +
        'it is older than ten minutes, or somebody else wrote it. A restart continues behind it',
    )
  }

  return {
    end,
    async append(batch) {
      const lines = batch.lines.map((line) => line.trimEnd())
      const links = lines.flatMap((line) => readLink(line) ?? [])
      const [next] = links
      server = await transaction(async (ask, answering) => {
        const { head: found } = await readLast(ask, 1)
        // Committed before, and the answer did not arrive.
        if (found.seq === batch.head.seq && found.hash === batch.head.hash) return answering
        if (links.length < lines.length || found.seq + 1 !== next?.seq || found.hash !== next.prev) {
          throw explainOtherEnd(found, answering)
        }
        await ask(
          `INSERT INTO sekisho.audit_lines (chain, seq, prev, hash, line)
           SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[])`,
          [
            chain,
            links.map(({ seq }) => seq),
            links.map(({ prev }) => prev),
            links.map(({ hash }) => hash),
            lines,
          ],
        )
        return answering
      })
      written.add(batch)
    },
    readHeads: () => readHeads(query),
    async writeHead(signed) {
      await query(
        `INSERT INTO sekisho.audit_heads VALUES ($1, $2)
         ON CONFLICT (chain) DO UPDATE SET signed = excluded.signed`,
        [chain, signed],
      )
    },
    async findRemovable(beforeMs) {
      if (!mayRemove) return null
      const rows = await query(
        `SELECT seq, hash, line FROM sekisho.audit_lines
         WHERE chain = $1 AND seq < (SELECT max(seq) FROM sekisho.audit_lines WHERE chain = $1)
         ORDER BY seq LIMIT ${MAX_REMOVED}`,
        [chain],
      )
      const newer = rows.findIndex(({ line }) => !(atMsOf(String(line)) < beforeMs))
      const oldest = rows.at(newer === -1 ? -1 : newer - 1)
      return newer === 0 || oldest === undefined
        ? null
        : { seq: Number(oldest.seq), hash: String(oldest.hash) }
    },
    async remove(upTo) {
      await query('DELETE FROM sekisho.audit_lines WHERE chain = $1 AND seq <= $2', [chain, upTo.seq])
    },
  }
}

/** Reads every chain in the database, also while gates are writing. */
export function readPostgresAudit({ query }: Pick<Database, 'query'>): AuditSource {
  return {
    async listChains() {
      const rows = await query('SELECT chain FROM sekisho.audit_heads')
      return rows.map(({ chain }) => String(chain)).sort()
    },
    readHeads: () => readHeads(query),
    async readRemovals() {
      const rows = await query('SELECT signed FROM sekisho.audit_removals ORDER BY chain')
      return rows.map(({ signed }) => String(signed))
    },
    async *read(chain, fromSeq = 0) {
      for (let next = fromSeq; ; ) {
        const rows = await query(
          `SELECT seq, line FROM sekisho.audit_lines WHERE chain = $1 AND seq >= $2 ORDER BY seq LIMIT ${PAGE}`,
          [chain, next],
        )
        const [first] = rows
        if (first === undefined) return
        yield {
          place: chain,
          firstLineNumber: Number(first.seq),
          lines: rows.map(({ line }) => String(line)),
        }
        next = Number(rows.at(-1)?.seq) + 1
      }
    },
  }
}

/** Bytes of the lines of every chain with their indexes; null while the database does not answer. */
export async function measurePostgresAudit({ query }: Pick<Database, 'query'>): Promise<number | null> {
  const rows = await query("SELECT pg_total_relation_size('sekisho.audit_lines') AS bytes").catch(() => [])
  return rows[0] === undefined ? null : Number(rows[0].bytes)
}

/** The name of the chain of a gate with a data folder of its own, made at its first start. */
export function readGateChain(file: string): string {
  try {
    writeFileSync(file, randomBytes(6).toString('hex'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return `gate-${readFileSync(file, 'utf8').trim()}`
}

async function readHeads(query: Database['query']): Promise<readonly string[]> {
  const rows = await query('SELECT signed FROM sekisho.audit_heads ORDER BY chain')
  return rows.map(({ signed }) => String(signed))
}
