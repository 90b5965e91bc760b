import type { PreviewTarget } from '@sekisho/contract/publishing'
import { MAX_PREVIEWS_OF_ONE, MAX_PREVIEWS_OF_REPOSITORY } from '@sekisho/release'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  lastRecord,
  type PackedRelease,
  PUBLISH_TOKEN,
  portal,
  usePublishing,
} from '../../testing/test-publishing.ts'

usePublishing()

const TOPIC: PreviewTarget = { preview: 'topic', branch: 'topic', commit: 'abcdef0' }
const FEW = { domains: ['example.com'], emails: ['one@example.org'] }
const jobOf = (ref: string, claims = {}) => portal.jobToken({ ref: `refs/heads/${ref}`, ...claims })
const listed = async () => (await portal.previews.list()).find(({ name }) => name === 'topic')
let release: PackedRelease

async function publish(credentials: string, target: PreviewTarget = TOPIC) {
  return portal.publish(release, await portal.ticket(credentials, target))
}

beforeEach(async () => {
  release = await portal.pack('one')
})

describe('a preview belongs to its first publisher', () => {
  it.each([
    ['another branch', () => jobOf('other')],
    ['a branch whose name begins alike', () => jobOf('topic-2')],
    ['a publish token', async () => PUBLISH_TOKEN],
  ])('%s gets neither its name nor a byte into it', async (_name, credentials) => {
    await publish(await jobOf('topic'), { ...TOPIC, readers: FEW })
    const before = await listed()
    const answer = await portal.begin(await credentials(), { ...TOPIC, commit: 'ffffff0', expiresInDays: 90 })
    expect([answer.status, await answer.json()]).toMatchObject([403, { refused: 'not_allowed' }])
    expect(lastRecord()).toMatchObject({ event: 'publish_refused', reason: 'not_allowed' })
    expect(await listed()).toEqual(before)
  })

  it('of two that begin at once, the second to send is refused', async () => {
    const [first, second] = [
      await portal.ticket(await jobOf('topic'), TOPIC),
      await portal.ticket(await jobOf('other'), {
        ...TOPIC,
        readers: { domains: ['evil.example'], emails: [] },
      }),
    ]
    expect((await portal.publish(release, first)).status).toBe(200)
    const late = await portal.publish(release, second)
    expect([late.status, await late.json()]).toMatchObject([403, { refused: 'not_allowed' }])
    expect(await listed()).not.toHaveProperty('readers')
  })

  it('also when its repository has another name by now, and until it is removed', async () => {
    await publish(await jobOf('topic'))
    expect((await publish(await jobOf('topic', { repository: 'renamed/docs' }))).status).toBe(200)
    await portal.previews.remove('topic')
    expect((await publish(await jobOf('other'))).status).toBe(200)
    expect((await portal.begin(await jobOf('topic'), TOPIC)).status).toBe(403)
  })

  it('one of an earlier version belongs to its next publisher', async () => {
    const { nowMs } = portal.state
    const times = { createdAtMs: nowMs, expiresAtMs: nowMs + 86_400_000 }
    await portal.previews.describe({ name: 'topic', branch: 'topic', commit: 'abcdef0', ...times })
    expect((await publish(await jobOf('topic'))).status).toBe(200)
    expect((await portal.begin(await jobOf('other'), TOPIC)).status).toBe(403)
  })
})

describe('what is said of a preview', () => {
  it('counts when its release is whole, and not before', async () => {
    await publish(await jobOf('topic'), { ...TOPIC, readers: FEW })
    const before = await listed()
    const wider = { ...TOPIC, commit: 'ffffff0', expiresInDays: 90 }
    const begun = await portal.ticket(await jobOf('topic'), wider)
    expect(await listed()).toEqual(before)
    release = await portal.pack('two')
    const { frames } = release
    expect((await portal.publish({ ...release, frames: frames.slice(0, 3) }, begun)).status).toBe(200)
    expect(await listed(), 'files are missing').toEqual(before)
    await portal.publish(release, begun)
    expect(await listed()).toMatchObject({ commit: 'ffffff0' })
    expect(await listed()).not.toHaveProperty('readers')
  })

  it('is recorded with both values where its readers change', async () => {
    await publish(await jobOf('topic'), { ...TOPIC, readers: FEW })
    expect(portal.records.filter(({ event }) => event === 'preview_readers_changed')).toEqual([])
    release = await portal.pack('two')
    await publish(await jobOf('topic'))
    expect(portal.records.filter(({ event }) => event === 'preview_readers_changed')).toMatchObject([
      {
        ...{ before: ['example.com', 'one@example.org'], after: null, target: 'preview topic' },
        by: 'https://ci.test example/docs (4711) refs/heads/topic',
        client: '192.0.2.1',
      },
    ])
  })
})

it.each([
  ['a token takes a quarter', MAX_PREVIEWS_OF_ONE, async () => PUBLISH_TOKEN, ''],
  ['the refs of a repository take three quarters', MAX_PREVIEWS_OF_REPOSITORY, jobOf, '-'],
] as const)('%s of the places, and leaves the others to others', async (_name, most, credentialsOf, ref) => {
  const send = async (preview: string, by: string | null = null) =>
    (await publish(by ?? (await credentialsOf(preview)), { ...TOPIC, preview })).status
  expect(await send('topic')).toBe(200)
  const first = await listed()
  if (first === undefined) throw new Error('the preview is not listed')
  for (let at = 2; at < most; at += 1)
    await portal.previews.claim({ ...first, name: `pr-${at}`, owner: first.owner + (ref && `${ref}${at}`) })
  expect(await send('pr-1')).toBe(200)
  expect((await portal.begin(await credentialsOf('new'), { ...TOPIC, preview: 'one-more' })).status).toBe(507)
  expect(await send('others', ref === '' ? await jobOf('others') : PUBLISH_TOKEN)).toBe(200)
  expect(await send('topic'), 'its own again').toBe(200)
})
