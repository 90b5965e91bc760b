import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFixtureIndex, type FixtureIndex, page } from './fixture-index.ts'
import { FIXTURE_PAGES } from './fixture-pages.ts'

describe('a query finds its page first', () => {
  let index: FixtureIndex
  beforeAll(async () => {
    index = await createFixtureIndex(FIXTURE_PAGES)
  })
  afterAll(() => index.remove())

  it.each([
    ['a word', '環境変数', 'environment-variables'],
    ['a word while it is typed', '環境変', 'environment-variables'],
    ['a reading', 'かんきょうへんすう', 'environment-variables'],
    ['a reading while it is typed', 'かんきょうへん', 'environment-variables'],
    ['romaji', 'kankyouhensuu', 'environment-variables'],
    ['romaji of the other school', 'syoyuuken', 'ownership'],
    ['romaji without long vowels', 'kankyohensu', 'environment-variables'],
    ['romaji with an apostrophe', "un'you", 'operation'],
    ['romaji without its apostrophe', 'unyou', 'operation'],
    ['romaji as an input method takes it', 'honnyaku', 'translation'],
    ['romaji with the vowel doubled', 'saabaakonpoonento', 'server-components'],
    ['romaji with two letters swapped', 'shoyuukne', 'ownership'],
    ['romaji with a letter too many', 'shoyuukken', 'ownership'],
    ['romaji with hyphens', 'sa-ba-konpo-nento', 'server-components'],
    ['romaji of a loan word', 'direkutori', 'smart-pointers'],
    ['kanji that only stand together', '隠線処理', 'hidden-lines'],
    ['full-width letters', 'ｕｓｅＳｔａｔｅ', 'use-state'],
    ['half-width katakana', 'ｻｰﾊﾞｰｺﾝﾎﾟｰﾈﾝﾄ', 'server-components'],
    ['katakana without its long vowels', 'サーバコンポーネント', 'server-components'],
    ['hiragana for katakana', 'さーばーこんぽーねんと', 'server-components'],
    ['okurigana left out', '取消し', 'undo'],
    ['okurigana left out altogether', '取消', 'undo'],
    ['half a compound in kana', '割りあて', 'assignment'],
    ['the rest of a compound in kana', '環境へんすう', 'environment-variables'],
    ['okurigana of a compound', '割当て', 'assignment'],
    ['an identifier', 'useState', 'use-state'],
    ['an identifier in snake case', 'use_state', 'use-state'],
    ['an identifier as words', 'use state', 'use-state'],
    ['parts of an identifier', 'static paths', 'static-paths'],
    ['the start of an identifier', 'getStat', 'static-paths'],
    ['a flag', '--amend', 'undo'],
    ['a path', 'src/pages/index.astro', 'static-paths'],
    ['a dot file', '.env', 'environment-variables'],
    ['an operator', '?.', 'operators'],
    ['a name with a suffix', 'C++', 'cpp'],
    ['a lifetime', "'static", 'lifetimes'],
    ['names joined by an operator', 'std::mem', 'lifetimes'],
    ['brackets round names', 'Rc<Box<T>>', 'smart-pointers'],
    ['other brackets round names', 'Box<Rc<i32>>', 'smart-pointers'],
    ['an error message', 'borrow of moved value', 'ownership'],
    ['an error message of another version', 'use of moved value', 'ownership'],
    ['English for Japanese', 'ownership', 'ownership'],
    ['English for Japanese by the address of the page', 'smart pointers', 'smart-pointers'],
    ['a misspelled file name', 'pakcage.json', 'package-json'],
    ['a misspelled name', 'kuberentes', 'kubernetes'],
    ['a misspelled katakana word', 'サーバーコンポネンント', 'server-components'],
    ['an unfinished syllable', 'ブランチs', 'deploy'],
    ['a vowel missed within katakana', 'サーバーコンポーnント', 'server-components'],
    ['an unfinished syllable of a reading', 'かんきょうh', 'environment-variables'],
    ['the last syllable of a reading under way', 'ほんやk', 'translation'],
    ['the last syllable of katakana under way', 'サーバーコンポーネンt', 'server-components'],
    ['several words', 'リモート ブランチ 削除', 'deploy'],
    ['a question', 'ブランチを削除する方法', 'deploy'],
    ['a reading that the user dictionary mends', 'えんざんし', 'operators'],
    ['kana that are meant', 'はじめに', 'welcome'],
  ])('%s: %s', (_, q, id) => {
    expect(index.find(q)[0]).toBe(id)
  })

  it.each(['kube-proxy', 'xyzzyplugh', '`x` does not live long enough', '冪等', '--no-such-flag-here'])(
    'nothing is found for %s',
    (q) => {
      expect(index.find(q)).toEqual([])
    },
  )

  it('says what it took a misspelled word for', () => {
    expect(index.engine.search({ q: 'kuberentes' }).didYouMean).toBe('Kubernetes')
    expect(index.engine.search({ q: 'shoyuukne' }).didYouMean).toBe('所有権')
    expect(index.engine.search({ q: 'Kubernetes' }).didYouMean).toBeNull()
  })

  it('says when pages lack a part of the query', () => {
    const answer = index.engine.search({ q: '環境変数 火星' })
    expect(answer.relaxed).toBe(true)
    expect(answer.results[0]?.id).toBe('environment-variables')
  })

  it('keeps to a kind of page', () => {
    expect(index.engine.search({ q: 'ブランチ', kind: 'knowledge' }).results.map(({ id }) => id)).toEqual([
      'deploy',
    ])
    expect(index.engine.search({ q: 'ブランチ', kind: 'blog' }).results).toEqual([])
  })

  it('has queries to warm up with, at most as many as asked for', () => {
    const examples = index.engine.examples(5)
    expect(examples).toHaveLength(5)
    for (const title of examples) expect(index.find(title)).not.toEqual([])
  })

  it('leads to the section and marks what matched', () => {
    const [found] = index.engine.search({ q: 'ブランチ 削除' }).results
    const [section] = found?.sections ?? []
    expect(section).toMatchObject({ heading: 'ブランチの削除', url: '/docs/deploy#delete' })
    const { text = '', marks = [] } = section?.snippet ?? {}
    expect(marks.map(([start, end]) => text.slice(start, end))).toEqual(['ブランチ', '削除'])
  })
})

