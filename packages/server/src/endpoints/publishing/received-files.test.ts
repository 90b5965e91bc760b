import { hash } from 'node:crypto'
import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { brotliCompressSync, zstdCompressSync } from 'node:zlib'
import { MAX_PARTS_BODY_BYTES, PARTS_TYPE, type PublishTarget } from '@sekisho/contract/publishing'
import { ROUTES } from '@sekisho/contract/routes'
import { listReleaseIds, PART_BYTES, writeFrames } from '@sekisho/release'
import { describe, expect, it } from 'vitest'
import {
  framesOfBytes,
  lastRecord,
  PUBLISH_TOKEN,
  portal,
  usePublishing,
} from '../../testing/test-publishing.ts'
import { writeGuideIndex } from '../../testing/test-search.ts'

usePublishing()

describe('what is sent', () => {
  async function sendManifest(change: (text: string) => string) {
    const release = await portal.pack('one')
    const manifest = Buffer.from(change(release.manifest.toString()))
    const id = release.id.replace(/-.*/, `-${hash('sha256', manifest).slice(0, 8)}`)
    return portal.publish({ ...release, id, manifest }, await portal.ticket(PUBLISH_TOKEN))
  }
  const page = '"/files/manual.pdf":' // no redirect leads there

  it.each([
    ['a path the gate keeps for itself', page, '"/__gate/session":'],
    ['a path that climbs', page, '"/docs/../manual.pdf":'],
    ['a path that servers read in two ways', page, '"/docs%2fmanual.pdf":'],
    ['an older format', '"format":2', '"format":1'],
    ['a page as a resource', '"delivery":"page"', '"delivery":"resource"'],
    ['a picture that may script', '"delivery":"isolated"', '"delivery":"resource"'],
    ['an unknown key', '"site":', '"more":1,"site":'],
    [
      'a compressed page that is too large to be unpacked',
      /"bytes":\d+(?=,"type":"text\/html)/,
      `"bytes":${64 * 1024 * 1024 + 1}`,
    ],
    [
      'a compressed page that is no smaller than the page',
      /(?<=("bytes":)(\d+),"type":"text\/html.*?"br":\{"sha256":"\w+",)"bytes":\d+/,
      '$1$2',
    ],
    ['a page for browsers to keep', /(?<="type":"text\/html[^}]*)"cache":"no-store"/, '"cache":"immutable"'],
    [
      'a file for browsers to keep whose name is not its hash',
      /(?<="\/files\/manual\.pdf":[^}]*)"cache":"no-store"/,
      '"cache":"immutable"',
    ],
    ['a header within a type', 'text/html; charset=utf-8', 'text/html\\r\\nX: y'],
  ])('is refused and recorded: %s', async (_name, from, to) => {
    const answer = await sendManifest((text) => text.replace(from, to))
    expect([answer.status, await answer.json()]).toMatchObject([422, { refused: 'release_refused' }])
    expect(lastRecord()).toMatchObject({ event: 'publish_refused', reason: 'release_refused' })
    expect(await listReleaseIds(portal.portalDir)).toEqual([])
  })

  const preview: PublishTarget = { preview: 'hostile', branch: 'topic', commit: 'c0ffee'.padEnd(40, '0') }
  it.each([
    ['production' as PublishTarget, true, 'DROP TABLE meta; CREATE VIEW meta AS SELECT 1 AS key, 2 AS value'],
    [preview, true, 'DROP TABLE meta; CREATE VIEW meta AS SELECT 1 AS key, 2 AS value'],
    [preview, false, ''],
  ])(
    'a search index for %j with other tables is refused: %s',
    async (target, isRefused, sql) => {
      await writeGuideIndex(portal.build, '関所を通る者は、まず手形を見せる。')
      const index = new DatabaseSync(join(portal.build.buildDir, '__sekisho', 'search.db'))
      index.exec(sql)
      index.close()
      const begun = await portal.ticket(PUBLISH_TOKEN, target)
      const answer = await portal.publish(await portal.pack('one'), begun)
      if (!isRefused) return expect(answer.status).toBe(200)
      expect([answer.status, await answer.json()]).toMatchObject([422, { refused: 'release_refused' }])
      const dir = typeof target === 'string' ? portal.portalDir : portal.previews.open(target.preview).folder
      expect(await listReleaseIds(dir ?? '')).toEqual([])
    },
    60_000,
  )

  it('is refused when it is not what its hash says, in whichever place', async () => {
    const release = await portal.pack('one')
    const begun = await portal.ticket(PUBLISH_TOKEN)
    const [first, ...rest] = release.frames
    if (first === undefined) throw new Error('a release without files')
    const altered = { ...first, payload: Buffer.from(first.payload).fill(7, 0, 1) }
    const answer = await portal.publish({ ...release, frames: [altered, ...rest] }, begun)
    expect([answer.status, await answer.json()]).toMatchObject([422, { refused: 'other_bytes' }])
    expect(lastRecord()).toMatchObject({ event: 'publish_refused', reason: 'other_bytes' })
    expect(await listReleaseIds(portal.portalDir)).toEqual([])
  })

  it('is refused when a compressed file unpacks to something else', async () => {
    const release = await portal.pack('one')
    const other = brotliCompressSync(Buffer.from('<p>another page for some browsers</p>'))
    const changed = { sha256: hash('sha256', other), bytes: other.length }
    const text = release.manifest.toString()
    const [, stored = ''] = /"br":(\{[^}]*\})/.exec(text) ?? []
    const manifest = Buffer.from(text.replaceAll(stored, JSON.stringify(changed)))
    const id = release.id.replace(/-.*/, `-${hash('sha256', manifest).slice(0, 8)}`)
    const frames = release.frames.map((frame) =>
      stored.includes(frame.sha256) ? (framesOfBytes(other)[0] ?? frame) : frame,
    )
    const answer = await portal.publish({ id, manifest, frames }, await portal.ticket(PUBLISH_TOKEN))
    expect([answer.status, await answer.json()]).toMatchObject([422, { refused: 'other_bytes' }])
    expect(await listReleaseIds(portal.portalDir)).toEqual([])
  })

  it('is not served while a file is missing, nor when its parts were altered where they wait', async () => {
    const release = await portal.pack('one')
    const begun = await portal.ticket(PUBLISH_TOKEN)
    const request = {
      id: release.id,
      sha256: hash('sha256', release.manifest),
      bytes: release.manifest.length,
    }
    await portal.sendFrames(begun.ticket, [...framesOfBytes(release.manifest), ...release.frames.slice(1)])
    const commit = () => portal.post(ROUTES.publishCommit, begun.ticket, { ...request, from: null })
    expect(await (await commit()).json()).toEqual({ state: 'unsent' })
    const [first] = release.frames
    const { uploads } = portal.portal
    await uploads.write(`${first?.sha256}.0`, new Uint8Array(first?.payload.length ?? 0))
    expect(await (await commit()).json()).toMatchObject({ refused: 'other_bytes' })
    await uploads.write(`${first?.sha256}.0`, new Uint8Array(PART_BYTES + 1))
    expect(await uploads.read(`${first?.sha256}.0`, PART_BYTES)).toBeNull()
    expect(await listReleaseIds(portal.portalDir)).toEqual([])
    expect((await portal.portal.readPointer()).id).toBeNull()
  })

  it('is forgotten after a day, and never more than there is room for', async () => {
    const { ticket } = await portal.ticket(PUBLISH_TOKEN)
    await portal.sendFrames(ticket, framesOfBytes(Buffer.from('left behind')))
    const folder = join(portal.portalDir, '.uploads')
    const [name = ''] = await readdir(folder)
    const yesterday = portal.state.nowMs / 1_000 - 90_000
    await utimes(join(folder, name), yesterday, yesterday)
    await portal.ticket(PUBLISH_TOKEN)
    expect(await readdir(folder)).toEqual([])

    const statuses: number[] = []
    for (let part = 0; part < 130; part += 1) {
      const payload = Buffer.alloc(PART_BYTES)
      const frame = { sha256: 'ab'.repeat(32), bytes: 200 * PART_BYTES, part, kind: 'part' as const, payload }
      statuses.push((await portal.sendFrames(ticket, [frame])).status)
    }
    expect([statuses[0], statuses.at(-1)]).toEqual([200, 507])
  })

  it('is refused as a bad request when it is no whole frames', async () => {
    const { ticket } = await portal.ticket(PUBLISH_TOKEN)
    const body = new Uint8Array(writeFrames(framesOfBytes(Buffer.from('x'))).subarray(0, 40))
    const send = (bytes: Uint8Array<ArrayBuffer>, type: string) =>
      portal.ask(
        ROUTES.publishParts,
        { method: 'POST', body: bytes, headers: { 'Content-Type': type } },
        ticket,
      )
    expect((await send(body, 'application/vnd.sekisho.parts+zstd')).status).toBe(400)
    expect((await send(body, 'application/json')).status).toBe(400)
  })

  it('is refused part by part: what is not its hash or its length does not wait', async () => {
    const { ticket } = await portal.ticket(PUBLISH_TOKEN)
    const [one] = framesOfBytes(Buffer.from('a part'))
    if (one === undefined) throw new Error('no frame')
    const short = { ...one, bytes: 2 * PART_BYTES }
    for (const frame of [{ ...one, payload: Buffer.from('a_part') }, short]) {
      const answer = await portal.sendFrames(ticket, [frame])
      expect([answer.status, await answer.json()]).toMatchObject([422, { refused: 'other_bytes' }])
    }
    expect(await portal.portal.uploads.list()).toEqual([])
  })

  it('is refused when the manifest was altered where it waits, or is larger than any', async () => {
    const { id, manifest } = await portal.pack('one')
    const { ticket } = await portal.ticket(PUBLISH_TOKEN)
    const request = { id, sha256: hash('sha256', manifest), bytes: manifest.length }
    const altered = Buffer.from(manifest.toString().replace('"title":"', '"title":"x').slice(0, -1))
    await portal.portal.uploads.write(`${request.sha256}.0`, new Uint8Array(altered))
    const plan = (bytes: number) => portal.post(ROUTES.publishPlan, ticket, { ...request, bytes })
    expect(await (await plan(manifest.length)).json()).toMatchObject({ refused: 'other_bytes' })
    expect(await (await plan(257 * 1024 * 1024)).json()).toMatchObject({ refused: 'release_refused' })
  })

  it('is refused by its length alone, before it is read, where a preview’s is longer than 8 MB', async () => {
    const { id } = await portal.pack('one')
    const target = { ...preview }
    const claims = { ref: 'refs/heads/topic' }
    const { ticket } = await portal.ticket(await portal.jobToken(claims), target)
    const plan = (bytes: number) =>
      portal.post(ROUTES.publishPlan, ticket, { id, sha256: id.slice(-8).padEnd(64, '0'), bytes })
    expect(await (await plan(8 * 1024 * 1024 + 1)).json()).toMatchObject({ refused: 'release_refused' })
    expect(await (await plan(8 * 1024 * 1024)).json()).toMatchObject({ isManifestHere: false })
  })

  it('is refused when one request is, or unpacks to, more than it may be', async () => {
    const { ticket } = await portal.ticket(PUBLISH_TOKEN)
    const post = (body: Buffer) =>
      portal.ask(
        ROUTES.publishParts,
        { method: 'POST', body: new Uint8Array(body), headers: { 'Content-Type': PARTS_TYPE } },
        ticket,
      )
    const zeros = (count: number) =>
      Array.from({ length: count }, (_, part) => ({
        ...{ sha256: 'ab'.repeat(32), bytes: 80 * PART_BYTES, part, kind: 'part' as const },
        payload: Buffer.alloc(PART_BYTES),
      }))
    const long = zstdCompressSync(writeFrames(zeros(2)))
    const tooLong = zstdCompressSync(writeFrames(zeros(3)))
    const proofs = Array.from({ length: 80 }, (_, part) => ({
      ...{ sha256: 'ab'.repeat(32), bytes: 80 * PART_BYTES, part, kind: 'proof' as const },
      payload: Buffer.alloc(0),
    }))
    const tooMuch = zstdCompressSync(writeFrames(proofs))
    const tooLarge = Buffer.alloc(MAX_PARTS_BODY_BYTES + 1)
    const answers = await Promise.all([long, tooLong, tooMuch, tooLarge].map(post))
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 400, 413])
  })

  it('is refused when its clock is ahead, and when its id is of another manifest', async () => {
    portal.state.nowMs += 2 * 3_600_000
    const release = await portal.pack('one')
    portal.state.nowMs -= 2 * 3_600_000
    const begun = await portal.ticket(PUBLISH_TOKEN)
    const answer = await portal.publish(release, begun)
    expect([answer.status, await answer.json()]).toMatchObject([422, { refused: 'release_refused' }])
    const { id, manifest } = release
    const other = {
      id: `${id.slice(0, -8)}00000000`,
      sha256: hash('sha256', manifest),
      bytes: manifest.length,
    }
    expect((await portal.post(ROUTES.publishPlan, begun.ticket, other)).status).toBe(400)
  })

  it.each([
    [3, 3],
    [undefined, 14],
  ])('is a preview for as many days as were asked for: %j', async (expiresInDays, lifeDays) => {
    const target = { preview: 'topic', branch: 'topic', commit: 'abcdef0' }
    const days = expiresInDays === undefined ? {} : { expiresInDays }
    await portal.publish(await portal.pack('one'), await portal.ticket(PUBLISH_TOKEN, { ...target, ...days }))
    const [preview] = await portal.previews.list()
    expect((preview?.expiresAtMs ?? 0) - portal.state.nowMs).toBe(lifeDays * 86_400_000)
  })

  it.each([0, 91, 1.5, '14'])('is no preview for %j days', async (expiresInDays) => {
    const target = { preview: 'topic', branch: 'topic', commit: 'abcdef0', expiresInDays }
    expect((await portal.begin(PUBLISH_TOKEN, target as PublishTarget)).status).toBe(400)
  })
})
