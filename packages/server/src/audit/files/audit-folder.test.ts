import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  type AuditStoreFixture,
  describeAuditStore,
} from '../../state/testing/contracts/audit-store-contract.ts'
import { CHAIN_START } from '../chain/audit-chain.ts'
import { openAuditKey } from '../chain/audit-key.ts'
import { createAuditQueue } from '../chain/audit-queue.ts'
import { openAuditFolder } from './audit-folder.ts'
import { readAuditFolder } from './audit-source.ts'

async function createFolder(): Promise<AuditStoreFixture> {
  const root = await mkdtemp(join(tmpdir(), 'sekisho-audit-store-'))
  const places = { lines: join(root, 'audit'), heads: join(root, 'audit-heads') }
  const fixture: AuditStoreFixture = {
    key: openAuditKey(join(root, 'key.pem')),
    nowMs: Date.parse('2026-11-21T00:00:00Z'),
    open: async (chain) => openAuditFolder({ places, chain, now: () => fixture.nowMs }),
    source: readAuditFolder(places),
    async cutLastLine(chain) {
      const name = (await readdir(places.lines)).filter((file) => file.startsWith(chain)).at(-1) ?? ''
      const text = await readFile(join(places.lines, name), 'utf8')
      await writeFile(join(places.lines, name), text.replace(/[^\n]+\n$/, ''))
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  }
  return fixture
}

describeAuditStore('a folder', createFolder)

it('is read in parts, so that no month is too long to be verified', async () => {
  await using folder = await createFolder()
  const store = await folder.open('gate')
  const queue = createAuditQueue(CHAIN_START)
  for (let count = 0; count < 8_000; count += 1)
    queue.add({ at: '2026-11-21T00:00:00Z', path: '/関所'.repeat(30) })
  const batch = queue.first()
  if (batch !== null) await store.append(batch)
  let lines = 0
  let longest = 0
  for await (const part of folder.source.read('gate')) {
    lines += part.lines.length
    longest = Math.max(
      longest,
      part.lines.reduce((sum, line) => sum + line.length, 0),
    )
  }
  expect(lines).toBe(8_001) // and the header of the file
  expect(longest).toBeLessThan(600_000)
})

it.each(['has been', 'is being'])(
  'leaves each line to the system once, of which the first %s appended',
  async (state) => {
    await using folder = await createFolder()
    const store = await folder.open('gate')
    const queue = createAuditQueue(CHAIN_START)
    queue.add({ at: '2026-11-21T00:00:00Z', path: '/a' })
    const first = queue.first()
    queue.add({ at: '2026-11-21T00:00:00Z', path: '/b' })
    const all = queue.all()
    if (first === null || all === null) throw new Error('two lines wait')
    const appended = store.append(first)
    if (state === 'has been') await appended
    await store.leave?.(all)
    await appended
    const lines: string[] = []
    for await (const part of folder.source.read('gate')) lines.push(...part.lines)
    expect(lines.slice(1).map((line) => `${line}\n`)).toEqual(all.lines)
  },
)
