import { hash } from 'node:crypto'
import type { BeginResponse, PlanResponse, PublisherRight } from '@sekisho/contract/publishing'
import { ROUTES } from '@sekisho/contract/routes'
import { createProof, type Frame, listReleaseIds } from '@sekisho/release'
import { beforeEach, describe, expect, it } from 'vitest'
import { digestOf } from '../../state/publishers/index.ts'
import {
  framesOfBytes,
  type PackedRelease,
  PUBLISH_TOKEN,
  portal,
  usePublishing,
} from '../../testing/test-publishing.ts'

usePublishing()

const TOPIC = { preview: 'topic', branch: 'topic', commit: 'abcdef0' }
let production: PackedRelease

/** A job of another branch, which may publish previews and nothing else. */
async function previewTicket(target = TOPIC): Promise<BeginResponse> {
  return portal.ticket(await portal.jobToken({ ref: 'refs/heads/topic' }), target)
}

async function rollbackTicket(): Promise<BeginResponse> {
  const may: readonly PublisherRight[] = ['rollback']
  await portal.store.addToken(digestOf('sekisho_publish_on-call'), {
    ...{ id: 'cd34', name: 'on call', may },
    ...{ createdAtMs: portal.state.nowMs, expiresAtMs: portal.state.nowMs + 86_400_000 },
  })
  return portal.ticket('sekisho_publish_on-call')
}

async function plan({ id, manifest }: PackedRelease, ticket: string): Promise<PlanResponse> {
  const request = { id, sha256: hash('sha256', manifest), bytes: manifest.length }
  const answer = await portal.post(ROUTES.publishPlan, ticket, request)
  return (await answer.json()) as PlanResponse
}

/** Plan of a preview that names every file of production without possessing their bytes. */
async function planWithout(frames: readonly Frame[], ticket: string): Promise<PlanResponse> {
  await portal.sendFrames(ticket, [...framesOfBytes(production.manifest), ...frames])
  return plan(production, ticket)
}

const proofOf = ({ sha256, bytes, payload }: Frame, key: string, of: Uint8Array = payload): Frame => ({
  ...{ sha256, bytes, part: 0, kind: 'proof' as const },
  payload: createProof(key).update(of).digest(),
})

beforeEach(async () => {
  production = await portal.pack('one')
  await portal.publish(production, await portal.ticket(PUBLISH_TOKEN))
})

describe('of production, whoever may not publish it', () => {
  it('is told no release', async () => {
    const { ticket } = await previewTicket()
    expect((await portal.ask(ROUTES.publishReleases, {}, ticket)).status).toBe(403)
    expect((await rollbackTicket()).takesProofs).toBe(false)
  })

  it('is lent no file for its hash, neither of what is served nor of what waits', async () => {
    const { ticket } = await previewTicket()
    expect((await planWithout([], ticket)).unsent).toHaveLength(production.frames.length)
    const next = await portal.pack('two')
    const main = await portal.ticket(PUBLISH_TOKEN)
    await portal.sendFrames(main.ticket, [...framesOfBytes(next.manifest), ...next.frames])
    expect(await plan(next, ticket)).toMatchObject({ isManifestHere: false })
    await portal.sendFrames(ticket, framesOfBytes(next.manifest))
    const asked = await plan(next, ticket)
    expect([asked.unsent.length, asked.arrived]).toEqual([next.frames.length, {}])
    const request = { id: next.id, sha256: hash('sha256', next.manifest), bytes: next.manifest.length }
    const commit = await portal.post(ROUTES.publishCommit, ticket, { ...request, from: null })
    expect(await commit.json()).toEqual({ state: 'unsent' })
    expect(await portal.previews.open('topic').list()).toEqual([])
  })

  it.each<[string, (frame: Frame, ticket: string) => Frame]>([
    ['over other bytes', (frame, key) => proofOf(frame, key, Buffer.from('guessed'))],
    ['over its hash', (frame, key) => proofOf(frame, key, Buffer.from(frame.sha256, 'hex'))],
    ['with a key of another time', (frame) => proofOf(frame, 'sekisho_ticket_of-yesterday')],
    [
      'of its beginning alone',
      (frame, key) => proofOf({ ...frame, bytes: 4, payload: frame.payload.subarray(0, 4) }, key),
    ],
    ['that is empty', (frame) => ({ ...frame, kind: 'proof', payload: Buffer.of() })],
  ])('is lent none for a proof %s', async (_name, forge) => {
    const { ticket } = await previewTicket()
    const forged = production.frames.map((frame) => forge(frame, ticket))
    expect((await planWithout(forged, ticket)).unsent).toHaveLength(production.frames.length)
  })

  it('is not lent what somebody else has proven', async () => {
    const one = await previewTicket()
    await portal.sendFrames(
      one.ticket,
      production.frames.map((frame) => proofOf(frame, one.ticket)),
    )
    const other = await portal.ticket(await portal.jobToken({ ref: 'refs/heads/other' }), {
      ...{ preview: 'other', branch: 'other', commit: 'abcdef0' },
    })
    expect((await planWithout([], other.ticket)).unsent).toHaveLength(production.frames.length)
  })
})

it('what a branch proves to have is not sent: a preview of what is served costs its proofs', async () => {
  const begun = await previewTicket()
  expect(begun.takesProofs).toBe(true)
  const proofs = production.frames.map((frame) => proofOf(frame, begun.ticket))
  expect((await planWithout(proofs, begun.ticket)).unsent).toEqual([])
  const answer = await portal.publish({ ...production, frames: [] }, begun)
  expect([answer.status, await answer.json()]).toMatchObject([200, { state: 'served' }])
  expect((await portal.previews.open('topic').list()).map(({ id }) => id)).toEqual([production.id])
  expect(await listReleaseIds(portal.portalDir)).toEqual([production.id])
})

it('what a branch sends stays its own: production takes nothing from it for a hash', async () => {
  const next = await portal.pack('two')
  const branch = await previewTicket()
  await portal.sendFrames(branch.ticket, [...framesOfBytes(next.manifest), ...next.frames])
  const main = await portal.ticket(await portal.jobToken())
  expect(await plan(next, main.ticket)).toMatchObject({ isManifestHere: false })
})
