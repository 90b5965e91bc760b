import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFixtureIndex, type FixtureIndex, page } from './fixture-index.ts'

/** Short words, out of which most kana, romaji, katakana and compounds can be put together. */
const PAGES = [
  page(
    'short',
    '猫と株と回と型',
    '猫を飼い、株を買い、回を数え、型を決め、属を調べ、感を磨き、虫を無視し、書い、焼き、推移。',
  ),
  page('grip', '例外の握りつぶし', '例外を握りつぶすと、握りの強さが分かりません。'),
  page('chunk', 'チャンクの分割', 'チャンクとチャンネルの違い。'),
  page('katakana', 'パンくずリスト', 'パン と ダコ と ペン と ドライブ。'),
  page('meeting', '会議の予約', '会議室の予約と議員の名簿。国の祝日。社員の人数。'),
  page('fishing', '釣りの記録', '釣りと散歩。竿を持たない。'),
  page('history', '日本の年表', '日本語の年表。歴史の本。'),
  page('rendering', '画面の遷移', '画面の遷移と描画。静的なアセットの配信。作り方。'),
  page('function', '関数の引数', '関数に引数を渡す。型推論と型注釈。サーバーのログとキーの値。'),
]

const NONSENSE = (
  'ねこのかいかた かぶとむし おにぎり onigiri nekochan すいぞくかん たこやきのつくりかた takoyakinotsukurikata ねこかいかた ' +
  'パンダコパンダ ジャイアントパンダ モフモフウサギ ドラえもんの道具 ペンギンの散歩 mofumofu ホゲラッチョ ' +
  '国会議員 釣り竿 日本史年表 恐竜の化石 魑魅魍魎 寿限無 味噌ラーメン 富士山の登り方 天ぷらの揚げ方 冷蔵庫の掃除 ' +
  'zzzzqqqq asdfghjkl flibbertigibbet giraffe うなぎ かいねこ ねこかぶ sumotori'
).split(' ')

describe('what the site does not have', () => {
  let index: FixtureIndex
  beforeAll(async () => {
    index = await createFixtureIndex(PAGES)
  })
  afterAll(() => index.remove())

  it.each(NONSENSE)('is not found, or said to be no more than close: %s', (q) => {
    const { results, relaxed, didYouMean } = index.engine.search({ q })
    expect(results.length === 0 || relaxed || didYouMean !== null, JSON.stringify(results[0])).toBe(true)
  })

  it.each([
    ['おにぎり', 'grip'],
    ['パンダコパンダ', 'katakana'],
    ['国会議員', 'meeting'],
    ['釣り竿', 'fishing'],
  ])('may still be offered what is close: %s', (q, id) => {
    expect(index.find(q)[0]).toBe(id)
  })

  it.each([
    'がめんせんい',
    'せいてきあせっと',
    'gamenseni',
    'ねこ',
    'neko',
    'ログ',
    'キーの値',
    '会議室',
    '型推論',
    '引数の型',
    'サーバーログ',
    'チャンク分',
    'にぎり',
    '静的アセット',
  ])('is not said of what it has: %s', (q) => {
    const { results, relaxed } = index.engine.search({ q })
    expect([results.length > 0, relaxed]).toEqual([true, false])
  })
})
