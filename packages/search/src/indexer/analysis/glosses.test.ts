import { describe, expect, it } from 'vitest'
import { glossesIn, headingGlosses } from './glosses.ts'

const pairs = (glosses: readonly { english: string; japanese: string }[]): string[] =>
  glosses.map(({ english, japanese }) => `${english} = ${japanese}`)

describe('glossesIn', () => {
  it.each([
    ['所有権（ownership）は値の持ち主です', ['ownership = 所有権']],
    ['ownership (所有権) は', ['ownership = 所有権']],
    ['型の推論（type inference）', ['type inference = 型の推論']],
    ['括弧（かっこ）と useState（v2）', []],
  ])('%s', (text, expected) => {
    expect(pairs(glossesIn(text))).toEqual(expected)
  })
})

describe('headingGlosses', () => {
  it.each([
    ['条件付きレンダー', 'conditional-rendering', ['conditional rendering = 条件付きレンダ']],
    ['スマートポインタ', 'ch15 00 smart pointers', ['smart pointer = スマトポインタ']],
    ['参照と借用', 'ch04-02-references-and-borrowing', ['reference = 参照', 'borrowing = 借用']],
    ['トレイト: 共通の振る舞いを定義する', 'ch10-02-traits', ['trait = トレイト']],
    ['所有権とは？', 'ownership', ['ownership = 所有権']],
    ['共通の振る舞いを定義する', 'traits', []],
    ['参照と借用と寿命', 'references-and-borrowing', []],
    ['設定', 'step-1', []],
    ['とても長い見出しの条件付きレンダーと題する章', 'a-b', []],
  ])('%s at %s', (heading, name, expected) => {
    expect(pairs(headingGlosses(heading, name))).toEqual(expected)
  })
})
