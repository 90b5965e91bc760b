import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Matcher } from '../src/query/rank/matcher.ts'
import { markAll } from '../src/query/show/snippet.ts'
import { createFixtureIndex, type FixtureIndex, page } from './fixture-index.ts'

let index: FixtureIndex

beforeAll(async () => {
  index = await createFixtureIndex([
    page('base', '手元の準備', '手元で動かします。元のファイルは残ります。'),
    page('tables', '結果の表示', '結果を表示します。表 は三つあります。'),
    page('sessions', 'セッション', 'セッションを終えます。'),
    page('components', 'サーバーコンポーネント', 'サーバーコンポーネントの書き方です。'),
    page('deadlines', '期限', '期限を過ぎました。現在の期限です。', { url: '/docs/staging-env' }),
    page('staging', 'ステージング環境（staging environment）', '公開前に試します。'),
  ])
}, 60_000)
afterAll(() => index.remove())

const marked = (q: string, id: string): string[] => {
  const found = index.engine.search({ q }).results.find((result) => result.id === id)
  return [...(found?.sections ?? [])].flatMap(({ snippet: { text, marks } }) =>
    marks.map(([start, end]) => text.slice(start, end)),
  )
}

describe('a mark covers a word', () => {
  it.each([
    ['元', 'base', ['元']],
    ['表', 'tables', ['表']],
    ['セッショ', 'sessions', ['セッション']],
    ['サーバー', 'components', ['サーバー']],
  ])('of %s on %s', (q, id, words) => {
    expect([...new Set(marked(q, id))]).toEqual(words)
  })
})

describe('a verb found by its stem', () => {
  it.each([
    ['見つかると開く', 2, '見つかる'],
    ['見つからない', 2, '見つから'],
    ['取り消しを選ぶ', 4, '取り消し'],
  ])('%s: as far as it is inflected', (text, end, word) => {
    const matcher: Matcher = { label: '', share: 1, evaluate: () => 1, find: () => [[0, end]] }
    expect(markAll(text, [matcher]).map(([from, to]) => text.slice(from, to))).toEqual([word])
  })
})

describe('a single character of the query', () => {
  it.each([
    ['思い出せない', 2, null],
    ['語を取り出す', 4, null],
    ['原因を見つけ出す', 6, null],
    ['画面に出る', 3, '出'],
    ['よく出る', 2, '出'],
    ['出てこない', 0, '出'],
  ])('in %s at %i is marked as %j', (text, start, word) => {
    const matcher: Matcher = { label: '', share: 1, evaluate: () => 1, find: () => [[start, start + 1]] }
    const [mark] = markAll(text, [matcher]).map(([from, to]) => text.slice(from, to))
    expect(mark ?? null).toBe(word)
  })
})

describe('a slip is read as what was meant', () => {
  it.each([
    ['期現', '期限', 'deadlines'],
    ['stagign', 'staging', 'staging'],
  ])('%s as %s', (q, meant, id) => {
    const { didYouMean, results } = index.engine.search({ q })
    expect([didYouMean, results[0]?.id]).toEqual([meant, id])
  })
  it('but a word that the site does not have is no other that begins alike', () => {
    expect(index.engine.search({ q: '期物' }).didYouMean).toBeNull()
  })
})
