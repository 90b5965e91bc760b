import { describe, expect, it } from 'vitest'
import { foldKatakana, foldReading, looseReading, toHiragana, toKatakana } from './kana.ts'

describe('foldKatakana', () => {
  it.each([
    ['サーバー', 'サーバ'],
    ['コンピューター', 'コンピュータ'],
    ['インターフェース', 'インタフェース'],
    ['ウィンドウ', 'ウインドウ'],
    ['ヴァージョン', 'バージョン'],
    ['ヴューア', 'ビューア'],
    ['コンポーネント', 'コンポネント'],
    ['サーバーコンポーネント', 'サーバコンポーネント'],
    ['レジストリー', 'レジストリ'],
  ])('brings %s and %s together', (one, other) => {
    expect(foldKatakana(one)).toBe(foldKatakana(other))
  })

  it.each([
    ['キー', 'キ'],
    ['バー', 'バ'],
    ['サーバー', 'サービス'],
    ['クラス', 'クラブ'],
  ])('keeps %s and %s apart', (one, other) => {
    expect(foldKatakana(one)).not.toBe(foldKatakana(other))
  })

  it('leaves everything but katakana alone', () => {
    expect(foldKatakana('環境 useState らーめん')).toBe('環境 useState らーめん')
  })
})

describe('readings', () => {
  it.each([
    ['かんきょう', 'カンキョウ'],
    ['こんぽーねんと', 'コンポーネント'],
    ['しょゆうけん', 'ショユウケン'],
  ])('%s and %s have one key', (one, other) => {
    expect(foldReading(one)).toBe(foldReading(other))
  })

  it.each([
    ['かんす', 'かんすう'],
    ['ようごしゅ', 'ようごしゅう'],
    ['フェース', 'フェイス'],
    ['さあばあ', 'サーバー'],
    ['こおぞおたい', 'コウゾウタイ'],
  ])('%s and %s meet loosely', (one, other) => {
    expect(looseReading(one)).toBe(looseReading(other))
  })

  it('turns one syllabary into the other and back', () => {
    expect(toKatakana('がぎぐ漢字ABC')).toBe('ガギグ漢字ABC')
    expect(toHiragana('ガギグ漢字ABC')).toBe('がぎぐ漢字ABC')
  })
})
