import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { hasPgbouncer, PGBOUNCER, startPgbouncer } from '../../state/testing/postgres/pgbouncer.ts'
import { roleOf, type TestDatabase } from '../../state/testing/postgres/postgres-server.ts'
import { createMigratedDatabase } from '../../state/testing/postgres/test-database.ts'
import { type Database, openDatabase } from './database.ts'
import { inspectDatabase } from './inspect.ts'
import { migrateDatabase } from './migrate.ts'

const superuserUrl = inject('postgresUrl')
if (superuserUrl !== null && !hasPgbouncer())
  process.stderr.write(`${PGBOUNCER} is missing; its tests are SKIPPED\n`)
const IGNORE_TIMEOUTS = ['ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout']

let made: TestDatabase
let cleanup: AsyncDisposableStack
beforeEach(async () => {
  if (superuserUrl === null) return
  made = await createMigratedDatabase(superuserUrl)
  cleanup = new AsyncDisposableStack()
})
afterEach(() => cleanup?.disposeAsync())

async function open(url: string, listenUrl: string | null = null): Promise<Database> {
  return cleanup.adopt(await openDatabase({ url, listenUrl, onProblem: () => {} }), (it) => it.close())
}
const withHosts = (url: string, hosts: (own: string) => string) => {
  const { host } = new URL(url)
  return url.replace(`@${host}/`, `@${hosts(host)}/`)
}

describe.skipIf(superuserUrl === null)('a URL of several servers', () => {
  it('leads to the first that answers and takes writes, for gates and for commands', async () => {
    const url = withHosts(made.gateUrl, (own) => `127.0.0.1:1,${own}`)
    const database = await open(`${url}?target_session_attrs=read-write`)
    expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
    const other = await open(withHosts(made.gateUrl, (own) => `${own},127.0.0.1:1`))
    expect(await other.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
    const ownerUrl = withHosts(made.ownerUrl, (own) => `127.0.0.1:1,${own}`)
    expect((await migrateDatabase(ownerUrl)).from).toBeGreaterThan(0)
    expect((await inspectDatabase(url)).role).toBe(roleOf(made.gateUrl))
  })

  it('says of a server that takes no writes why it is refused, and nothing of the password', async () => {
    await made.run(`ALTER ROLE ${roleOf(made.gateUrl)} SET default_transaction_read_only = on`)
    await expect(open(made.gateUrl)).rejects.toThrow(/standby, or read-only/)
    const several = withHosts(made.gateUrl, (own) => `127.0.0.1:1,${own}`)
    await expect(open(several)).rejects.toThrow(/^(?!.*only-for-tests).*standby, or read-only/)
    await made.run(`ALTER ROLE ${roleOf(made.gateUrl)} RESET default_transaction_read_only`)
    await open(several)
  })
})

describe.skipIf(superuserUrl === null || !hasPgbouncer())('a pooler before the database', () => {
  it.each([
    ['in transaction mode', 'transaction', []],
    ['in transaction mode, told to ignore timeouts', 'transaction', IGNORE_TIMEOUTS],
    ['in session mode', 'session', IGNORE_TIMEOUTS],
  ] as const)(
    '%s is refused without an address to listen at, and said to be one',
    async (_row, mode, settings) => {
      const pooler = cleanup.use(await startPgbouncer({ mode, url: made.gateUrl, settings }))
      await expect(open(pooler.through(made.gateUrl))).rejects.toThrow(
        /there is a pooler.*SEKISHO_DATABASE_LISTEN_URL/,
      )
      await expect(open(made.gateUrl, pooler.through(made.gateUrl))).rejects.toThrow(/there is a pooler/)
    },
  )

  it('that hands out a connection for each statement is refused', async () => {
    const pooler = cleanup.use(await startPgbouncer({ mode: 'statement', url: made.gateUrl }))
    await expect(open(pooler.through(made.gateUrl), made.gateUrl)).rejects.toThrow(
      /SEKISHO_DATABASE_URL leads to cannot be used: .*transaction blocks not allowed/,
    )
  })

  it('in transaction mode serves many gates with two connections, each of which hears the others', async () => {
    const settings = ['default_pool_size = 2', 'max_client_conn = 100']
    const pooler = cleanup.use(await startPgbouncer({ mode: 'transaction', url: made.gateUrl, settings }))
    const heard: string[] = []
    const gates = await Promise.all(
      Array.from({ length: 4 }, () => open(pooler.through(made.gateUrl), made.gateUrl)),
    )
    const [first, ...others] = gates
    for (const gate of others) gate.subscribe((_channel, payload) => heard.push(payload))
    await Promise.all(
      gates.flatMap((gate) =>
        Array.from({ length: 20 }, (_, n) =>
          n % 2 === 0
            ? gate.query('SELECT $1::integer AS n', [n], 'named')
            : gate.transaction(async (ask) => {
                const [row] = await ask(
                  "SELECT current_setting('statement_timeout') AS ms, pg_sleep(0.002)",
                  [],
                )
                expect(row?.ms).toBe('2s')
              }),
        ),
      ),
    )
    const [row] = await made.run(
      `SELECT count(*) AS backends FROM pg_stat_activity WHERE usename = '${roleOf(made.gateUrl)}' AND application_name <> 'sekisho listening'`,
    )
    expect(Number(row?.backends)).toBeLessThanOrEqual(2)
    await first?.query("SELECT pg_notify('sekisho_ended', 'a key')")
    await vi.waitFor(() => expect(heard).toEqual(['a key', 'a key', 'a key']), { timeout: 2_000 })
    const [left] = (await first?.query("SELECT current_setting('statement_timeout') AS ms")) ?? []
    expect(left?.ms).toBe('0') // nothing stays behind on a connection that others get
  })
})
