import { hash } from 'node:crypto'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROUTES } from '@sekisho/contract/routes'
import { isIntact, listReleaseIds, movePointer } from '@sekisho/release'
import { describe, expect, it } from 'vitest'
import {
  createTestPublishing,
  framesOfBytes,
  lastRecord,
  type PackedRelease,
  PUBLISH_TOKEN,
  portal,
  usePublishing,
} from '../../testing/test-publishing.ts'

usePublishing()

describe('a release', () => {
  it('is sent by a job of the CI, served whole, and recorded with who sent it', async () => {
    const release = await portal.pack('one')
    const begun = await portal.ticket(await portal.jobToken())
    expect(begun).toMatchObject({ served: null, takesProofs: false })
    const answer = await portal.publish(release, begun)
    expect([answer.status, await answer.json()]).toEqual([200, { state: 'served', othersLookEveryMs: 1_000 }])
    expect((await portal.portal.readPointer()).id).toBe(release.id)
    expect(await isIntact(portal.portalDir, release.id)).toBe(true)
    expect(lastRecord()).toMatchObject({
      event: 'release_published',
      release: release.id,
      before: null,
      by: 'https://ci.test example/docs (4711) refs/heads/main',
      target: 'production',
    })
    expect(await readdir(join(portal.portalDir, '.uploads'))).toEqual([
      expect.stringMatching(/^[0-9a-f]{64}\.0$/),
    ])
  })

  it('sends of the next one what changed, and nothing of a preview of it', async () => {
    const begun = await portal.ticket(PUBLISH_TOKEN)
    await portal.publish(await portal.pack('one'), begun)
    const second = await portal.pack('two')
    const again = await portal.ticket(PUBLISH_TOKEN)
    const plan = await planOf(second, again.ticket)
    expect(plan.unsent.length).toBe(4) // the page, plain and in three encodings
    await portal.publish(second, again)
    const target = { preview: 'topic-1', branch: 'topic', commit: 'abcdef0123' }
    const preview = await portal.ticket(PUBLISH_TOKEN, target)
    expect(preview.served).toBeNull()
    expect((await planOf(second, preview.ticket)).unsent).toEqual([])
    expect((await portal.publish(second, preview)).status).toBe(200)
    expect((await portal.previews.open('topic-1').readPointer()).id).toBe(second.id)
    expect(await portal.previews.list()).toMatchObject([{ name: 'topic-1', branch: 'topic' }])
    expect((await portal.portal.readPointer()).id).toBe(second.id)
  })

  async function planOf({ id, manifest }: PackedRelease, ticket: string) {
    await portal.sendFrames(ticket, framesOfBytes(manifest))
    const request = { id, sha256: hash('sha256', manifest), bytes: manifest.length }
    return (await (await portal.post(ROUTES.publishPlan, ticket, request)).json()) as { unsent: number[] }
  }

  it('goes on where a broken attempt stopped, also with another ticket', async () => {
    const release = await portal.pack('one')
    const first = await portal.ticket(PUBLISH_TOKEN)
    await portal.sendFrames(first.ticket, release.frames.slice(0, 10))
    const second = await portal.ticket(await portal.jobToken())
    const before = release.frames.length
    expect((await planOf(release, second.ticket)).unsent.length).toBe(before - 10)
    expect(await listReleaseIds(portal.portalDir)).toEqual([])
  })

  it('is served only over the one its publisher saw', async () => {
    const begun = await portal.ticket(PUBLISH_TOKEN)
    await portal.publish(await portal.pack('one'), begun)
    const late = await portal.publish(await portal.pack('two'), begun)
    expect([late.status, await late.json()]).toMatchObject([409, { refused: 'pointer_moved' }])
    expect(lastRecord()).toMatchObject({ event: 'publish_refused', reason: 'pointer_moved' })
  })

  it('is said to be served when it is: a gate that cannot yet says that it is published', async () => {
    const release = await portal.pack('one')
    const begun = await portal.ticket(PUBLISH_TOKEN)
    portal.state.isServing = false
    const answer = await portal.publish(release, begun)
    expect(await answer.json()).toEqual({ state: 'published' })
    expect((await portal.portal.readPointer()).id).toBe(release.id)
    const request = { id: release.id, sha256: hash('sha256', release.manifest), from: null }
    const askAgain = async () => {
      const body = { ...request, bytes: release.manifest.length }
      return (await portal.post(ROUTES.publishCommit, begun.ticket, body)).json()
    }
    const rollBack = async () =>
      (await portal.post(ROUTES.publishReleases, begun.ticket, { id: release.id })).json()
    expect([await askAgain(), await rollBack()]).toEqual([{ state: 'published' }, { state: 'published' }])
    portal.state.isServing = true
    const served = { state: 'served', othersLookEveryMs: 1_000 }
    expect([await askAgain(), await rollBack()]).toEqual([served, served])
    expect(portal.records.filter(({ event }) => event === 'release_published')).toHaveLength(1)
  })

  it('is rolled back by whoever has the right, within one request, and recorded', async () => {
    const one = await portal.pack('one')
    await portal.publish(one, await portal.ticket(PUBLISH_TOKEN))
    await portal.publish(await portal.pack('two'), await portal.ticket(PUBLISH_TOKEN))
    const { ticket } = await portal.ticket(await portal.jobToken())
    const listed = await portal.ask(ROUTES.publishReleases, {}, ticket)
    expect(await listed.json()).toMatchObject({ releases: [{}, { id: one.id }] })
    expect((await portal.post(ROUTES.publishReleases, ticket, { id: one.id })).status).toBe(200)
    expect((await portal.portal.readPointer()).id).toBe(one.id)
    expect(lastRecord()).toMatchObject({ event: 'release_rolled_back', release: one.id })
    const absent = await portal.post(ROUTES.publishReleases, ticket, { id: '20200101T000000Z-00000000' })
    expect([absent.status, await absent.json()]).toMatchObject([404, { refused: 'release_missing' }])
  })
})

