import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createClient } from './client.ts'
import { type Flow, LATER, ODD, SIGN_IN, STRICTER } from './flows.ts'
import { type Peer, startOwn } from './peer.ts'
import { INSTALL_COMMAND, isReferenceInstalled, startReference } from './reference.ts'

/**
 * Holds our service against the official emulator: each flow is run with both, and every answer must be the same in all
 * that the SDK or the gate reads. `npm test` installs the emulator and insists on it.
 */
const PROJECT = 'demo-sekisho'
const isDemanded = process.env.SEKISHO_IDENTITY_REFERENCE === 'required'
const isSkipped = !isReferenceInstalled() && !isDemanded
if (isSkipped)
  console.warn(`Skipped: the official emulator is not installed. To compare, run ${INSTALL_COMMAND}`)

describe.skipIf(isSkipped)('our service and the official emulator', () => {
  let folder: string
  let own: Peer
  let reference: (Peer & Disposable) | undefined

  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true })
    folder = await mkdtemp(join(tmpdir(), 'sekisho-agreement-'))
    own = await startOwn(PROJECT, join(folder, 'accounts.json'))
    reference = await startReference(PROJECT)
  }, 120_000)
  afterAll(async () => {
    vi.useRealTimers()
    reference?.[Symbol.dispose]()
    await rm(folder, { recursive: true })
  })

  async function run(flow: Flow): Promise<{ ours: readonly unknown[]; theirs: readonly unknown[] }> {
    if (reference === undefined) throw new Error('The emulator was not started')
    const clients = { ours: createClient(own), theirs: createClient(reference) }
    await flow.run(clients.ours)
    await flow.run(clients.theirs)
    return { ours: clients.ours.notes, theirs: clients.theirs.notes }
  }

  describe.each([
    ['signing in', SIGN_IN],
    ['afterwards', LATER],
    ['odd requests', ODD],
  ])('agree about %s', (_, flows) => {
    for (const flow of flows) {
      it(flow.name, async () => {
        const { ours, theirs } = await run(flow)
        expect(ours).toEqual(theirs)
      })
    }
  })

  describe('differ on purpose about', () => {
    for (const flow of STRICTER) {
      it(flow.name, async () => {
        const { ours, theirs } = await run(flow)
        expect(ours.at(-1)).toMatchObject({ status: 400, body: { error: { message: flow.refusal } } })
        expect(theirs.at(-1)).not.toHaveProperty('body.error')
        expect(ours.slice(0, -1)).toEqual(theirs.slice(0, -1))
      })
    }
  })
})
