import pg from 'pg'
import { problemOf } from '../texts/index.ts'
import { UnavailableError } from '../unavailable-error.ts'
import { asDatabaseError, DatabaseError, describe, isOutage, OtherServerError } from './failures.ts'
import { type NotificationListener, openListening } from './listening.ts'
import { type Found, greet, SERVER, urlsOf } from './server-connection.ts'

export { DatabaseError, describe } from './failures.ts'

type Row = Readonly<Record<string, unknown>>
/** Runs one statement; `name` keeps it prepared on the connection. */
export type Query = (text: string, values?: readonly unknown[], name?: string) => Promise<readonly Row[]>

/**
 * Called in a transaction of a newly answering server: restores this process's recent writes there before other requests. The returned
 * function is called after the commit.
 */
export type ReplacedListener = (ask: Query) => Promise<() => void>

/** A pool of connections, and one that listens. Every failure is an `UnavailableError`. */
export interface Database {
  query: Query
  /** `server` names the process that runs it: what it commits, the same one has for as long as it runs. */
  transaction<T>(run: (query: Query, server: string) => Promise<T>): Promise<T>
  connections(): DatabaseConnections
  /** Tells if a notification that is sent now would arrive. */
  hears(): boolean
  /** Told of notifications, and of the channel's name with an empty payload whenever some may have been missed. */
  subscribe(listener: NotificationListener): void
  onReplaced(listener: ReplacedListener): void
  close(): Promise<void>
}

/** Connections of the pool by what they do; `waiting` are those who have none yet. */
export interface DatabaseConnections {
  readonly busy: number
  readonly idle: number
  readonly waiting: number
}

/** Location of the database. */
interface DatabasePlace {
  /** Of one server or several, of which one takes writes; or of a pooler before them, where there is a `listenUrl`. */
  readonly url: string
  /** The same servers without a pooler in between; null where `url` leads to them. */
  readonly listenUrl?: string | null
}

interface DatabaseOptions extends DatabasePlace {
  /** The client is a command, without tight timeouts. */
  readonly isOperator?: boolean
  /** Told once of each outage of the listening connection, and of its end. */
  readonly onProblem: (problem: string) => void
}

/** A gate asks for a session in one statement of a millisecond: this many serve a thousand requests a second. */
const MAX_CONNECTIONS = 8
/** Maximum number of one gate's connections: those, and one that listens. */
export const GATE_CONNECTIONS = MAX_CONNECTIONS + 1
const CONNECT_TIMEOUT_MS = 2_000
const OPERATOR_CONNECT_TIMEOUT_MS = 15_000
/** The server gives up first, and says so; a connection that says nothing is given up after it. */
const STATEMENT_TIMEOUT_MS = 2_000
/** No reader waits for an operator's command. */
const OPERATOR_STATEMENT_TIMEOUT_MS = 300_000
const SILENCE_MS = 1_000
const MIN_BACKOFF_MS = 100
const MAX_BACKOFF_MS = 2_000
/** Times of sessions are compared across gates: whose clock is further off than this is refused. */
const MAX_SKEW_MS = 30_000

