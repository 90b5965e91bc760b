import { existsSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSqliteInThread } from '../sql/sqlite.ts'
import { describeAcknowledgementStore } from '../testing/contracts/acknowledgement-store-contract.ts'
import { describeNoticeStore } from '../testing/contracts/notice-store-contract.ts'
import { describeReadership } from '../testing/contracts/readership-contract.ts'
import { describeVisitStore } from '../testing/contracts/visit-store-contract.ts'
import { createReaderRecords, openSqliteAcknowledgements } from './reader-records.ts'

async function open() {
  const folder = await mkdtemp(join(tmpdir(), 'sekisho-acknowledgements-'))
  const file = join(folder, 'acknowledgements.db')
  const gate = createReaderRecords(openSqliteInThread({ kind: 'acknowledgements', file }))
  const others = [openSqliteAcknowledgements(file), openSqliteAcknowledgements(file)]
  return {
    ...{ file, gate, others },
    async [Symbol.asyncDispose]() {
      for (const store of [gate, ...others]) await store.close()
      await rm(folder, { recursive: true })
    },
  }
}

describeAcknowledgementStore('SQLite', open)
async function openTwo<Part extends 'visits' | 'notices' | 'readership'>(part: Part) {
  const stores = await open()
  const [other = stores.gate] = stores.others
  const dispose = () => stores[Symbol.asyncDispose]()
  return { gate: stores.gate[part], other: other[part], [Symbol.asyncDispose]: dispose }
}
describeVisitStore('SQLite', () => openTwo('visits'))
describeNoticeStore('SQLite', () => openTwo('notices'))
describeReadership('SQLite', () => openTwo('readership'))

it('is off until it is used, and then readable by its owner only', async () => {
  await using stores = await open()
  expect(existsSync(stores.file)).toBe(false)
  await stores.gate.list(null, 1)
  expect((await stat(stores.file)).mode & 0o077).toBe(0)
})
