import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, constants } from 'node:zlib'
import { ROUTES } from '@sekisho/contract/routes'
import type { Frame, ReleaseStore } from '@sekisho/release'
import { describe, expect, it } from 'vitest'
import {
  createTestPublishing,
  framesOfBytes,
  lastRecord,
  PUBLISH_TOKEN,
  portal,
  type TestPublishing,
  usePublishing,
} from '../../testing/test-publishing.ts'

usePublishing()

const MIB = 1024 * 1024

describe('the room for what is sent', () => {
  /** A store where so many parts wait that were sent before this gate was started. */
  const withWaiting = (store: ReleaseStore, count: number, bytes: number) => {
    const writtenAtMs = Date.parse('2026-11-21T00:00:00Z')
    const list = async () =>
      Array.from({ length: count }, (_, index) => ({ name: `${index}`, bytes, writtenAtMs }))
    return { store: { ...store, uploads: { ...store.uploads, list } } }
  }
  async function sendEach(gate: TestPublishing, contents: readonly string[]): Promise<readonly number[]> {
    const { ticket } = await gate.ticket(PUBLISH_TOKEN)
    const statuses: number[] = []
    for (const content of contents)
      statuses.push((await gate.sendFrames(ticket, framesOfBytes(Buffer.from(content)))).status)
    return statuses
  }

  it('is three quarters as large for jobs that publish previews, whose proofs count', async () => {
    const target = { preview: 'topic', branch: 'topic', commit: 'abcdef0' }
    const statuses = async (count: number, bytes: number, frames: readonly Frame[]) => {
      await using gate = await createTestPublishing(undefined, (store) => withWaiting(store, count, bytes))
      const { ticket } = await gate.ticket(await gate.jobToken({ ref: 'refs/heads/topic' }), target)
      const sent: number[] = []
      for (const frame of frames) sent.push((await gate.sendFrames(ticket, [frame])).status)
      return sent
    }
    const [first, second] = ['abcd', 'efgh'].flatMap((text) => framesOfBytes(Buffer.from(text)))
    if (first === undefined || second === undefined) throw new Error('no frames')
    expect(await statuses(1, 37_499_995, [first, second])).toEqual([200, 507])
    expect(await statuses(187_499, 0, [{ ...first, kind: 'proof' }, second])).toEqual([200, 507])
  })

  it.each([
    ['so many bytes', 1, 49_999_995],
    ['so many parts', 249_999, 0],
  ])('is for %s, those from before a restart included', async (_what, count, bytes) => {
    await using gate = await createTestPublishing(undefined, (store) => withWaiting(store, count, bytes))
    expect(await sendEach(gate, ['abcd', 'efgh'])).toEqual([200, 507])
  })

  it('leaves some of the disk to sessions and the audit trail', async () => {
    let free = 256 * MIB + 4
    await using gate = await createTestPublishing(undefined, () => ({ freeBytes: async () => free }))
    expect(await sendEach(gate, ['abcd', 'efghi'])).toEqual([200, 507])
    free += 1
    expect(await sendEach(gate, ['efghi'])).toEqual([200])
  })

  it('is looked at before the files of a release are sent', async () => {
    const packed = await portal.pack('one')
    const text = packed.manifest.toString()
    const manifest = Buffer.from(text.replace(/("\/files\/manual\.pdf":\{[^}]*?"bytes":)\d+/, '$150000001'))
    const id = packed.id.replace(/-.*/, `-${hash('sha256', manifest).slice(0, 8)}`)
    const answer = await portal.publish({ ...packed, id, manifest }, await portal.ticket(PUBLISH_TOKEN))
    expect([answer.status, await answer.json()]).toMatchObject([507, { refused: 'no_room' }])
    expect(lastRecord()).toMatchObject({ event: 'publish_refused', reason: 'no_room' })
  })
})

it('a publisher of previews plans thirty times on all refs together, and then every other second', async () => {
  const ticketOf = async (preview: string) => {
    const job = await portal.jobToken({ ref: `refs/heads/${preview}` })
    return (await portal.ticket(job, { preview, branch: preview, commit: 'abcdef0' })).ticket
  }
  const refs = [await ticketOf('topic'), await ticketOf('other')]
  const { ticket: ofRelease } = await portal.ticket(PUBLISH_TOKEN)
  const sha256 = 'a'.repeat(64)
  const plan = async (by: string) =>
    (await portal.post(ROUTES.publishPlan, by, { id: '20261121T000000Z-aaaaaaaa', sha256, bytes: 1 })).status
  const statuses: number[] = []
  for (let n = 0; n < 31; n += 1) statuses.push(await plan(refs[n % 2] ?? ''), await plan(ofRelease))
  expect(statuses.filter((status) => status === 200)).toHaveLength(61)
  expect(statuses.at(-2)).toBe(429)
})

it('a compressed file is unpacked no further than the file it is said to be', async () => {
  const packed = await portal.pack('one')
  const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } } // smaller than the page
  const bomb = brotliCompressSync(Buffer.alloc(160 * MIB), quick)
  const [, stored = ''] = /"br":(\{[^}]*\})/.exec(packed.manifest.toString()) ?? []
  const claimed = JSON.stringify({ sha256: hash('sha256', bomb), bytes: bomb.length })
  const manifest = Buffer.from(packed.manifest.toString().replaceAll(stored, claimed))
  const id = packed.id.replace(/-.*/, `-${hash('sha256', manifest).slice(0, 8)}`)
  const frames = packed.frames.map((frame) =>
    stored.includes(frame.sha256) ? (framesOfBytes(bomb)[0] ?? frame) : frame,
  )
  const begun = await portal.ticket(PUBLISH_TOKEN)
  const { arrayBuffers: before } = process.memoryUsage()
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().arrayBuffers)
  }, 1)
  const answer = await portal.publish({ id, manifest, frames }, begun)
  clearInterval(watch)
  expect([answer.status, await answer.json()]).toMatchObject([422, { refused: 'other_bytes' }])
  expect(most - before).toBeLessThan(100 * MIB)
})

it('two credentials are looked at at a time, and four requests of all publishers answered', async () => {
  const peaks = { admit: 0, releases: 0 }
  const counted = <A extends unknown[], T>(name: keyof typeof peaks, run: (...args: A) => Promise<T>) => {
    let running = 0
    return async (...args: A) => {
      running += 1
      peaks[name] = Math.max(peaks[name], running)
      await sleep(5)
      running -= 1
      return run(...args)
    }
  }
  await using gate = await createTestPublishing(({ admit, receiver }) => ({
    admit: counted('admit', admit),
    receiver: { ...receiver, releases: counted('releases', receiver.releases) },
  }))
  const tickets = await Promise.all(Array.from({ length: 8 }, () => gate.ticket(PUBLISH_TOKEN)))
  await Promise.all(tickets.map(({ ticket }) => gate.ask(ROUTES.publishReleases, {}, ticket)))
  expect(peaks).toEqual({ admit: 2, releases: 4 })
})
