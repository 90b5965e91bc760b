import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFixtureIndex, type FixtureIndex, page } from './fixture-index.ts'

let index: FixtureIndex

const section = (heading: string, text: string) => ({ heading, level: 2, anchor: heading, text })

beforeAll(async () => {
  index = await createFixtureIndex([
    page('guide', '運用の手引き', '', {
      sections: [
        section('セッション', 'セッションの期限と、セッションを終える方法です。'),
        section('入る', 'ログインします。サインインとも呼びます。'),
      ],
    }),
    page('search', '検索の使い方', '', {
      sections: [
        section('開き方', '検索を開きます。検索の窓が出ます。検索の結果が出ます。'),
        section('見つからないとき', '検索の言葉を短くします。'),
      ],
    }),
    page('api', 'セッション', 'セッションを扱う操作です。セッション、セッション。', { kind: 'reference' }),
    page('commands', '運用の基本', '', {
      sections: [
        section(
          'コマンド',
          'コマンド\t動作\nsekisho build\tサイトを作ります\nsekisho serve\tゲートを起動します',
        ),
      ],
    }),
    page('settings', 'Settings', '', {
      sections: [
        section('Where it is served', 'Names of the risks that sekisho serve gives, one after another.'),
      ],
    }),
    page('kinds', '記号の一覧', '', {
      sections: [
        section('図', '図を描きます。図は三つまでです。'),
        section('終わり方', '終わりの合図を送ります。'),
        section('版', '版を選びます。図も選べます。'),
      ],
    }),
    page('owners', '所有', '', {
      sections: [section('所有とは', '所有とは何か。'), section('移し方', '所有権を移します。')],
    }),
    page('state', '状態管理', '', {
      sections: [
        section('はじめに', '書き方を決めます。'),
        section('渡し方', 'コンポーネントの間で状態を共有します。'),
      ],
    }),
    page('linked', 'Links', 'See sharing state components, and 所有, for more.'),
    page('readers', '画面の決まり', '', {
      sections: [section('色', '濃い色を選びます。'), section('読み上げ', 'アクセシビリティを確かめます。')],
    }),
    page('signals', '合図', '', { sections: [section('送り方', '合図を送ります。意図を伝えます。')] }),
    page('list', 'セッションを一覧する', 'GET /sessions でセッションを返します。', { kind: 'reference' }),
  ])
}, 60_000)
afterAll(() => index.remove())

const search = (q: string, more = {}) => index.engine.search({ q, ...more }).results

it.each(['セッション', 'セッショ'])(
  '%s: a guide before what lists an API, which is a document like it',
  (q) => {
    const found = search(q)
    expect(found[0]?.id).toBe('guide')
    expect(found.map(({ kind }) => kind)).toEqual(['docs', 'docs', 'docs'])
    expect(search(q, { kind: 'docs' })).toHaveLength(3)
    expect(search(q, { kind: 'reference' })).toHaveLength(2)
  },
)

it.each(['セッションを一覧する', '/sessions'])('%s: an operation before all else', (q) => {
  expect(search(q)[0]?.id).toBe('list')
})

it('leads who tells of trouble to the section about trouble', () => {
  const sectionsOf = (q: string) =>
    search(q)
      .find(({ id }) => id === 'search')
      ?.sections.map(({ heading }) => heading)
  expect(sectionsOf('検索に出てこない')?.[0]).toBe('見つからないとき')
  expect(sectionsOf('検索の結果')?.[0]).toBe('開き方')
})

it('tells other words from what was typed', () => {
  const [found] = search('サインイン')
  const marked = (found?.sections ?? []).flatMap(({ snippet: { text, marks } }) =>
    marks.map(([start, end, as]) => [text.slice(start, end), as]),
  )
  expect(marked).toEqual([
    ['ログイン', 'other'],
    ['サインイン', undefined],
  ])
})

it('shows the sections in which a mark can be seen, or one where none can', () => {
  const headings = (id: string) =>
    search('図')
      .find((found) => found.id === id)
      ?.sections.map(({ heading }) => heading)
  expect(headings('kinds')).toEqual(['図', '版'])
  expect(headings('signals')).toEqual(['送り方'])
})

it.each([
  ['sharing state components', 'state', '渡し方', ['コンポーネント', '状態', '共有']],
  ['目の見えない人にも使えるようにする', 'readers', '読み上げ', ['アクセシビリティ']],
  ['しょゆう権', 'owners', '所有とは', ['所有']],
])('%s: shows of %s what has its words, or what it is likely to be about', (q, id, heading, words) => {
  const found = search(q).find((result) => result.id === id)
  const [first] = found?.sections ?? []
  expect(first?.heading).toBe(heading)
  expect(first?.snippet.marks.map(([start, end]) => first.snippet.text.slice(start, end))).toEqual(words)
})

it('begins with the page that has a row about a command, and its section', () => {
  const [first] = search('sekisho serve')
  expect([first?.id, first?.sections[0]?.heading]).toEqual(['commands', 'コマンド'])
})
