import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { createLineWriter } from './line-writer.ts'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** Takes what is written, at once or when the test lets it; keeps the very bytes, as a pipe would until they are read. */
function createOutput({ isSlow }: { readonly isSlow: boolean }) {
  const writes: Buffer[] = []
  const held: (() => void)[] = []
  const stream = new Writable({
    highWaterMark: 1,
    write(chunk: Buffer, _encoding, done) {
      writes.push(isSlow ? chunk : Buffer.from(chunk))
      if (isSlow) held.push(done)
      else done()
    },
  })
  return { stream, writes, takeAll: () => held.splice(0).forEach((done) => void done()) }
}

it('writes the lines of one turn at once, in order', async () => {
  const { stream, writes } = createOutput({ isSlow: false })
  const write = createLineWriter(stream)
  write('一\n')
  write('二\n')
  expect(writes).toHaveLength(0)
  await nextTurn()
  write('三\n')
  await nextTurn()
  expect(writes.map(String)).toEqual(['一\n二\n', '三\n'])
})

it('leaves alone what a full pipe has not taken yet', async () => {
  const { stream, writes, takeAll } = createOutput({ isSlow: true })
  const write = createLineWriter(stream)
  for (const line of ['first\n', 'other\n', 'third\n']) {
    write(line)
    await nextTurn()
  }
  for (let turn = 0; turn < 3; turn += 1) {
    takeAll()
    await nextTurn()
  }
  expect(Buffer.concat(writes).toString()).toBe('first\nother\nthird\n')
})
