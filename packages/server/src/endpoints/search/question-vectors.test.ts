import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createQuestionVectors } from './question-vectors.ts'

const MODEL = { model: 'ours', queryPrefix: 'query: ', documentPrefix: 'passage: ' }
const VECTOR = [0.5, -0.5]

let asked: { input: string[]; key: string | undefined }[] = []
/** Null: an endpoint that takes the question and says nothing. */
let answer: ((response: ServerResponse) => void) | null = null
const good = (response: ServerResponse) =>
  response.end(JSON.stringify({ data: [{ index: 0, embedding: VECTOR }] }))
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  asked.push({ ...JSON.parse(Buffer.concat(chunks).toString()), key: request.headers.authorization })
  answer?.(response)
})
let url = ''
let nowMs = 0
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/embeddings`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  asked = []
  answer = good
})
const create = (answerMs = 10_000) => createQuestionVectors({ url, key: 'k' }, { now: () => nowMs, answerMs })

it('asks for a question once, with what the model wants before it and the key of the operator', async () => {
  const questions = create()
  const both = await Promise.all([
    questions.vectorOf(MODEL, ' 席を外す '),
    questions.vectorOf(MODEL, '席を外す'),
  ])
  expect([...both, await questions.vectorOf(MODEL, '席を外す')]).toEqual([VECTOR, VECTOR, VECTOR])
  expect(asked).toMatchObject([{ model: 'ours', input: ['query: 席を外す'], key: 'Bearer k' }])
})

it('does not wait for an endpoint that says nothing, and leaves it alone after a few times', async () => {
  const questions = create(150)
  answer = null
  const startedAt = performance.now()
  for (let at = 0; at < 8; at += 1) expect(await questions.vectorOf(MODEL, `問い ${at}`)).toBeNull()
  expect(asked.length).toBeLessThanOrEqual(5) // one that was given up may not have arrived
  expect(performance.now() - startedAt).toBeLessThan(5 * 150 + 2_000)
  answer = good
  expect(await questions.vectorOf(MODEL, '問い')).toBeNull()
  nowMs += 30_000
  await questions.vectorOf(MODEL, '後の問い')
  await expect.poll(() => asked.flatMap(({ input }) => input)).toContain('query: 後の問い')
})

it('answers without a vector where too many are being asked for, and for a single character', async () => {
  const questions = create()
  const many = await Promise.all(
    Array.from({ length: 12 }, (_, at) => questions.vectorOf(MODEL, `問い ${at}`)),
  )
  expect(many.filter((one) => one === null)).toHaveLength(4)
  expect(await questions.vectorOf(MODEL, '問')).toBeNull()
  expect(asked).toHaveLength(8)
})

it('uses no vector of another model than the index has, and says so once', async () => {
  const problems: string[] = []
  const questions = createQuestionVectors(
    { url, key: 'k' },
    { now: () => nowMs, answerMs: 10_000, onProblem: (problem) => problems.push(problem) },
  )
  const both = (response: ServerResponse) =>
    response.end(JSON.stringify({ data: [VECTOR, VECTOR].map((embedding, index) => ({ index, embedding })) }))
  const probeOf = (...numbers: number[]) => Buffer.from(Int8Array.from(numbers).buffer).toString('base64')
  answer = both
  const other = { ...MODEL, probe: probeOf(127, 127) }
  expect(await questions.vectorOf(other, '一つ目の問い')).toBeNull()
  expect(await questions.vectorOf(other, '二つ目の問い')).toBeNull()
  expect([asked.length, problems.length]).toEqual([1, 1])
  expect(await questions.vectorOf({ ...MODEL, probe: probeOf(127, -127) }, '三つ目の問い')).toEqual(VECTOR)
})

it('does not count against the endpoint what this thread was busy with', async () => {
  const questions = create(400)
  for (let at = 0; at < 6; at += 1) {
    const coming = questions.vectorOf(MODEL, `忙しいときの問い ${at}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
    const until = performance.now() + 600
    while (performance.now() < until); // a search that takes long
    expect(await coming).toEqual(VECTOR)
  }
})
