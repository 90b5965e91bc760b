import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { createLogOutput } from './log-output.ts'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
const NOW = Date.parse('2026-11-22T00:00:00Z')

/** Takes what is written when the test lets it, or fails; keeps the very bytes, as a pipe would until they are read. */
function createStream() {
  const held: (() => void)[] = []
  const written: string[] = []
  const state = { isSlow: false, error: null as Error | null }
  const stream = new Writable({
    highWaterMark: 1,
    autoDestroy: false,
    write(chunk: Buffer, _encoding, done) {
      if (state.error !== null) return done(state.error)
      const take = () => {
        written.push(String(chunk))
        done()
      }
      if (state.isSlow) held.push(take)
      else take()
    },
  })
  const takeAll = async () => {
    while (held.length > 0) {
      for (const take of held.splice(0)) take()
      await nextTurn()
    }
  }
  return { stream, state, written, takeAll }
}

it('writes the lines of one turn at once, in order', async () => {
  const { stream, written } = createStream()
  const { write } = createLogOutput(stream, { now: () => NOW })
  write('一\n')
  write('二\n')
  expect(written).toHaveLength(0)
  await nextTurn()
  write('三\n')
  await nextTurn()
  expect(written).toEqual(['一\n二\n', '三\n'])
})

it('drops what a stalled pipe does not take, and says how much as soon as it does', async () => {
  const { stream, state, written, takeAll } = createStream()
  const output = createLogOutput(stream, { now: () => NOW, maxWaiting: 12 })
  state.isSlow = true
  for (const line of ['first\n', 'other\n', 'third\n', '4\n']) {
    output.write(line)
    await nextTurn()
  }
  expect([output.droppedLines, output.isFailing]).toEqual([2, true])
  expect(await output.end(30)).toBe(false)
  await takeAll()
  expect(written.join('')).toBe(
    'first\nother\n\n{"at":"2026-11-22T00:00:00.000Z","level":"warn","event":"log_lines_dropped","count":2}\n',
  )
  expect([output.isFailing, await output.end(0)]).toEqual([false, true])
  output.write('fifth\n')
  await nextTurn()
  await takeAll()
  expect(written.at(-1)).toBe('fifth\n')
})
