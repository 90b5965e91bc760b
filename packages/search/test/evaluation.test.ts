import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { writeCorpus } from '../eval/corpus.ts'
import { evaluate } from '../eval/evaluate.ts'
import { page } from './fixture-index.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sekisho-evaluation-'))
})

it('a corpus is asked only what one of its own pages answers', async () => {
  const corpus = join(folder, 'corpus.jsonl')
  const queries = join(folder, 'queries.json')
  writeCorpus(corpus, [page('backup', 'バックアップ', '毎晩保存します。')])
  writeFileSync(
    queries,
    JSON.stringify([
      { q: 'バックアップ', c: 'words', rel: [{ id: 'backup', g: 1 }] },
      {
        q: '復元',
        c: 'words',
        rel: [
          { id: 'restore', g: 2 },
          { id: 'backup', g: 1 },
        ],
      },
      { q: 'たこ焼き', c: 'nothing', rel: [] },
    ]),
  )
  const { overall } = await evaluate({ corpus, queries: [queries], folder })
  expect(overall).toMatchObject({ queries: 2, s1: 1 })
}, 60_000)

it('rewrites find in a block what a question in other words does not', async () => {
  const corpus = join(folder, 'rewritten.jsonl')
  const queries = join(folder, 'questions.json')
  const rewrites = join(folder, 'rewrites.json')
  writeCorpus(corpus, [
    page('backup', 'バックアップ', '毎晩保存します。'),
    page('a', '当番', '電話を持ちます。'),
  ])
  const question = 'データを失わないためには'
  const rel = [{ id: 'backup', g: 2 }]
  writeFileSync(
    queries,
    JSON.stringify([
      { q: question, c: 'words', rel },
      { q: 'バックアップ', c: 'names', rel },
    ]),
  )
  writeFileSync(rewrites, JSON.stringify({ [question]: ['バックアップ', '当番表'] }))
  const { gains, overall } = await evaluate({ corpus, queries: [queries], rewrites, folder })
  expect(overall.queries).toBe(2)
  expect(gains).toEqual({
    words: {
      queries: 1,
      alone: expect.objectContaining({ s5: 0 }),
      fused: expect.objectContaining({ s1: 1 }),
      withBlock: 1,
    },
  })
}, 60_000)
