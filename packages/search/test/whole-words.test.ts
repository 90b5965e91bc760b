import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Matcher } from '../src/query/rank/matcher.ts'
import { markAll } from '../src/query/show/snippet.ts'
import type { SiteWords } from '../src/query/show/whole-word.ts'
import { createFixtureIndex, type FixtureIndex, page } from './fixture-index.ts'

let index: FixtureIndex

const NO_WORDS: SiteWords = { find: () => null, hasPrefix: () => false }

beforeAll(async () => {
  index = await createFixtureIndex([
    page('base', '手元の準備', '手元で動かします。元のファイルは残ります。'),
    page(
      'tables',
      '結果の表示',
      '結果を表示します。表 は三つあります。色で表します。値を表す図です。図ることもあります。',
    ),
    page('talks', '話', '話をします。よく話し、話した人に聞きます。'),
    page('gaps', '空', '空の行を空けます。空き領域と、空を見ます。'),
    page('divisions', '一部分かる', '部分をなす。一部分かることがあります。部分します。'),
    page('shell', 'PSReadLine', 'Get-PSReadLineOption を実行します。'),
    page('sessions', 'セッション', 'セッションを終えます。'),
    page('components', 'サーバーコンポーネント', 'サーバーコンポーネントの書き方です。'),
    page('deadlines', '期限', '期限を過ぎました。現在の期限です。', { url: '/docs/staging-env' }),
    page('staging', 'ステージング環境（staging environment）', '公開前に試します。'),
    page('rolling', '切り戻し', '前の版に切り戻します。切り戻しは数秒で終わり、切り戻したあとも読めます。'),
    page('sorting', '結果を並べる', '結果を並べます。結果を並べ替えます。値を替える操作です。'),
    page(
      'tokens',
      'トークン',
      '期限付きのトークンを渡します。渡したあとは見えません。付きまといを防ぎます。',
    ),
    page('headings', '出力', '見出しを書きます。値を出します。値を取り出します。毎日出します。'),
    page('ports', 'ポート', '変数 PORT と report と exportPort。ports を開きます。'),
    page('cluster', 'Kubernetes', 'Kubernetes を使います。設定は kubectl です。'),
    page('failures', '障害', '画面にエラーコードが出ます。コードを調べます。'),
    page('rights', '権限', '権限を配ります。次元の数です。'),
    page('places', '環境', '環境ごとに値を変えます。環境変数を読みます。'),
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
    ['表す', 'tables', ['表す']],
    ['表した', 'tables', ['表し']],
    ['図', 'tables', ['図']],
    ['話', 'talks', ['話', '話し', '話した']],
    ['空', 'gaps', ['空']],
    ['空けた', 'gaps', ['空け']],
    ['空く', 'gaps', ['空け', '空き']],
    ['部分', 'divisions', ['部分']],
    ['read line', 'shell', ['ReadLine']],
    ['セッショ', 'sessions', ['セッション']],
    ['サーバー', 'components', ['サーバー']],
    ['切り戻し', 'rolling', ['切り戻し', '切り戻した']],
    ['切戻', 'rolling', ['切り戻し', '切り戻した']],
    ['並べ', 'sorting', ['並べ', '並べ替え']],
    ['期限付き', 'tokens', ['期限付き']],
    ['渡す', 'tokens', ['渡し', '渡した']],
    ['出す', 'headings', ['出し']],
    ['port', 'ports', ['PORT', 'Port', 'ports']],
    ['kube', 'cluster', ['Kubernetes', 'kubectl']],
    ['エラー', 'failures', ['エラー']],
    ['環境', 'places', ['環境']],
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
    expect(markAll(text, [matcher], NO_WORDS).map(([from, to]) => text.slice(from, to))).toEqual([word])
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
    const [mark] = markAll(text, [matcher], NO_WORDS).map(([from, to]) => text.slice(from, to))
    expect(mark ?? null).toBe(word)
  })
})

describe('a slip is read as what was meant', () => {
  it('stagign as staging', () => {
    const { didYouMean, results } = index.engine.search({ q: 'stagign' })
    expect([didYouMean, results[0]?.id]).toEqual(['staging', 'staging'])
  })
  it('but a word that the site does not have is no other that begins alike', () => {
    expect(index.engine.search({ q: '期物' }).didYouMean).toBeNull()
  })
})

it('ranks a word of one character before words that hold it', async () => {
  const words = await createFixtureIndex([
    page('verb', '値を表す型', '値を表す型です。表すときに使います。'),
    page('noun', '書き方の表', '一覧です。'),
    page('compound', '結果の表示', '結果を表示します。表示の設定です。'),
  ])
  expect(words.find('表')[0]).toBe('noun')
  words.remove()
})
