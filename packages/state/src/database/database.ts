import pg from 'pg'
import { UnavailableError } from '../unavailable-error.ts'

type Row = Readonly<Record<string, unknown>>
/** Runs one statement; `name` keeps it prepared on the connection. */
export type Query = (text: string, values?: readonly unknown[], name?: string) => Promise<readonly Row[]>

/** What the database was told to say to us. */
export type NotificationListener = (channel: Channel, payload: string) => void
export type Channel = (typeof CHANNELS)[number]

/** A pool of connections, and one that listens. Every failure is an `UnavailableError`. */
export interface Database {
  query: Query
  transaction<T>(run: (query: Query) => Promise<T>): Promise<T>
  /** Whether a notification that is sent now would arrive. */
  hears(): boolean
  /** Told of notifications, and of the channel's name with an empty payload whenever some may have been missed. */
  subscribe(listener: NotificationListener): void
  close(): Promise<void>
}

export interface DatabaseOptions {
  readonly url: string
  /** Whether it is a command that works with it, which may take its time. */
  readonly isOperator?: boolean
  /** Told once of each outage of the listening connection, and of its end. */
  readonly onProblem: (problem: string) => void
}

/** The database cannot be used as it is; the message says what to do and holds nothing of the URL. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
  readonly code = 'database_unusable'
}

/** `sekisho_ended` carries keys of sessions, separated by commas; empty: any. `sekisho_revoked` carries nothing. */
const CHANNELS = ['sekisho_ended', 'sekisho_revoked'] as const

/** A gate asks for a session in one statement of a millisecond: this many serve a thousand requests a second. */
const MAX_CONNECTIONS = 8
const CONNECT_TIMEOUT_MS = 2_000
/** The server gives up first, and says so; a connection that says nothing is given up after it. */
const STATEMENT_TIMEOUT_MS = 2_000
/** No reader waits for an operator's command. */
const OPERATOR_STATEMENT_TIMEOUT_MS = 300_000
const SILENCE_MS = 1_000
const HEARTBEAT_MS = 2_000
const MIN_BACKOFF_MS = 100
const MAX_BACKOFF_MS = 2_000
/** Times of sessions are compared across gates: whose clock is further off than this is refused. */
const MAX_SKEW_MS = 30_000

