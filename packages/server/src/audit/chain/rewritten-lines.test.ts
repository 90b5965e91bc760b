import { expect, it } from 'vitest'
import { verifyAudit } from '../reading/audit-verify.ts'
import { openAuditTrail } from '../writing/audit-trail.ts'
import { LostEndError, rememberLines } from '../writing/lost-end.ts'
import { CHAIN_START, type ChainHead, chainLine, readLink, recordOf } from './audit-chain.ts'
import { deriveAuditKey } from './audit-key.ts'
import type { AuditBatch } from './audit-queue.ts'
import type { AuditSource, AuditStore } from './audit-store.ts'

const KEY = deriveAuditKey('s'.repeat(32))

/** A chain in memory that can lose its end, and knows the lines that it lost. */
function createLossyStore() {
  const kept: string[] = []
  let signed: string[] = []
  const written = rememberLines({ lines: [], head: CHAIN_START }, () => 0)
  const headOf = (line: string | undefined): ChainHead => readLink(line?.trimEnd() ?? '') ?? CHAIN_START
  const store: AuditStore = {
    end: { head: CHAIN_START, before: CHAIN_START, lastLine: '', cutBytes: 0 },
    async append(batch: AuditBatch) {
      const { seq, hash } = headOf(kept.at(-1))
      if (headOf(batch.lines[0]).seq !== seq + 1)
        throw new LostEndError('lost', { seq, hash }, written.findBehind({ seq, hash }) ?? [])
      kept.push(...batch.lines)
      written.add(batch)
    },
    readHeads: async () => signed,
    async writeHead(head) {
      signed = [head]
    },
    findRemovable: async () => null,
    remove: async () => {},
  }
  const source: AuditSource = {
    listChains: async () => ['gate'],
    readHeads: async () => signed,
    readRemovals: async () => [],
    async *read() {
      yield { place: 'gate', firstLineNumber: 1, lines: kept.map((line) => line.trimEnd()) }
    },
  }
  return { store, source, kept, lose: (count: number) => void kept.splice(-count) }
}

const open = (store: AuditStore) =>
  openAuditTrail({
    ...{ chain: 'gate', store, key: KEY, now: () => 0 },
    onFailure(error) {
      throw error
    },
  })
const verify = (source: AuditSource) => verifyAudit(source, { publicKey: KEY.publicKey })

it('a loss of lines that were lost before, and of the line that says so, is made good like any other', async () => {
  const { store, source, kept, lose } = createLossyStore()
  const trail = await open(store)
  for (const session of ['a', 'b', 'c']) await trail.recordDurably('signed_out', { session })
  lose(2)
  await trail.recordDurably('signed_out', { session: 'd' })
  lose(4)
  await trail.recordDurably('signed_out', { session: 'e' })
  await trail.close()
  const lines = kept.map((line) => JSON.parse(line))
  expect(lines.map(({ event, session, again }) => [event, session, again])).toEqual([
    ['signed_out', 'a', undefined],
    ['lines_missing', undefined, undefined],
    ['lines_missing', undefined, [2]],
    ['signed_out', 'b', [2, 3]],
    ['signed_out', 'c', [3, 4]],
    ['signed_out', 'd', [5]],
    ['signed_out', 'e', undefined],
    ['gate_stopped', undefined, undefined],
  ])
  const { problems, chains } = await verify(source)
  expect([problems, chains[0]?.rewritten]).toEqual([[], 4])
})

it('lets go of a response whose line waited for the chain to go on, and not before', async () => {
  const { store, lose } = createLossyStore()
  const trail = await open(store)
  for (const session of ['a', 'b', 'c']) await trail.recordDurably('signed_out', { session })
  lose(3)
  const left: string[] = []
  await Promise.all(
    ['d', 'e'].map((session) => trail.recordDurably('signed_in', { session }).then(() => left.push(session))),
  )
  expect(left).toEqual(['d', 'e'])
  expect(trail.head().seq).toBe(6)
})

/** Lines of a chain after a loss, with consistent hashes behind a changed one, as a database administrator could forge them. */
function forged(kept: readonly string[], change: (records: Record<string, unknown>[]) => void): string[] {
  const records: Record<string, unknown>[] = kept.map(recordOf)
  change(records)
  let head = CHAIN_START
  return records.map((record) => {
    const chained = chainLine(head, { at: '', ...record })
    head = chained.head
    return chained.line
  })
}

it.each<[row: string, change: (records: Record<string, unknown>[]) => void]>([
  ['another reader in a line that was lost', (records) => Object.assign(records[2] ?? {}, { session: 'x' })],
  ['one line less', (records) => void records.splice(3, 1)],
  [
    'two lines that changed places',
    (records) => void records.splice(2, 2, records[3] ?? {}, records[2] ?? {}),
  ],
  ['a line between them', (records) => void records.splice(3, 0, { event: 'signed_in', session: 'x' })],
  [
    'fewer than were lost',
    (records) => void (Object.assign(records[1] ?? {}, { rewritten: 1 }) && records.splice(3, 1)),
  ],
  [
    'none written again',
    (records) => void (Object.assign(records[1] ?? {}, { rewritten: 0 }) && records.splice(2, 2)),
  ],
  ['a mark without a loss', (records) => void records.splice(1, 1)],
])('says so when what was lost is not written again as it was: %s', async (_row, change) => {
  const { store, source, kept, lose } = createLossyStore()
  const trail = await open(store)
  for (const session of ['a', 'b', 'c']) await trail.recordDurably('signed_out', { session })
  lose(2)
  await trail.recordDurably('signed_out', { session: 'd' })
  await trail.close()
  expect((await verify(source)).problems).toEqual([])
  kept.splice(0, kept.length, ...forged(kept, change))
  const problems = (await verify(source)).problems.map(({ problem }) => problem)
  expect(problems.join('\n')).toMatch(/written again|were missing/)
})

it('finds the lines behind an end by number and hash, and of ten thousand', () => {
  const lines: string[] = []
  let head = CHAIN_START
  const heads: ChainHead[] = []
  for (let count = 0; count < 10_050; count += 1) {
    const chained = chainLine(head, { at: '', count })
    head = chained.head
    heads.push(head)
    lines.push(chained.line)
  }
  const written = rememberLines({ lines, head }, () => 0)
  expect(written.findBehind(heads[10_047] ?? head)).toEqual(lines.slice(-2))
  expect(written.findBehind(heads[49] ?? head)).toHaveLength(10_000)
  expect(written.findBehind(heads[48] ?? head)).toBeNull()
  expect(written.findBehind({ ...head, seq: head.seq - 1 })).toBeNull()
  expect(written.findBehind({ ...head, hash: '0'.repeat(64) })).toBeNull()
})
