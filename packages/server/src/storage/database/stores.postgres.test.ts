import { describe, expect, inject, it } from 'vitest'
import { deriveAuditKey } from '../../audit/chain/audit-key.ts'
import { openPostgresAudit, readPostgresAudit } from '../../audit/postgres/postgres-audit.ts'
import { createReaderRecords } from '../../state/acknowledgements/reader-records.ts'
import { createPostgresDailySum } from '../../state/limits/daily-sum.ts'
import { createPostgresRateLimit } from '../../state/limits/postgres-rate-limit.ts'
import { REGISTRATION_LIMIT } from '../../state/limits/rate-limit.ts'
import { createPublisherStore } from '../../state/publishers/publisher-store.ts'
import { createPostgresSearchLog } from '../../state/search-log/postgres-search-log.ts'
import { createPostgresSessions, readContextId } from '../../state/sessions/postgres/postgres-sessions.ts'
import type { SessionContext } from '../../state/sessions/rows/session-store.ts'
import { onPostgres } from '../../state/sql/sql.ts'
import { describeAcknowledgementStore } from '../../state/testing/contracts/acknowledgement-store-contract.ts'
import { describeAuditStore } from '../../state/testing/contracts/audit-store-contract.ts'
import { describeNoticeStore } from '../../state/testing/contracts/notice-store-contract.ts'
import { describePublisherStore } from '../../state/testing/contracts/publisher-store-contract.ts'
import { describeRateLimit } from '../../state/testing/contracts/rate-limit-contract.ts'
import { describeReadership } from '../../state/testing/contracts/readership-contract.ts'
import { describeSearchLog } from '../../state/testing/contracts/search-log-contract.ts'
import { describeSessionStore } from '../../state/testing/contracts/session-store/index.ts'
import { describeVisitStore } from '../../state/testing/contracts/visit-store-contract.ts'
import { createMigratedDatabase } from '../../state/testing/postgres/test-database.ts'
import { type Database, openDatabase } from './database.ts'

const superuserUrl = inject('postgresUrl')
const CONTEXT = { issuer: 'https://issuer.test', projectId: 'p', origin: 'https://portal.test' }

const createMigrated = () => createMigratedDatabase(superuserUrl ?? '')
const open = (url: string) => openDatabase({ url, onProblem: () => {} })
const recordsOn = (database: Database) => createReaderRecords(onPostgres(database))
const publishersOn = (database: Database) =>
  createPublisherStore(onPostgres(database), { prefix: 'publisher ' })

