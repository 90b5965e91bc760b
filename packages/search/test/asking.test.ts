import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { IndexPage } from '../src/indexer/index.ts'
import { createFixtureIndex, type FixtureIndex, page } from './fixture-index.ts'

const section = (heading: string, anchor: string, text: string) => ({ heading, level: 2, anchor, text })

const PAGES: readonly IndexPage[] = [
  page('guideline', '約束', '脆弱性は非公開の窓口に知らせます。'),
  page('search-design', '見つかる検索', '見つける仕組みを作ります。見つけ方を選びます。'),
  page('remove-item', 'ファイルの削除', 'ファイルを削除するにはコマンドを使います。復元はできません。', {
    tags: ['基本'],
    date: '2026-03-01',
  }),
  page('restore', '変更の復元', 'restore で直前の状態に戻します。削除した変更も戻ります。', {
    url: '/docs/git/restore',
    breadcrumbs: ['文書', 'Git'],
    tags: ['git'],
    date: '2026-05-20',
  }),
  page('hooks', 'フック', 'プッシュの前に検査を実行します。', {
    url: '/docs/git/hooks',
    tags: ['git'],
    version: '2.0',
  }),
  page('vector', 'vector', '可変長の配列です。push_back で末尾に加えます。', { url: '/api/std/vector' }),
  page('vector-push-back', 'push_back', '要素を末尾に加えます。vector と deque にあります。', {
    url: '/api/std/vector/push_back',
  }),
  page('deque-push-back', 'push_back', '要素を末尾に加えます。deque の要素です。vector も見てください。', {
    url: '/api/std/deque/push_back',
  }),
  page('ng0500', 'Hydration node mismatch', '一致しません。NG0501 も見てください。', {
    url: '/errors/NG0500',
  }),
  page(
    'ng0501',
    'Hydration missing',
    'ありません。NG0500 に似ています。NG0500 と違い、NG0500 の前に出ます。',
    {
      url: '/errors/NG0501',
    },
  ),
  page('login', 'ログイン', 'ログインの前にログを消します。'),
  page(
    'limits',
    '上限の表',
    '名前\t既定値\n接続数\t十\nconst limit = 1\nopen(limit)\n文です。\n次の文です。',
  ),
  page('types', 'データ型', '貯金箱と口座の型です。', { url: '/docs/types/', breadcrumbs: [] }),
  page('types-box', 'MoneyBox', '貯金の型です。', { url: '/docs/types/box', breadcrumbs: ['データ型'] }),
  page('saving', '貯金箱を作る', '貯金の手順です。', { url: '/docs/saving' }),
  page('loan', '借用', '図書の貸し出しです。', { url: '/docs/%E5%9B%B3%E6%9B%B8/loan' }),
  page('loan-rules', '借用の規則', '借用は二週間です。', { url: '/docs/%E8%A6%8F%E5%89%87/loan' }),
  page('making', '作成', '設定を作ります。操作は一つです。'),
  page('folding', '折りたたみ表示', '長い一覧を折りたたみます。焼き直しではありません。'),
  page('concurrency', '並行処理', 'スレッドで動かします。平行線ではなく、処理を並べます。'),
  page('tray', 'トレイ', '画面の隅に出します。'),
  page(
    'trait-objects',
    'トレイトオブジェクト',
    'トレイトの値です。トレイトオブジェクトは型を隠します。トレイトオブジェクトの表。',
  ),
  page('members', '担当者', '齋藤と髙橋が担当します。', { kind: 'knowledge' }),
  page('korean', '설치 안내', '패키지를 설치하고 설정을 확인합니다.'),
  page('chinese', '安装指南', '下载软件包并检查设置。'),
  page('thai', 'คู่มือการติดตั้ง', 'ดาวน์โหลดแพ็กเกจและตรวจสอบการตั้งค่า'),
  page('moved', 'エラー集', 'error[E0382]: borrow of moved value: `s1` と出ます。'),
  page('scoped', 'スコープを持つ列挙型', 'enum class で宣言する scoped enum です。', {
    url: '/lang/cpp11/scoped_enum',
  }),
  page(
    'is-scoped',
    'is_scoped_enum',
    '型が scoped enum かを調べます。is_scoped_enum は scoped enum で true です。',
    {
      url: '/reference/type_traits/is_scoped_enum',
    },
  ),
  page('two-factor', '多要素認証', 'サインインを二つの方法で確かめます。', {
    sections: [
      section('', '', 'サインインを二つの方法で確かめます。'),
      section('予備の番号', 'spare', '失くしたときに使います。'),
    ],
  }),
]

