import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CHAIN_START, type ChainHead, readFileHeader, readLink } from '../../../audit/chain/audit-chain.ts'
import { type AuditKey, readNote, signNote } from '../../../audit/chain/audit-key.ts'
import { type AuditBatch, createAuditQueue } from '../../../audit/chain/audit-queue.ts'
import type { AuditSource, AuditStore } from '../../../audit/chain/audit-store.ts'
import { verifyAudit } from '../../../audit/reading/audit-verify.ts'
import { readFollowing } from '../../../audit/reading/follow-trail.ts'
import { openAuditTrail } from '../../../audit/writing/audit-trail.ts'

/** One empty place for a trail, in a kind of store that is to be tested. */
export interface AuditStoreFixture extends AsyncDisposable {
  readonly key: AuditKey
  /** Opens a chain as a process does that starts; the one before it is gone. */
  open(chain: string): Promise<AuditStore>
  readonly source: AuditSource
  /** The clock by which what is old is found. */
  nowMs: number
  /** Removes the last line of a chain without notice to its opener. */
  cutLastLine(chain: string): Promise<void>
}

/** Contract of every store of the audit trail. */
export function describeAuditStore(name: string, create: () => Promise<AuditStoreFixture>): void {
  describe(`an audit store: ${name}`, () => {
    let place: AuditStoreFixture
    beforeEach(async () => {
      place = await create()
    })
    afterEach(() => place[Symbol.asyncDispose]())

    const batchOf = (start: ChainHead, ...paths: readonly string[]): AuditBatch => {
      const queue = createAuditQueue(start)
      for (const path of paths)
        queue.add({ at: new Date(place.nowMs).toISOString(), event: 'page_read', path })
      const batch = queue.first()
      if (batch === null) throw new Error('a batch without lines')
      return batch
    }
    const linesOf = async (chain: string) => {
      const lines: string[] = []
      for await (const part of place.source.read(chain)) lines.push(...part.lines)
      return lines.filter((line) => readFileHeader(line) === null)
    }
    const note = (chain: string, head: ChainHead, removed = CHAIN_START) =>
      signNote({ chain, head, removed, at: new Date(place.nowMs).toISOString() }, place.key)
    const verify = () => verifyAudit(place.source, { publicKey: place.key.publicKey })

    it('is empty at first', async () => {
      const { end, readHeads } = await place.open('gate')
      expect(end).toEqual({ head: CHAIN_START, before: CHAIN_START, lastLine: '', cutBytes: 0 })
      expect(await readHeads()).toEqual([])
      expect((await verify()).ok).toBe(false)
    })

    it('continues where it ended, however often it is opened', async () => {
      const store = await place.open('gate')
      const first = batchOf(CHAIN_START, '/a', '/関所')
      await store.append(first)
      const second = batchOf(first.head, '/c')
      await store.append(second)
      const { end } = await place.open('gate')
      expect(end).toMatchObject({ head: second.head, before: CHAIN_START, cutBytes: 0 })
      expect(`${end.lastLine}\n`).toBe(second.lines[0])
      const third = batchOf(end.head, '/d')
      await (await place.open('gate')).append(third)
      expect((await linesOf('gate')).map((line) => readLink(line)?.seq)).toEqual([1, 2, 3, 4])
      expect((await linesOf('gate')).join('\n')).toContain('/関所')
      await store.writeHead(note('gate', third.head))
      expect((await verify()).problems).toEqual([])
    })

    it('keeps chains apart, and shows each the signed heads of all', async () => {
      const [a, b] = [await place.open('gate-a'), await place.open('gate-b')]
      const batch = batchOf(CHAIN_START, '/a')
      await a.append(batch)
      await a.writeHead(note('gate-a', CHAIN_START))
      await a.writeHead(note('gate-a', batch.head))
      await b.append(batchOf(CHAIN_START, '/b'))
      await b.writeHead(note('gate-b', CHAIN_START))
      const heads = (await a.readHeads()).map((text) => readNote(text, place.key.publicKey))
      expect(heads.map((head) => [head?.chain, head?.head.seq])).toEqual([
        ['gate-a', 1],
        ['gate-b', 0],
      ])
      expect(await place.source.listChains()).toEqual(['gate-a', 'gate-b'])
      expect([await linesOf('gate-a'), await linesOf('gate-b')].map((lines) => lines.length)).toEqual([1, 1])
    })

    it('removes what is old when it is told to, and nothing else', async () => {
      const store = await place.open('gate')
      let head = CHAIN_START
      for (let day = 0; day < 4; day += 1) {
        const batch = batchOf(head, `/day-${day}`)
        await store.append(batch)
        head = batch.head
        place.nowMs += 86_400_000
      }
      const beforeMs = place.nowMs - 2.5 * 86_400_000
      expect(await store.findRemovable(beforeMs - 30 * 86_400_000)).toBeNull()
      for (;;) {
        const last = await store.findRemovable(beforeMs)
        if (last === null) break
        await store.writeHead(note('gate', head, last))
        await store.remove(last)
      }
      expect((await linesOf('gate')).map((line) => JSON.parse(line).path)).toEqual(['/day-2', '/day-3'])
      const { end } = await place.open('gate')
      expect([end.before.seq, end.head]).toEqual([2, head])
      expect((await verify()).problems).toEqual([])
    })

    /** Everything behind a position, as an output gets it. */
    const follow = async (position: ReadonlyMap<string, ChainHead>) => {
      const next = new Map(position)
      const [lines, notices]: [string[], string[]] = [[], []]
      for await (const followed of readFollowing(place.source, position, position.size === 0)) {
        for (const line of followed.lines) lines.push(JSON.parse(line).path ?? JSON.parse(line).follow)
        notices.push(...followed.notices)
        next.set(followed.chain, followed.head)
      }
      return { next, lines, notices }
    }

    it('is followed from a position, across days and restarts, and says which lines went unread', async () => {
      const first = batchOf(CHAIN_START, '/a', '/b')
      const begin = await place.open('gate')
      await begin.writeHead(note('gate', CHAIN_START)) // as every trail does at its start
      await begin.append(first)
      const begun = await follow(new Map())
      expect(begun).toMatchObject({ lines: ['/a', '/b'], notices: [] })
      place.nowMs += 2 * 86_400_000 // a file of its own
      const second = batchOf(first.head, '/c')
      const store = await place.open('gate')
      await store.append(second)
      const operator = await place.open('operator')
      await operator.writeHead(note('operator', CHAIN_START))
      await operator.append(batchOf(CHAIN_START, '/o'))
      const later = await follow(begun.next)
      expect(later).toMatchObject({ lines: ['/c', '/o'], notices: [] })
      expect((await follow(later.next)).lines).toEqual([])
      expect((await follow(begun.next)).lines).toEqual(['/c', '/o']) // the output did not take them: once more

      const last = await store.findRemovable(place.nowMs - 86_400_000)
      if (last === null) throw new Error('nothing to remove')
      await store.writeHead(note('gate', second.head, last))
      await store.remove(last)
      expect((await follow(begun.next)).notices).toEqual([]) // what was removed had been read
      const unread = await follow(
        new Map([
          ['gate', { seq: 1, hash: 'f'.repeat(64) }],
          ['operator', second.head],
        ]),
      )
      expect(unread).toMatchObject({ lines: ['gap', '/c'], notices: ['gap'] })
    })

    it('is followed again from its first line when another line is in the place of the last one read', async () => {
      const store = await place.open('gate')
      await store.writeHead(note('gate', CHAIN_START))
      const first = batchOf(CHAIN_START, '/a', '/b')
      await store.append(first)
      const { next } = await follow(new Map())
      await place.cutLastLine('gate')
      expect((await follow(next)).lines).toEqual([])
      const cut = await place.open('gate')
      const other = batchOf(cut.end.head, '/x', '/y')
      await cut.append(other)
      expect(await follow(next)).toMatchObject({
        lines: ['rewritten', '/a', '/x', '/y'],
        notices: ['rewritten'],
      })
    })

    it('takes no line once it is not what it was', async () => {
      const store = await place.open('gate')
      const first = batchOf(CHAIN_START, '/a', '/b')
      await store.append(first)
      await place.cutLastLine('gate')
      const second = batchOf(first.head, '/c')
      await expect(store.append(second)).rejects.toThrow()
      await expect(store.append(second)).rejects.toThrow()
      expect(await linesOf('gate')).toHaveLength(1)
    })

    it('holds a sign-in before it is answered, and says at the next start how the last one ended', async () => {
      const fail = (error: unknown) => {
        throw error
      }
      const open = async (onFailure: (error: unknown) => void = fail) =>
        openAuditTrail({
          ...{ chain: 'gate', store: await place.open('gate'), key: place.key, now: () => place.nowMs },
          onFailure,
        })
      const trail = await open(() => {}) // it would sign when its folder is gone
      await trail.recordDurably('signed_in', { email: 'a@example.co.jp' })
      expect(JSON.parse((await linesOf('gate')).at(-1) ?? '{}').event).toBe('signed_in')
      const next = await open() // the one before is gone without a word
      await next.close()
      const afterwards = await open()
      await afterwards.recordDurably('gate_started', {})
      expect((await linesOf('gate')).map((line) => JSON.parse(line).event)).toEqual([
        'signed_in',
        'restarted_uncleanly',
        'gate_stopped',
        'gate_started',
      ])
      await afterwards.close()
      expect((await verify()).problems).toEqual([])
    })
  })
}