describe('a name that pages write and that is the romaji of a word', () => {
  let index: FixtureIndex
  beforeAll(async () => {
    const examples = ['kankyou', 'human', 'kanban', 'kigen', 'chose', 'tian']
    index = await createFixtureIndex([
      ...examples.flatMap((name) =>
        [1, 2, 3].map((at) => page(`${name}-${at}`, `記録 ${at}`, `${name} と入力した記録です。`)),
      ),
      page('kanban-board', 'kanban', 'kanban で仕事を並べます。'),
      ...['構築', '変数', '移行', '破棄'].map((word) => page(word, `環境の${word}`, '環境について。')),
      ...['調査', '受付', '集計', '対応'].map((word) => page(word, `不満の${word}`, '不満について。')),
      ...['設置', '撤去', '更新', '点検'].map((word) => page(word, `看板の${word}`, '看板について。')),
      ...['画面', '時刻', '人数', '速度'].map((word) => page(word, `${word}の調整`, '調整について。')),
      ...['依頼', '提出', '採用', '却下'].map((word) => page(word, `提案の${word}`, '提案について。')),
      page('deadlines', '期限', '期限について。'),
    ])
  })
  afterAll(() => index.remove())

  it('means the word that the site is about', () => {
    expect(index.find('kankyou').slice(0, 4)).toEqual(
      expect.arrayContaining(['構築', '変数', '移行', '破棄']),
    )
    expect(index.find('kankyou')).toContain('kankyou-1')
  })

  it.each([
    ['human', 'is as short as English'],
    ['tian', 'is a name rather than 提案'],
    ['chose', 'has other vowels than 調整'],
    ['kanban', 'is the title of a page'],
    ['kigen', 'is the romaji of no word more prominent'],
  ])('means itself: %s %s', (name) => {
    expect(index.find(name).every((id) => id.startsWith(name))).toBe(true)
  })
})
