import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestModel, streamText, type TestModel } from '../testing/test-model.ts'
import { createRewriter, isSentence } from './rewrite.ts'

let model: TestModel
let nowMs = 0
let spent = 0
beforeAll(async () => {
  model = await startTestModel()
})
afterAll(() => model[Symbol.asyncDispose]())
beforeEach(() => {
  model.prompts.length = 0
  spent = 0
})
const create = (timeoutMs = 10_000, hasRoom = true) =>
  createRewriter({
    endpoint: { url: model.url, model: 'ours', key: null },
    now: () => nowMs,
    timeoutMs,
    budget: { hasRoom: () => hasRoom, spend: (tokens) => (spent += tokens) },
  })
const says = (queries: unknown) => {
  model.reply = (response) => streamText(response, `\`\`\`json\n${JSON.stringify({ queries })}\n\`\`\``)
}
const QUESTION = 'ログインしたままにする時間を変えるには'

it.each([
  ['席を外すときの画面', true],
  ['how do i build it', true],
  ['セッション 期限', false],
  ['"セッションの期限を変えるには"', false],
  ['セッションの期限を -変えるには', false],
  ['docusaurus build', false],
  [`エラーが出ますがどうすれば\nTypeError: x`, false],
])('%s reads like a sentence: %s', (q, expected) => {
  expect(isSentence(q)).toBe(expected)
})

describe('rewrites', () => {
  it('are asked for once, as words without operators, and without any page', async () => {
    says(['"セッション 期限"', '-idle timeout', 'セッション 期限', '', 7, 'x'.repeat(61), QUESTION])
    const rewriter = create()
    const both = await Promise.all([rewriter.rewrite(QUESTION), rewriter.rewrite(` ${QUESTION}`)])
    expect(both).toEqual([
      ['セッション 期限', 'idle timeout'],
      ['セッション 期限', 'idle timeout'],
    ])
    expect([model.prompts.length, spent]).toEqual([1, 120])
  })

  it.each([
    ['nonsense', (text: string) => text],
    ['instructions of the question', () => '{"queries":{"a":1}}'],
  ])('are none when the model writes %s', async (_what, reply) => {
    model.reply = (response) => streamText(response, reply('no JSON'))
    expect(await create().rewrite(QUESTION)).toEqual([])
  })

  it('are none in time from a silent endpoint', async () => {
    model.reply = () => {}
    expect(await create(50).rewrite(QUESTION)).toEqual([])
  })

  it('are not asked for while an endpoint rests, after five failures', async () => {
    model.reply = (response) => void response.writeHead(500).end()
    const rewriter = create()
    for (let at = 0; at < 8; at += 1) expect(await rewriter.rewrite(`${QUESTION}${at}`)).toEqual([])
    const numbered = model.prompts.filter((prompt) => /変えるには\d/.test(prompt)) // the silent endpoint's may come late
    expect(numbered.length).toBe(5)
    says(['x'])
    nowMs += 31_000
    expect(await rewriter.rewrite(`${QUESTION}9`)).toEqual(['x'])
  })

  it('cost nothing when the day’s tokens are used up', async () => {
    says(['x'])
    expect(await create(10_000, false).rewrite(QUESTION)).toEqual([])
    expect(model.prompts).toEqual([])
  })
})
