import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createClient } from './client.ts'
import { type Flow, LATER, ODD, SIGN_IN, STRICTER } from './flows.ts'
import { type Peer, startOwn } from './peer.ts'
import { isReferenceInstalled, startReference } from './reference.ts'

/**
 * Holds our service against the official emulator: each flow is run with both, and every answer must be the same in all
 * that the SDK or the gate reads. `npm run agreement` installs the emulator; without it, nothing is compared.
 */
const PROJECT = 'demo-sekisho'

const isCompared = isReferenceInstalled()

describe('our service and the official emulator', () => {
  let folder: string
  let own: Peer
  let reference: (Peer & Disposable) | undefined

  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true })
    folder = await mkdtemp(join(tmpdir(), 'sekisho-agreement-'))
    own = await startOwn(PROJECT, join(folder, 'accounts.json'))
    if (isCompared) reference = await startReference(PROJECT)
  }, 120_000)
  afterAll(async () => {
    vi.useRealTimers()
    reference?.[Symbol.dispose]()
    await rm(folder, { recursive: true })
  })

  async function run(flow: Flow, peer: Peer | undefined): Promise<readonly unknown[]> {
    if (peer === undefined) throw new Error('The emulator was not started')
    const client = createClient(peer)
    await flow.run(client)
    return client.notes
  }

  describe.skipIf(!isCompared).each([
    ['signing in', SIGN_IN],
    ['afterwards', LATER],
    ['odd requests', ODD],
  ])('agree about %s', (_, flows) => {
    for (const flow of flows) {
      it(flow.name, async () => {
        expect(await run(flow, own)).toEqual(await run(flow, reference))
      })
    }
  })

  describe('differ on purpose about', () => {
    for (const flow of STRICTER) {
      it(flow.name, async () => {
        const ours = await run(flow, own)
        expect(ours.at(-1)).toMatchObject({ status: 400, body: { error: { message: flow.refusal } } })
        if (!isCompared) return
        const theirs = await run(flow, reference)
        expect(theirs.at(-1)).not.toHaveProperty('body.error')
        expect(ours.slice(0, -1)).toEqual(theirs.slice(0, -1))
      })
    }
  })
})
