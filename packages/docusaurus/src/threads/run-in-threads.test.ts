import { expect, it } from 'vitest'
import { runInThreads } from './run-in-threads.ts'
import { createJob } from './test-job.ts'

const module = new URL('./test-job.ts', import.meta.url)
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)

it.each([0, 1, 63, 64, 1000])('answers %i items in their order', async (count) => {
  const results = await runInThreads({ module, createJob, data: { refused: -1 }, items: numbers(count) })
  expect(results).toEqual(numbers(count).map((item) => item * 2))
})

it.each([10, 1000])('passes on what an item of %i throws', async (count) => {
  await expect(
    runInThreads({ module, createJob, data: { refused: 7 }, items: numbers(count) }),
  ).rejects.toThrow('refused 7')
})
