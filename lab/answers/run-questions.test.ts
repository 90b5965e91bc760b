import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promptText, startTestModel, streamText } from '@sekisho/server/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { packMarkdown } from '../agents/markdown-site.ts'
import { askQuestions, findPassages, type Question } from './run-questions.ts'

let work = ''
let releasesDir = ''
beforeAll(async () => {
  work = mkdtempSync(join(tmpdir(), 'sekisho-questions-'))
  writeFileSync(join(work, 'ports.md'), '# Ports\n\n## Default\n\nThe server listens on port 3117.\n')
  writeFileSync(join(work, 'secret.md'), '# Vault\n\n## Door\n\nThe vault opens with 4711.\n')
  releasesDir = await packMarkdown(work, join(work, 'out'), ['secret'])
}, 60_000)
afterAll(() => rmSync(work, { recursive: true, force: true }))

const question = (kind: Question['kind'], text: string, ...facts: readonly string[]): Question => ({
  ...{ site: 'a', kind, question: text, facts },
})
const PORT = question('one', 'On which port does the server listen?', '3117')
const VAULT = question('other', 'What opens the vault door?', '4711')

it('finds passages of the reader’s edition alone, and by recorded queries', async () => {
  const lost = question('one', 'Where shall callers knock?', '3117')
  const rewrites = new Map([[lost.question, ['server port', 'default port listens']]])
  expect(await findPassages(releasesDir, [PORT, VAULT, lost], new Map())).toMatchObject([
    { hasFacts: true, isNotFound: false },
    { hasFacts: false, isNotFound: true },
    { hasFacts: false, isNotFound: true },
  ])
  expect(await findPassages(releasesDir, [lost], rewrites)).toMatchObject([{ hasFacts: true }])
}, 60_000)

it('reads answers of an endpoint: facts, sentences without a source, and tokens', async () => {
  await using model = await startTestModel()
  model.reply = (response, prompt) => {
    const cite = (quote: string) => [{ s: 1, quote }]
    const lines = [
      { text: 'It listens on port 3117.', cites: cite('listens on port 3117') },
      { text: 'It needs 9 GB.', cites: cite('needs 9 GB of memory') },
    ]
    return streamText(
      response,
      promptText(prompt).includes('SECTION') ? lines.map((one) => JSON.stringify(one)).join('\n') : '',
    )
  }
  expect(await askQuestions(releasesDir, [PORT], { url: model.url, model: 'm', key: null })).toMatchObject([
    { hasFacts: true, isNotFound: false, sentences: 1, dropped: 1, tokens: 120 },
  ])
}, 60_000)
