import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSubjectFinder } from '../src/indexer/analysis/subject-names.ts'
import { parseSubjects } from '../src/indexer/words/everyday-words.ts'
import { phraseFeatures } from '../src/text/phrase-features.ts'
import { createFixtureIndex, type FixtureIndex, page } from './fixture-index.ts'

/** A build on a machine that may be busy with other things. */
const BUILD_MS = 600_000

/** Pages that use the words of the questions for something else, and pages that answer and have none of them. */
const PAGES = [
  page('flow', 'バックプレッシャー', '生産者と消費者の速度差を吸収します。'),
  page('idempotency', '冪等性の設計', 'idempotency key を保存します。'),
  page('session', 'セッションタイムアウト', 'アイドルタイムアウトは三十分です。'),
  page('mail', '手紙の書き方', '相手に手紙を送る前に、二回読みます。受け取る人を考えます。'),
  page('office', '事務所の決まり', '昼休みの後は席に戻ります。帰る前に机を片付けます。'),
  page('order', '注文の流れ', '注文を受け取ると、品物を送る人が決まります。'),
  page('login', 'ログインの手順', 'ログイン画面で名前を入れます。'),
]
let index: FixtureIndex
beforeAll(async () => {
  index = await createFixtureIndex(PAGES)
}, BUILD_MS)
afterAll(() => index.remove())

describe('a question without the words of its page', () => {
  it.each([
    ['受け取る側が追いつかないので送る側に待ってほしい', 'flow'],
    ['どのくらい放っておくと入り直しを求められる', 'session'],
  ])('%s', (q, id) => {
    expect(index.find(q)[0]).toBe(id)
  })
  it('comes after the page that has all that was typed', () => {
    expect(index.find('相手に手紙を送る前に読みます')[0]).toBe('mail')
    expect(index.find('昼休みの後は席に戻ります')[0]).toBe('office')
  })
  it('means what was typed where that stands in quotes', () => {
    expect(index.find('"受け取る側" 追いつかない 送る側')).not.toContain('flow')
  })
})

describe('names of subjects', () => {
  const find = createSubjectFinder(
    parseSubjects('冪等性; idempotent; RAG; キュー = a; b\n冪等性; べき等 = c\nキー; キュー = d'),
  )
  const found = (text: string): string[] => {
    const names: string[] = []
    find(text, ({ text: name, terms }) => names.push(`${name} ${terms.join(' ')}`))
    return names
  }
  it.each([
    ['べき等な処理は Idempotent です', ['べき等 =冪等性', 'idempotent =冪等性']],
    ['storage と fragment と RAGs', ['rag =冪等性']],
    ['キューとバーベキュー', ['キユ =冪等性 =キー']],
  ])('in %s', (text, names) => {
    expect(found(text)).toEqual(names)
  })
})

describe('features of phrases', () => {
  const shared = (one: string, other: string): string[] => {
    const features = phraseFeatures(other)
    return [...phraseFeatures(one).keys()].filter((feature) => features.has(feature))
  }
  it.each([
    ['消えてしまう', '消去した', ['消~']],
    ['サーバが', 'サーバーを', ['サバ']],
    ['Restoring it', 'restore the page', ['restor~']],
    ['まとめて', 'まとめる', ['まとめ']],
    ['設定する', '予約する', []],
  ])('%s and %s', (one, other, features) => {
    expect(shared(one, other)).toEqual(features)
  })
})

describe('everyday-words.txt', () => {
  const lines = readFileSync(new URL('../everyday-words.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  it('has names, an equals sign and phrases on every line', () => {
    expect(lines.filter((line) => !/^[^;]+(; .+)* = [^;]+(; [^;]+)+$/.test(line))).toEqual([])
    expect(lines.length).toBeGreaterThan(2_000)
  })
})
