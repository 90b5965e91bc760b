import { startTestModel, streamText } from '@sekisho/server/testing'
import { expect, it } from 'vitest'
import { checkModel } from './model.ts'

it('sends one question without a page, and says how long it took and what leaves', async () => {
  await using model = await startTestModel()
  const answers = {
    endpoint: { url: model.url, model: 'ours', key: null },
    ...{ rewritesOnly: false, tokensADay: 1_000, firstTextMs: 5_000, totalMs: 5_000 },
  }
  model.reply = (response) => streamText(response, 'ready')
  const seen = await checkModel(answers)
  expect(model.prompts).toHaveLength(1)
  expect(seen.findings).toEqual([])
  expect(String(seen.facts)).toMatch(
    /ours at 127\.0\.0\.1:\d+: first word after \d+ ms.*120 tokens.*no name/s,
  )
  const rewriting = await checkModel({ ...answers, rewritesOnly: true })
  expect(String(rewriting.facts)).toMatch(/^rewriting .*no page/)
  model.reply = (response) => void response.writeHead(401).end()
  expect((await checkModel(answers)).findings.map(({ code }) => code)).toEqual(['model_failed'])
  model.reply = (response) => streamText(response, '')
  expect((await checkModel(answers)).findings.map(({ code }) => code)).toEqual(['model_silent'])
})
