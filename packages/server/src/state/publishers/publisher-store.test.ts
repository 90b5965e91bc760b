import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSqliteInThread } from '../sql/sqlite.ts'
import { describePublisherStore } from '../testing/contracts/publisher-store-contract.ts'
import { createPublisherStore, digestOf, openSqlitePublishers } from './publisher-store.ts'

async function open() {
  const folder = await mkdtemp(join(tmpdir(), 'sekisho-publishers-'))
  const file = join(folder, 'publishers.db')
  const stores = {
    gate: createPublisherStore(openSqliteInThread({ kind: 'publishers', file })),
    other: openSqlitePublishers(file),
    operator: openSqlitePublishers(file),
  }
  return {
    ...stores,
    file,
    async [Symbol.asyncDispose]() {
      for (const store of Object.values(stores)) await store.close()
      await rm(folder, { recursive: true })
    },
  }
}

describePublisherStore('SQLite', open)

it('forgets spent tokens that have expired, and no others', async () => {
  await using stores = await open()
  await stores.gate.spend('old', 1_000)
  await stores.gate.spend('new', 3_000)
  await stores.gate.forgetSpent(2_000)
  expect([await stores.gate.spend('old', 1_000), await stores.gate.spend('new', 3_000)]).toEqual([
    true,
    false,
  ])
})

it('keeps digests, in a file that only its owner reads', async () => {
  await using stores = await open()
  const token = { id: 'x', name: 'x', may: ['publish'], createdAtMs: 1, expiresAtMs: 2 } as const
  await stores.operator.addToken(digestOf('sekisho_publish_secret'), token)
  const bytes = await Promise.all([stores.file, `${stores.file}-wal`].map((file) => readFile(file)))
  expect(Buffer.concat(bytes).includes('sekisho_publish_secret')).toBe(false)
  expect((await stat(stores.file)).mode & 0o077).toBe(0)
})

it('76 a token that is spent on a slow disk delays no other publisher', async () => {
  await using stores = await open()
  const threadUrl = new URL('../testing/slow-thread.ts', import.meta.url)
  const slow = createPublisherStore(
    openSqliteInThread({ kind: 'publishers', file: stores.file }, { threadUrl }),
  )
  let ticks = 0
  const ticking = setInterval(() => {
    ticks += 1
  }, 10)
  expect(await slow.spend('digest', 3_000)).toBe(true)
  clearInterval(ticking)
  expect(ticks).toBeGreaterThan(20) // of the two seconds that it took
  expect(await stores.other.spend('digest', 3_000)).toBe(false)
  await slow.close()
})
