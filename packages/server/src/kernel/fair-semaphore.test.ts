import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createFairSemaphore } from './fair-semaphore.ts'

/** Work that is done when the test says so, and what of it has begun. */
function createWork(atOnce: number) {
  const enter = createFairSemaphore(atOnce)
  const begun: string[] = []
  const finish = new Map<string, (error?: Error) => void>()
  const start = (client: string, name: string) =>
    enter(client, () => {
      begun.push(name)
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      finish.set(name, (error) => (error === undefined ? resolve(name) : reject(error)))
      return promise
    })
  const end = async (name: string, error?: Error) => {
    finish.get(name)?.(error)
    await nextTurn()
  }
  return { start, end, begun }
}

it('lets so many run, and those who wait in turns of their clients', async () => {
  const { start, end, begun } = createWork(2)
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => start(name.slice(0, 1), name))
  await nextTurn()
  expect(begun).toEqual(['a1', 'a2'])
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2']) await end(name)
  expect(begun).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2'])
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'])
})

it('gives the place of failed work to the next, and of the last to a newcomer', async () => {
  const { start, end, begun } = createWork(1)
  const first = start('a', 'a1')
  const second = start('a', 'a2')
  const failed = expect(first).rejects.toThrow('failed')
  await end('a1', new Error('failed'))
  await failed
  await end('a2')
  expect(await second).toBe('a2')
  void start('b', 'b1')
  void start('b', 'b2')
  await nextTurn()
  expect(begun).toEqual(['a1', 'a2', 'b1'])
})

it('refuses what one client has too much of, running and waiting together, and takes more once some is done', async () => {
  const refuse = () => new Error('too many')
  const enter = createFairSemaphore(1, { max: 2, refuse })
  const { promise, resolve } = Promise.withResolvers<void>()
  const own = [enter('a', () => promise), enter('a', () => promise)]
  await expect(enter('a', () => promise)).rejects.toThrow('too many')
  const other = enter('b', async () => 'b')
  resolve()
  await Promise.all(own)
  expect(await Promise.all([other, enter('a', async () => 'a')])).toEqual(['b', 'a'])
})
