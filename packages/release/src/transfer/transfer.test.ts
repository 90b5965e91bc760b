import { hash } from 'node:crypto'
import { expect, it } from 'vitest'
import { blockBytesFor, compareWithBlocks, describeBlocks } from './blocks.ts'
import { framesOf, PART_BYTES, readFrames, unfoldPart, writeFrames } from './frames.ts'

/** Bytes that do not repeat; the same for a seed. */
function bytesOf(length: number, seed = 1): Buffer {
  let state = seed
  return Buffer.from(
    Array.from({ length }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state >>> 24
    }),
  )
}

/** Sends `target` to a receiver that has `base`; returns the received file and the bytes sent. */
async function transfer(base: Buffer, target: Buffer) {
  const blockBytes = blockBytesFor(base.length)
  const stretches = compareWithBlocks(target, describeBlocks(base, blockBytes), blockBytes)
  const sha256 = hash('sha256', target)
  const sent = writeFrames([...framesOf({ sha256, content: target, base: hash('sha256', base) }, stretches)])
  const parts: Uint8Array[] = []
  for (const frame of readFrames(sent) ?? [])
    parts.push(
      (await unfoldPart(frame, async (from, bytes) => base.subarray(from, from + bytes))) ?? Buffer.of(),
    )
  return { arrived: Buffer.concat(parts), sentBytes: sent.length }
}

const BASE = bytesOf(PART_BYTES * 3 + 1_234)

it.each([
  ['nothing', BASE, 1_000],
  ['one byte', Buffer.concat([BASE.subarray(0, 70_000), Buffer.of(9), BASE.subarray(70_001)]), 3_000],
  ['a line at the beginning', Buffer.concat([Buffer.from('line\n'), BASE]), 3_000],
  [
    'a piece in the middle',
    Buffer.concat([BASE.subarray(0, 900_001), bytesOf(50, 7), BASE.subarray(900_001)]),
    3_000,
  ],
  ['what was cut out', Buffer.concat([BASE.subarray(0, 5_000), BASE.subarray(500_000)]), 3_000],
  [
    'two halves that changed places',
    Buffer.concat([BASE.subarray(800_000), BASE.subarray(0, 800_000)]),
    5_000,
  ],
])('sends %s of a file of 1.5 MB', async (_name, target, maxBytes) => {
  const { arrived, sentBytes } = await transfer(BASE, target)
  expect(arrived.equals(target)).toBe(true)
  expect(sentBytes).toBeLessThan(maxBytes)
})

it.each([
  ['another file', bytesOf(40_000, 3)],
  ['a file shorter than a block', bytesOf(10, 3)],
  ['an empty one', Buffer.of()],
  ['zeros', Buffer.alloc(100_000)],
])('carries %s whole', async (_name, target) => {
  expect((await transfer(BASE, target)).arrived.equals(target)).toBe(true)
  expect((await transfer(target, BASE)).arrived.equals(BASE)).toBe(true)
})

it('reads no frames from bytes that are none, and puts nothing together from a damaged list', async () => {
  const frame = { sha256: 'ab'.repeat(32), bytes: 4, part: 0, base: 'cd'.repeat(32), payload: Buffer.of() }
  const good = writeFrames([{ ...frame, payload: Buffer.from('four') }])
  for (let length = 1; length < good.length; length += 1)
    expect(readFrames(good.subarray(0, length))).toBeNull()
  const partOfNothing = writeFrames([{ ...frame, part: 1 }])
  expect(readFrames(partOfNothing)).toBeNull()
  const copy = (from: number, bytes: number) => {
    const op = Buffer.alloc(11)
    op.writeUInt8(1, 0)
    op.writeUIntLE(from, 1, 6)
    op.writeUInt32LE(bytes, 7)
    return op
  }
  const base = Buffer.from('base')
  const read = async (from: number, bytes: number) => base.subarray(from, from + bytes)
  const unfold = (payload: Buffer) => unfoldPart({ ...frame, payload }, read)
  expect(await unfold(copy(0, 4))).toEqual(base)
  for (const payload of [
    copy(0, 3),
    copy(0, 5),
    copy(2, 4),
    copy(0, 0),
    Buffer.of(3),
    copy(0, 4).subarray(0, 9),
  ])
    expect(await unfold(payload)).toBeNull()
  const ofLong = async (_from: number, bytes: number) => Buffer.alloc(bytes)
  expect(await unfoldPart({ ...frame, payload: copy(0, 5) }, ofLong)).toBeNull()
})
