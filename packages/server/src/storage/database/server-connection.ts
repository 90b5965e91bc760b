import pg from 'pg'
import { problemOf } from '../texts/index.ts'
import { DatabaseError, StandbyError } from './failures.ts'
import { readHosts } from './hosts.ts'

/** One that answers, and may be written to. */
interface Greeting {
  /**
   * Names the process that answers, for as long as it runs: another one after a restart, after a promotion, and where a backup was restored.
   * Whatever a process committed, the same one has.
   */
  readonly server: string
  /** A pooler stands in between: the connection's key is not that of the answering process. */
  readonly isPooled: boolean
}

/** Asks a fresh connection whom it leads to. Throws `StandbyError` where nothing may be written. */
export async function greet(client: pg.ClientBase): Promise<Greeting> {
  const { rows } = await client.query(
    `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS standby,
       ${SERVER} AS server, pg_backend_pid() AS pid`,
  )
  const [row] = rows
  if (row?.standby !== false) throw new StandbyError()
  const key = 'processID' in client ? client.processID : null
  return { server: String(row.server), isPooled: key !== Number(row.pid) }
}

/** As `Greeting.server`, to the microsecond: no two processes of one database began in the same. */
export const SERVER = 'extract(epoch FROM pg_postmaster_start_time())::text'

/** The addresses in a URL that was checked where settings are read. */
export function urlsOf(url: string): readonly string[] {
  const { urls } = readHosts(url)
  if (urls === null) throw new DatabaseError(problemOf('bad_hosts'))
  return urls
}

/** A connection of its own to the first of several servers that may be written to. */
export interface Found extends Greeting {
  readonly client: pg.Client
  /** Index of the connected address. */
  readonly index: number
}

/**
 * Tries all addresses at once, and takes the first in their order that accepts writes: a silent one delays only until its timeout. Throws
 * the first one's error, or `StandbyError` where another answered with that.
 */
export async function connectToPrimary(
  urls: readonly string[],
  settings: Omit<pg.ClientConfig, 'connectionString'>,
): Promise<Found> {
  const attempts = urls.map(async (url, index): Promise<Found> => {
    const client = new pg.Client({ ...settings, connectionString: url })
    client.on('error', () => {}) // whoever asks next is told
    try {
      await client.connect()
      return { client, index, ...(await greet(client)) }
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
  })
  for (const attempt of attempts) attempt.catch(() => {}) // of those that nobody waits for
  const failures: unknown[] = []
  for (const [index, attempt] of attempts.entries()) {
    try {
      const found = await attempt
      for (const other of attempts.slice(index + 1))
        void other.then(
          ({ client }) => client.end(),
          () => {},
        )
      return found
    } catch (error) {
      failures.push(error)
    }
  }
  throw failures.find((error) => error instanceof StandbyError) ?? failures[0]
}
