import { expect, it } from 'vitest'
import type { SessionRow } from '../rows/session.ts'
import { holdProofs } from './unwritten-proofs.ts'

const KEY = 'k'
const DUE_MS = 1_000
const rowOf = (provenAtMs: number, refresh: string) =>
  ({ key: KEY, provenAtMs, refresh: Buffer.from(refresh), vouched: {} }) as unknown as SessionRow
const proofOf = (provenAtMs: number, refresh: string) => ({
  ...{ key: KEY, provenAtMs, previousProofAtMs: 0, refresh: Buffer.from(refresh) },
  vouched: rowOf(0, '').vouched,
})

/** A store that answers when the test says so. */
function createSlowStore(row: SessionRow) {
  const answers: (() => void)[] = []
  return {
    answer: () => answers.shift()?.(),
    markProven: async () => {},
    listDue: () => new Promise<SessionRow[]>((resolve) => answers.push(() => resolve([row]))),
  }
}

it('lists no session that was proven and written while the store was reading its row of before', async () => {
  const store = createSlowStore(rowOf(0, 'old'))
  const proofs = holdProofs(store)
  proofs.add(proofOf(DUE_MS + 1, 'new'))
  const listed = proofs.listDue(DUE_MS, null)
  await proofs.write()
  expect(proofs.find(KEY)).toBeUndefined()
  store.answer()
  expect((await listed).due).toEqual([])
})

it('lists one that is due again with the token of its newest proof', async () => {
  const store = createSlowStore(rowOf(0, 'old'))
  const proofs = holdProofs(store)
  proofs.add(proofOf(DUE_MS - 1, 'new'))
  const listed = proofs.listDue(DUE_MS, null)
  await proofs.write()
  store.answer()
  expect((await listed).due).toMatchObject([{ provenAtMs: DUE_MS - 1, refresh: Buffer.from('new') }])
})

it('takes what another process has written since for newer than what it held itself', async () => {
  const store = createSlowStore(rowOf(DUE_MS, 'of another'))
  const proofs = holdProofs(store)
  proofs.add(proofOf(DUE_MS - 1, 'new'))
  const listed = proofs.listDue(DUE_MS, null)
  await proofs.write()
  store.answer()
  expect((await listed).due).toMatchObject([{ refresh: Buffer.from('of another') }])
})