describe('what readers ask', () => {
  let index: FixtureIndex
  beforeAll(async () => {
    index = await createFixtureIndex(PAGES)
  })
  afterAll(() => index.remove())

  it.each(['脆弱性を発見したら', '脆弱性を見つけたら', '脆弱性に気づいた場合'])(
    'in %s the noun decides',
    (query) => {
      expect(index.find(query)[0]).toBe('guideline')
    },
  )

  it('a condition alone still finds what it says', () => {
    expect(index.find('見つけたら')).toContain('search-design')
  })

  it.each([
    [
      'a question',
      '間違えて消したファイルを元に戻したいときはどうすればいいですか',
      ['restore', 'remove-item'],
    ],
    ['a question in English', 'how do I delete a file', ['remove-item']],
    ['a plain verb for the noun of the page', 'ファイルを消す', ['remove-item']],
    ['another form of an English word', 'restoring', ['restore']],
    ['a qualified name', 'std::vector::push_back', ['vector-push-back']],
    ['a qualified name with a point', 'deque.push_back', ['deque-push-back']],
    ['a qualified name with a number sign', 'vector#push_back', ['vector-push-back']],
    ['the page of a name before those of longer names', 'scoped enum', ['scoped']],
    ['the page of a code before those that mention it', 'NG0500', ['ng0500']],
    [
      'a pasted message',
      'error[E0382]: borrow of moved value: `name` --> src/main.rs:5:20 note: move occurs here',
      ['moved'],
    ],
    ['a synonym', '二段階認証', ['two-factor']],
    ['an abbreviation', '2FA', ['two-factor']],
    ['a word in katakana before one that begins so', 'タスクトレイ', ['tray']],
    ['the usual form of a name', '斎藤', ['members']],
    ['an older form of a name', '高橋', ['members']],
    ['a Korean word, whatever follows it', '설정', ['korean']],
    ['a Chinese word', '软件包', ['chinese']],
    ['a piece of Thai', 'ติดตั้ง', ['thai']],
    ['all of it in kana', 'おりたたみ', ['folding']],
    ['a word of the same reading', '平行処理', ['concurrency']],
  ])('%s: %s', (_, q, ids) => {
    expect(ids).toContain(index.find(q)[0])
  })

  it('keeps cells of a table and lines of code apart in a snippet', () => {
    const [found] = index.engine.search({ q: '接続数' }).results
    const { text = '', marks = [] } = found?.sections[0]?.snippet ?? {}
    expect(text).toBe('名前 │ 既定値 · 接続数 │ 十 · const limit = 1 · open(limit) · 文です。 次の文です。')
    expect(marks.map(([start, end]) => text.slice(start, end))).toEqual(['接続数'])
  })

  it('marks of a quoted phrase the phrase alone, and of a verb no other word with its character', () => {
    const marked = (q: string) =>
      index.engine
        .search({ q })
        .results.flatMap(({ sections }) =>
          sections.flatMap(({ snippet: { text, marks } }) =>
            marks.map(([start, end]) => text.slice(start, end)),
          ),
        )
    expect(new Set(marked('"削除"'))).toEqual(new Set(['削除']))
    expect(marked('作成').join()).not.toMatch(/作は/)
  })

  it('says what a conversion mistake was taken for', () => {
    expect(index.engine.search({ q: '平行処理' }).didYouMean).toBe('並行処理')
  })

  it('says that nothing has the kana which it could not read', () => {
    expect(index.engine.search({ q: 'おにぎりの前' }).relaxed).toBe(true)
  })

  it.each(['たこ焼き', '月面着陸', '美味しいラーメンの作り方', '温泉旅館の作成'])(
    'has nothing for %s, of which it holds no word',
    (q) => {
      expect(index.find(q)).toEqual([])
    },
  )

  it('has pages for one of several words, and says that none has all', () => {
    const { results, relaxed } = index.engine.search({ q: '二段階認証 ラーメン' })
    expect([results[0]?.id, relaxed]).toEqual(['two-factor', true])
  })

  it('has pages for English of which it has a word: the others may be there in Japanese', () => {
    const { results, relaxed } = index.engine.search({ q: 'vector expiry policies' })
    expect([results[0]?.id, relaxed]).toEqual(['vector', true])
    expect(index.find('expiry policies')).toEqual([])
  })

  it('marks ログ by itself, and not inside ログイン', () => {
    const { results } = index.engine.search({ q: 'ログ' })
    const { title = '', titleMarks, sections } = results[0] ?? {}
    expect([title, titleMarks]).toEqual(['ログイン', []])
    const { text = '', marks = [] } = sections?.[0]?.snippet ?? {}
    expect(marks.map(([start, end]) => text.slice(start, end + 1))).toEqual(['ログを'])
  })

  it('opens the section whose heading is the query', () => {
    const targetOf = (q: string) => index.engine.search({ q }).results[0]?.target
    expect(targetOf('予備の番号')).toBe('/docs/two-factor#spare')
    expect(targetOf('多要素認証')).toBe('/docs/two-factor')
  })

  it.each([
    ['"直前の状態"', ['restore']],
    ['"状態直前"', []],
    ['削除 -コマンド', ['restore']],
    ['削除 －復元', []],
  ])('%s finds %j', (q, ids) => {
    expect(index.find(q)).toEqual(ids)
  })

  it.each([
    [{ folder: '/docs/git' }, ['restore']],
    [{ folder: '/docs/gi' }, []],
    [{ tag: '基本' }, ['remove-item']],
    [{ tag: '基' }, []],
    [{ since: '2026-04-01' }, ['restore']],
    [{ until: '2026-04-01' }, ['remove-item']],
    [{ version: '2.0' }, []],
    [{ kind: 'blog' }, []],
  ])('削除 within %j', (filters, ids) => {
    expect(index.engine.search({ q: '削除', ...filters }).results.map(({ id }) => id)).toEqual(ids)
  })

  it('names a folder without a name by the last part of its path, as browsers show it', () => {
    const { folders } = index.engine.search({ q: '借用' }).choices
    expect(folders.map(({ label }) => label).toSorted()).toEqual(['図書', '規則'])
  })

  it('names a folder by its pages’ breadcrumb or its own page, whichever was found', () => {
    const labelOf = (q: string) =>
      index.engine.search({ q }).choices.folders.find(({ value }) => value === '/docs/types')?.label
    expect([labelOf('貯金箱'), labelOf('貯金')]).toEqual(['データ型', 'データ型'])
  })

  it('offers filters that tell the found pages apart', () => {
    const { choices } = index.engine.search({ q: '削除' })
    expect(choices.tags).toEqual([
      { value: 'git', label: 'git', pages: 1 },
      { value: '基本', label: '基本', pages: 1 },
    ])
    expect(choices.folders).toEqual([{ value: '/docs/git', label: 'Git', pages: 1 }])
    expect([choices.versions, choices.days]).toEqual([[], ['2026-03-01', '2026-05-20']])
  })
})