describe('the pointer', () => {
  /** A portal with a concurrent publisher, between the look at the pointer and its move. */
  async function createContested() {
    let overtake = async () => {}
    const contested = await createTestPublishing(({ audit }) => ({
      audit: { ...audit, recordDurably: () => overtake() },
    }))
    return { contested, meanwhile: (act: () => Promise<void>) => (overtake = act) }
  }

  it('moves only from where it was seen, for a publication and for a rollback', async () => {
    const { contested, meanwhile } = await createContested()
    await using _ = contested
    const [one, two] = [await contested.pack('one'), await contested.pack('two')]
    for (const release of [one, two]) await contested.publish(release, await contested.ticket(PUBLISH_TOKEN))
    const begun = await contested.ticket(PUBLISH_TOKEN)
    const three = await contested.pack('three')
    meanwhile(() => movePointer(contested.portalDir, one.id))
    const published = await contested.publish(three, begun)
    expect([published.status, await published.json()]).toMatchObject([409, { refused: 'pointer_moved' }])
    meanwhile(() => movePointer(contested.portalDir, two.id))
    const back = await contested.post(ROUTES.publishReleases, begun.ticket, { id: three.id })
    expect([back.status, await back.json()]).toMatchObject([409, { refused: 'pointer_moved' }])
    expect((await contested.portal.readPointer()).id).toBe(two.id)
  })

  it('stays where it is when nobody can record that it moves', async () => {
    const { contested, meanwhile } = await createContested()
    await using _ = contested
    meanwhile(() => Promise.reject(new Error('the trail is full')))
    const begun = await contested.ticket(PUBLISH_TOKEN)
    await expect(contested.publish(await contested.pack('one'), begun)).rejects.toThrow('the trail is full')
    expect((await contested.portal.readPointer()).id).toBeNull()
  })

  it('never moves to a release that is damaged', async () => {
    const one = await portal.pack('one')
    await portal.publish(one, await portal.ticket(PUBLISH_TOKEN))
    const two = await portal.pack('two')
    await portal.publish(two, await portal.ticket(PUBLISH_TOKEN))
    await writeFile(join(portal.portalDir, one.id, 'manifest.json'), '{}')
    const { ticket } = await portal.ticket(PUBLISH_TOKEN)
    expect((await portal.post(ROUTES.publishReleases, ticket, { id: one.id })).status).toBe(422)
    expect((await portal.portal.readPointer()).id).toBe(two.id)
  })
})

describe('a release of which something was removed meanwhile', () => {
  it('is not pointed to: its publisher is asked for it again', async () => {
    let remove = async () => {}
    await using gate = await createTestPublishing(undefined, (store) => ({
      store: {
        ...store,
        async putManifest(...args) {
          await store.putManifest(...args)
          await remove()
        },
      },
    }))
    const release = await gate.pack('one')
    const [file] = release.frames
    remove = () => rm(join(gate.portalDir, release.id, 'files', file?.sha256 ?? ''))
    const answer = await gate.publish(release, await gate.ticket(PUBLISH_TOKEN))
    expect(await answer.json()).toEqual({ state: 'unsent' })
    expect((await gate.portal.readPointer()).id).toBeNull()
    expect(gate.records.filter(({ event }) => event === 'release_published')).toEqual([])
    remove = async () => {}
    const again = await gate.publish(release, await gate.ticket(PUBLISH_TOKEN))
    expect(await again.json()).toMatchObject({ state: 'served' })
    expect(await isIntact(gate.portalDir, release.id)).toBe(true)
  })

  it('is not rolled back to', async () => {
    const one = await portal.pack('one')
    await portal.publish(one, await portal.ticket(PUBLISH_TOKEN))
    const two = await portal.pack('two')
    await portal.publish(two, await portal.ticket(PUBLISH_TOKEN))
    await rm(join(portal.portalDir, one.id, 'files', one.frames[0]?.sha256 ?? ''))
    const { ticket } = await portal.ticket(PUBLISH_TOKEN)
    expect((await portal.post(ROUTES.publishReleases, ticket, { id: one.id })).status).toBe(404)
    expect((await portal.portal.readPointer()).id).toBe(two.id)
  })
})
