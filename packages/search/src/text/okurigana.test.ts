import { describe, expect, it } from 'vitest'
import { okuriganaSkeleton, skeletonsIn } from './okurigana.ts'

describe('okuriganaSkeleton', () => {
  it.each([
    ['取り消し', '取消'],
    ['取消し', '取消'],
    ['取消', '取消'],
    ['書き換える', '書換え'],
    ['書換え', '書換'],
    ['組み込み', '組込'],
    ['埋め込む', '埋込'],
    ['読み込み', '読込'],
    ['引き継ぎ', '引継'],
    ['割り当て', '割当て'],
    ['割り当てる', '割当'],
    ['組み合わせ', '組合せ'],
    ['立て替え', '立替え'],
    ['名前付き', '名前付'],
  ])('%s and %s meet', (one, other) => {
    expect(okuriganaSkeleton(one)).toBe(okuriganaSkeleton(other))
  })

  it.each(['設定', 'サーバー', 'かな', 'useState', ''])('leaves %s alone', (word) => {
    expect(okuriganaSkeleton(word)).toBe(word)
  })
})

describe('skeletonsIn', () => {
  it('finds the compound verbs of a sentence and no phrase around a particle', () => {
    expect(skeletonsIn('変更を取り消し、設定の値を読み込み、開いて閉じます')).toEqual(['取消', '読込'])
  })
})
