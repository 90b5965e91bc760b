import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFixtureIndex, type FixtureIndex } from './fixture-index.ts'
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