/** Connects, and listens before it resolves. Throws `DatabaseError` when the database cannot be reached. */
export async function openDatabase({
  url,
  isOperator = false,
  onProblem,
}: DatabaseOptions): Promise<Database> {
  const elapsed = () => performance.now()
  const limitMs = isOperator ? OPERATOR_STATEMENT_TIMEOUT_MS : STATEMENT_TIMEOUT_MS
  const settings = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: limitMs,
    query_timeout: limitMs + SILENCE_MS,
    lock_timeout: limitMs / 2,
    idle_in_transaction_session_timeout: 2 * limitMs,
    keepAlive: true,
  }
  const pool = new pg.Pool({ ...settings, application_name: 'sekisho', max: MAX_CONNECTIONS })
  pool.on('error', () => {}) // an idle connection that breaks is replaced; whoever needs one gets the error
  // The pool listens to resting connections only: one that breaks inside of a transaction would end the process.
  pool.on('connect', (client) => void client.on('error', () => {}))
  const listeners: NotificationListener[] = []
  let failures = 0
  let retryAtMs = Number.NEGATIVE_INFINITY
  let skewMs = 0
  let listening: pg.Client | null = null
  let attempts = 0
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  /** While the database is away, most requests are refused at once instead of after a timeout each. */
  async function guarded<T>(run: () => Promise<T>): Promise<T> {
    if (elapsed() < retryAtMs) throw new UnavailableError('unavailable', 'the database was away a moment ago')
    if (Math.abs(skewMs) > MAX_SKEW_MS) {
      const seconds = Math.round(skewMs / 1_000)
      throw new UnavailableError('unavailable', `this clock is ${seconds} s ahead of the database's`)
    }
    try {
      const result = await run()
      failures = 0
      return result
    } catch (error) {
      if (!(error instanceof Failure)) throw error // of whoever uses a transaction
      if (isOutage(error.cause)) {
        retryAtMs = elapsed() + backoffMs(failures)
        failures += 1
      }
      throw new UnavailableError('unavailable', `the database: ${describe(error.cause)}`)
    }
  }

  function tell(channel: Channel, payload: string): void {
    for (const listener of listeners) listener(channel, payload)
  }

  async function listen(): Promise<void> {
    const client = new pg.Client({ ...settings, application_name: 'sekisho listening' })
    const lost = () => {
      if (listening !== client) return
      listening = null
      onProblem('the listening connection was lost')
      schedule()
    }
    client.on('error', lost)
    client.on('end', lost)
    client.on('notification', ({ channel, payload = '' }) => {
      const known = CHANNELS.find((name) => name === channel)
      if (known !== undefined) tell(known, payload)
    })
    try {
      await client.connect()
      await client.query(CHANNELS.map((name) => `LISTEN ${name}`).join('; '))
      await beat(client)
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
    if (isClosed) return client.end()
    listening = client
    attempts = 0
    for (const channel of CHANNELS) tell(channel, '')
  }
  async function beat(client: pg.Client): Promise<void> {
    const { rows } = await client.query('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now')
    skewMs = Date.now() - Number(rows[0]?.now)
  }
  /** A connection that is cut off says nothing, so it is asked; one that is lost is reopened, with back-off. */
  function schedule(): void {
    clearTimeout(timer)
    if (isClosed) return
    const delayMs = listening === null ? backoffMs(attempts) : HEARTBEAT_MS
    timer = setTimeout(async () => {
      const client = listening
      try {
        if (client === null) {
          attempts += 1
          await listen()
          onProblem('the listening connection is back')
        } else await beat(client)
      } catch {
        listening = null
        if (client !== null) onProblem('the listening connection does not answer')
        client?.end().catch(() => {})
      }
      schedule()
    }, delayMs)
    timer.unref()
  }

  try {
    await listen()
  } catch (error) {
    await pool.end()
    throw new DatabaseError(`the database of SEKISHO_DATABASE_URL cannot be reached: ${describe(error)}`)
  }
  schedule()
  return {
    query: (text, values, name) => guarded(() => run(pool, text, values, name)),
    transaction: (work) =>
      guarded(async () => {
        const client = await pool.connect().catch(fail)
        let isBroken = true
        try {
          await run(client, 'BEGIN')
          const result = await work((text, values, name) => run(client, text, values, name))
          await run(client, 'COMMIT')
          isBroken = false
          return result
        } finally {
          client.release(isBroken) // a connection in an unknown state is closed, which rolls back
        }
      }),
    hears: () => listening !== null,
    subscribe: (listener) => void listeners.push(listener),
    async close() {
      isClosed = true
      clearTimeout(timer)
      const client = listening
      listening = null
      await client?.end().catch(() => {})
      await pool.end()
    },
  }
}

async function run(
  on: pg.Pool | pg.PoolClient,
  text: string,
  values: readonly unknown[] = [],
  name?: string,
): Promise<readonly Row[]> {
  const prepared = name === undefined ? {} : { name }
  const result = await on.query({ text, values: [...values], ...prepared }).catch(fail)
  return result.rows
}

/** What the client library threw, told from what its users throw inside of a transaction. */
class Failure extends Error {}

function fail(cause: unknown): never {
  throw new Failure('', { cause })
}

function backoffMs(failures: number): number {
  return Math.min(MIN_BACKOFF_MS * 2 ** failures, MAX_BACKOFF_MS) * (0.5 + Math.random() / 2)
}

/** No answer, or one that says the server is coming or going; what a statement did wrong is none. */
function isOutage(error: unknown): boolean {
  const code = sqlStateOf(error)
  return code === null || /^(?:08|57P|53)/.test(code)
}

/** The server's sentence names roles and relations, never values; other errors may hold the URL. */
export function describe(error: unknown): string {
  const code = sqlStateOf(error)
  if (code !== null) return `${error instanceof Error ? error.message : ''} (${code})`
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return error instanceof Error && /timeout/i.test(error.message) ? 'no answer in time' : 'no connection'
}

function sqlStateOf(error: unknown): string | null {
  return error instanceof pg.DatabaseError && typeof error.code === 'string' ? error.code : null
}
