import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeCorpus } from '../eval/corpus.ts'
import { evaluate } from '../eval/evaluate.ts'
import { page } from './fixture-index.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sekisho-evaluation-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

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