describe.skipIf(superuserUrl === null)('with no rights but those a gate is granted', () => {
  describeSessionStore('PostgreSQL', async () => {
    const made = await createMigrated()
    return {
      async open(context: SessionContext | null) {
        const database = await open(context === null ? made.ownerUrl : made.gateUrl)
        const id = context === null ? null : await readContextId(database, context)
        const store = createPostgresSessions(database, id)
        return { ...store, close: () => store.close().then(() => database.close()) }
      },
      async [Symbol.asyncDispose]() {},
    }
  })

  describeRateLimit('PostgreSQL', async () => {
    const made = await createMigrated()
    const database = await open(made.gateUrl)
    return {
      open: (options) => createPostgresRateLimit(database, 'test', options),
      async advance(ms) {
        await made.run(
          `UPDATE sekisho.rate_limits SET filled_at = filled_at - make_interval(secs => ${ms / 1_000})`,
        )
      },
      [Symbol.asyncDispose]: () => database.close(),
    }
  })

  it('whoever registers clients at one gate has registered them at all', async () => {
    const made = await createMigrated()
    const gates = [await open(made.gateUrl), await open(made.gateUrl)]
    const limits = gates.map((gate) => createPostgresRateLimit(gate, 'register', REGISTRATION_LIMIT))
    const taken: boolean[] = []
    for (let client = 0; client < 6; client += 1)
      for (const limit of limits) taken.push((await limit.take('192.0.2.1')) === 0)
    expect(taken).toEqual([...Array(10).fill(true), false, false])
    for (const gate of gates) await gate.close()
  })

  it('sums a day over gates, and the next one anew', async () => {
    await using sums = await openTwo((database) => createPostgresDailySum(database, 'answers'))
    expect(await sums.gate.add(20_000, 70)).toBe(70)
    expect(await sums.other.add(20_000, 40)).toBe(110)
    expect(await sums.gate.add(20_001, 1)).toBe(1)
  })

  async function openTwo<Store>(create: (database: Awaited<ReturnType<typeof open>>) => Store) {
    const made = await createMigrated()
    const [gate, other] = [await open(made.gateUrl), await open(made.gateUrl)]
    return {
      gate: create(gate),
      other: create(other),
      async [Symbol.asyncDispose]() {
        await gate.close()
        await other.close()
      },
    }
  }
  describeVisitStore('PostgreSQL', () => openTwo((database) => recordsOn(database).visits))
  describeNoticeStore('PostgreSQL', () => openTwo((database) => recordsOn(database).notices))
  describeReadership('PostgreSQL', () => openTwo((database) => recordsOn(database).readership))

  describeAcknowledgementStore('PostgreSQL', async () => {
    const made = await createMigrated()
    const [gate, ...others] = [await open(made.gateUrl), await open(made.gateUrl), await open(made.gateUrl)]
    const update = "UPDATE sekisho.acknowledgements SET version = ''"
    for (const change of [update, 'DELETE FROM sekisho.acknowledgements'])
      await expect(gate.query(change)).rejects.toThrow(/permission denied/)
    return {
      gate: recordsOn(gate),
      others: others.map(recordsOn),
      async [Symbol.asyncDispose]() {
        for (const one of [gate, ...others]) await one.close()
      },
    }
  })

  describePublisherStore('PostgreSQL', async () => {
    const made = await createMigrated()
    const [gate, other, operator] = [
      await open(made.gateUrl),
      await open(made.gateUrl),
      await open(made.ownerUrl),
    ]
    const token = { id: 'x', name: 'x', may: ['publish'], createdAtMs: 1, expiresAtMs: 2 } as const
    await expect(publishersOn(gate).addToken('digest', token)).rejects.toThrow(/permission denied/)
    return {
      gate: publishersOn(gate),
      other: publishersOn(other),
      operator: publishersOn(operator),
      async [Symbol.asyncDispose]() {
        for (const database of [gate, other, operator]) await database.close()
      },
    }
  })

  describeAuditStore('PostgreSQL', async () => {
    const made = await createMigrated()
    const database = await open(made.gateUrl)
    const owner = await open(made.ownerUrl)
    return {
      key: deriveAuditKey('s'.repeat(32)),
      async open(chain) {
        const { findRemovable, remove } = await openPostgresAudit(owner, chain, { mayRemove: true })
        const store = await openPostgresAudit(database, chain, { mayRemove: false })
        expect(await store.findRemovable(Number.POSITIVE_INFINITY)).toBeNull()
        return { ...store, findRemovable, remove }
      },
      source: readPostgresAudit(database),
      nowMs: Date.parse('2026-11-22T00:00:00Z'),
      async cutLastLine(chain) {
        await made.run(
          `DELETE FROM sekisho.audit_lines WHERE chain = '${chain}'
           AND seq = (SELECT max(seq) FROM sekisho.audit_lines WHERE chain = '${chain}')`,
        )
      },
      async [Symbol.asyncDispose]() {
        await database.close()
        await owner.close()
      },
    }
  })

  describeSearchLog('PostgreSQL', async () => {
    const made = await createMigrated()
    const database = await open(made.gateUrl)
    const store = createPostgresSearchLog(database, await readContextId(database, CONTEXT))
    return { store, [Symbol.asyncDispose]: () => database.close() }
  })
})