/** Connects, and listens before it resolves. Throws `DatabaseError` when the database cannot be reached. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, listenUrl = null, isOperator = false, onProblem } = options
  const elapsed = () => performance.now()
  const limitMs = isOperator ? OPERATOR_STATEMENT_TIMEOUT_MS : STATEMENT_TIMEOUT_MS
  const isPooled = listenUrl !== null
  const urls = urlsOf(url)
  const patience = {
    connectionTimeoutMillis: isOperator ? OPERATOR_CONNECT_TIMEOUT_MS : CONNECT_TIMEOUT_MS,
    query_timeout: limitMs + SILENCE_MS,
    keepAlive: true,
  }
  const limits = {
    statement_timeout: limitMs,
    idle_in_transaction_session_timeout: 2 * limitMs,
  }
  /** A pooler takes none of them while it connects; a transaction has them in its first words then. */
  const settings = isPooled ? patience : { ...patience, ...limits }
  const begin = isPooled ? `BEGIN; ${setLocal(limits)}` : 'BEGIN'
  const listeners: NotificationListener[] = []
  const replacedListeners: ReplacedListener[] = []
  let server: string | null = null
  let index = 0
  let pool: pg.Pool | null = null
  let failures = 0
  let retryAtMs = Number.NEGATIVE_INFINITY

  /** To the server that the listening connection found, or through the pooler that answered last. */
  function openPool(): pg.Pool {
    const made = new pg.Pool({
      ...settings,
      connectionString: urls[index] ?? url,
      application_name: 'sekisho',
      max: MAX_CONNECTIONS,
      async onConnect(client) {
        // The pool listens to resting connections only: one that breaks inside of a transaction would end the process.
        client.on('error', () => {})
        if ((await greet(client)).server !== server) throw new OtherServerError()
      },
    })
    made.on('error', () => {}) // an idle connection that breaks is replaced; whoever needs one gets the error
    return made
  }
  function leavePool(): void {
    void pool?.end().catch(() => {})
    pool = null
  }

  /** While the database is away, most requests are refused at once instead of after a timeout each. */
  async function guarded<T>(run: (pool: pg.Pool) => Promise<T>): Promise<T> {
    if (elapsed() < retryAtMs) throw new UnavailableError('unavailable', 'the database was away a moment ago')
    if (Math.abs(listening.skewMs()) > MAX_SKEW_MS) {
      const seconds = Math.round(listening.skewMs() / 1_000)
      throw new UnavailableError('unavailable', `this clock is ${seconds} s ahead of the database's`)
    }
    try {
      pool ??= openPool()
      const asked = server
      const result = await run(pool)
      if (asked !== server) fail(new OtherServerError()) // that has another one now, which may know nothing of it
      failures = 0
      return result
    } catch (error) {
      if (!(error instanceof Failure)) throw error // of whoever uses a transaction
      if (isOutage(error.cause)) {
        retryAtMs = elapsed() + backoffMs(failures)
        failures += 1
        if (isPooled && urls.length > 1) {
          leavePool()
          index = (index + 1) % urls.length
        }
      }
      throw new UnavailableError('unavailable', `the database: ${describe(error.cause)}`)
    }
  }

  /** Nothing is asked of a server before it was told what the one before it may have lost. */
  async function follow(found: Found): Promise<void> {
    if (server !== found.server) {
      const ask: Query = (text, values) => run(found.client, text, values)
      await found.client.query('BEGIN')
      const done: (() => void)[] = []
      for (const listener of replacedListeners) done.push(await listener(ask))
      await found.client.query('COMMIT')
      if (server !== null)
        onProblem('another server answers: it was restarted, or another one took its place')
      server = found.server
      leavePool()
      for (const tell of done) tell()
    }
    if (!isPooled) index = found.index
    failures = 0
    retryAtMs = Number.NEGATIVE_INFINITY
  }

  const listening = await openListening({
    urls: listenUrl === null ? urls : urlsOf(listenUrl),
    settings: { ...patience, ...limits, application_name: 'sekisho listening' },
    onNotification: (channel, payload) => {
      for (const listener of listeners) listener(channel, payload)
    },
    onServer: follow,
    onProblem,
    backoffMs,
  }).catch((error) => {
    const name = isPooled ? 'SEKISHO_DATABASE_LISTEN_URL' : 'SEKISHO_DATABASE_URL'
    throw asDatabaseError(error, (reason) => problemOf('database_unreachable', name, reason))
  })
  const database: Database = {
    query: (text, values, name) => guarded((on) => run(on, text, values, isPooled ? undefined : name)),
    transaction: (work) =>
      guarded(async (on) => {
        const client = await on.connect().catch(fail)
        let isBroken = true
        try {
          const found = await beginOn(client, begin)
          if (found !== server) fail(new OtherServerError())
          const result = await work(
            (text, values, name) => run(client, text, values, isPooled ? undefined : name),
            found,
          )
          await run(client, 'COMMIT')
          isBroken = false
          return result
        } finally {
          client.release(isBroken) // a connection in an unknown state is closed, which rolls back
        }
      }),
    connections: () => {
      const { totalCount = 0, idleCount = 0, waitingCount = 0 } = pool ?? {}
      return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
    },
    hears: listening.hears,
    subscribe: (listener) => void listeners.push(listener),
    onReplaced: (listener) => void replacedListeners.push(listener),
    async close() {
      await listening.close()
      await pool?.end()
    },
  }
  if (isPooled) await assertTransactions(database)
  return database
}

/** A pooler may be away, or hand out a connection for each statement: then nothing would be written together. */
async function assertTransactions(database: Database): Promise<void> {
  try {
    await database.transaction(async () => {})
  } catch (error) {
    await database.close()
    if (!(error instanceof UnavailableError)) throw error
    throw new DatabaseError(problemOf('unusable_pooler', error.message))
  }
}

function setLocal(limits: Readonly<Record<string, number>>): string {
  return Object.entries(limits)
    .map(([name, ms]) => `SET LOCAL ${name} = ${ms}`)
    .join('; ')
}

/** Begins, and asks in the same message which server it is. */
async function beginOn(client: pg.PoolClient, begin: string): Promise<string> {
  const results: unknown = await client.query(`${begin}; SELECT ${SERVER} AS server`).catch(fail)
  const last: unknown = Array.isArray(results) ? results.at(-1) : null
  return last instanceof pg.Result ? String(last.rows[0]?.server) : ''
}

async function run(
  on: pg.Pool | pg.ClientBase,
  text: string,
  values: readonly unknown[] = [],
  name?: string,
): Promise<readonly Row[]> {
  const prepared = name === undefined ? {} : { name }
  const result = await on.query({ text, values: [...values], ...prepared }).catch(fail)
  return result.rows
}

/** Error of the client library, as opposed to errors thrown inside of a transaction. */
class Failure extends Error {}

function fail(cause: unknown): never {
  throw new Failure('', { cause })
}

function backoffMs(failures: number): number {
  return Math.min(MIN_BACKOFF_MS * 2 ** failures, MAX_BACKOFF_MS) * (0.5 + Math.random() / 2)
}
