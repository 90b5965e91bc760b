import { hash } from 'node:crypto'
import { expect, it } from 'vitest'
import { bytesBehind, type Frame, PART_BYTES, partCount, readFrames, writeFrames } from './frames.ts'

const four: Frame = {
  sha256: hash('sha256', 'four'),
  bytes: 4,
  part: 0,
  kind: 'part',
  payload: Buffer.from('four'),
}
const proof: Frame = { ...four, kind: 'proof', bytes: 3 * PART_BYTES, payload: Buffer.alloc(32, 7) }
const last: Frame = { ...four, bytes: 3 * PART_BYTES + 4, part: 3 }

it('reads the frames that were written', () => {
  expect(readFrames(writeFrames([four, proof, last]))).toEqual([four, proof, last])
  expect(readFrames(Buffer.of())).toEqual([])
})

it('reads no frames from bytes that are cut, of an unknown kind, or a part of no file', () => {
  const good = writeFrames([four])
  for (let length = 1; length < good.length; length += 1)
    expect(readFrames(good.subarray(0, length))).toBeNull()
  const otherKind = Buffer.from(good)
  otherKind.writeUInt8(2, 32)
  expect(readFrames(otherKind)).toBeNull()
  expect(readFrames(writeFrames([{ ...four, part: 1 }]))).toBeNull()
})

it('counts the whole file behind a proof, and one part behind a part', () => {
  expect([four, proof, last].map(bytesBehind)).toEqual([4, 3 * PART_BYTES, 4])
  expect([0, 1, PART_BYTES, PART_BYTES + 1].map(partCount)).toEqual([1, 1, 1, 2])
})
