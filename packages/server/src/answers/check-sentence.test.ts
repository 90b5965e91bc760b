import { describe, expect, it } from 'vitest'
import { createSentenceCheck, type ModelSentence } from './check-sentence.ts'
import type { Passage } from './passages.ts'

const passage = (n: number, text: string): Passage => ({
  ...{ n, text, path: `/p${n}`, sha256: 'a', url: `/p${n}`, title: 'ビルド', heading: '設定', updated: '' },
})
const PASSAGES = [
  passage(
    1,
    'メモリーが足りないときは `NODE_OPTIONS=--max-old-space-size=4096` を設定します。上限は 30 分です。',
  ),
  passage(
    2,
    'Use the **`--no-cache`** flag, as in [the guide](https://docs.example.com/guide), or `<Tabs>`.\nIt takes   three\nminutes.',
  ),
]
const check = createSentenceCheck('ビルドのメモリーが足りないときはどうしますか', PASSAGES)
const sentence = (text: string, quote: string, n = 1, more: Partial<ModelSentence> = {}): ModelSentence => ({
  ...{ text, kind: 'text', cites: [{ n, quote, subject: '' }], ...more },
})
const QUOTE = '上限は 30 分です'

describe('a sentence whose citation holds', () => {
  it.each([
    ['as it stands', '上限は 30 分です。', QUOTE],
    ['in full width', '上限は３０分です。', '上限は３０分です'],
    ['with other white space', 'It takes three minutes.', 'It takes\nthree minutes.'],
    ['without the marks of Markdown', 'Use --no-cache.', 'Use the --no-cache flag, as in the guide'],
    ['with a soft hyphen in the quote', '上限は 30 分です。', '上限は\u00ad 30 分です'],
  ])('%s', (_how, text, quote) => {
    const n = /[a-z]{4}/.test(quote) ? 2 : 1
    expect(check(sentence(text, quote, n), '')?.cites).toEqual([n])
  })
})

describe('a sentence that no source confirms', () => {
  it.each([
    ['a quote that stands nowhere', sentence('上限はありません。', '上限はないものとします')],
    ['a quote of another passage', sentence('上限は 30 分です。', QUOTE, 2)],
    ['a passage that was not given', sentence('上限は 30 分です。', QUOTE, 9)],
    ['a quote that is too short', sentence('上限は 30 分です。', '30 分')],
    ['a quote that is the question', sentence('メモリーを増やします。', 'メモリーが足りないとき')],
    ['no citation', sentence('上限は 30 分です。', '', 1, { cites: [] })],
    ['another number', sentence('上限は 300 分です。', QUOTE)],
    ['a part of a number', sentence('上限は 3 分です。', QUOTE)],
    ['an invented flag', sentence('--no-cache-all を使います。', QUOTE)],
    ['a flag of another passage', sentence('--no-cache を使います。', QUOTE)],
    ['an invented identifier', sentence('NODE_MEMORY を設定します。', QUOTE)],
    ['an invented path', sentence('/etc/secret を開きます。', QUOTE)],
    ['more markup than a sentence has', sentence(`上限は 30 分です。${'<b>'.repeat(1_400)}`, QUOTE)],
    [
      'more names than a sentence has',
      sentence(Array.from({ length: 210 }, (_, n) => `a${n}`).join(' '), QUOTE),
    ],
    ['invented code', sentence('`rm -rf` を実行します。', QUOTE)],
    ['an address that the passage has not', sentence('https://evil.example/a を開きます。', QUOTE)],
    [
      'an address that only a link of the passage names',
      sentence('See https://docs.example.com/guide', 'It takes three', 2),
    ],
  ])('%s', (_what, one) => {
    expect(check(one, '')).toBeNull()
  })

  it.each([
    ['a flag that is longer there', '-v を付けます。', '--verbose を付けます'],
    ['a flag that goes on there', '--force を付けます。', '--force-with-lease を付けます'],
    ['the end of a decimal', '5 秒待ちます。', '1.5 秒待ちます'],
    ['the start of a decimal', '1 秒待ちます。', '1.5 秒待ちます'],
    ['the end of thousands', '500 件まで送れます。', '1,500 件まで送れます'],
    ['the start of a name', '`fs.read` を呼びます。', 'fs.readFile を呼びます'],
    ['the end of a name', 'useState を呼びます。', 'myuseState を呼びます'],
    ['a call', 'rename() を呼びます。', '名前はあとで変えます'],
    ['a variable', '$HOME に置きます。', '家のフォルダに置きます'],
    ['an error in capitals', 'ENOENT になります。', 'EACCES になります。確かめます'],
    ['a name with hyphens', 'docker-compose を使います。', 'docker を使います。ほかは不要'],
    ['another unit of time', '30 分待ちます。', '接続を 30 秒だけ待ちます'],
    ['another unit, in English', 'It waits 30 minutes.', 'it waits for 30 seconds'],
    ['a unit for a size', '4 GB まで送れます。', '4 MB まで送れます。'],
    ['a share for a count', '30 % を残します。', '30 件を残します。ほかは不要'],
    ['the unit of a range', '30 分待ちます。', '30～60 秒待ちます。長め'],
    ['a month for a duration', '3 か月待ちます。', '3 年待ちます。長い間'],
    ['thousands', '10 万件まで送れます。', '10 件まで送れます。'],
    ['a kanji number', '四十分待ちます。', '三十分待ちます。それだけ'],
    ['a kanji number’s unit', '30 分待ちます。', '三十秒待ちます。それだけ'],
    ['another version', 'バージョン 3 を使います。', 'v2 を使い、3 分待ちます'],
    ['a version with a letter', 'v3 を使います。', 'v2 を使います。3 分待ちます'],
    ['a longer name with hyphens', 'cache-control を送ります。', 'x-cache-control を送ります'],
    ['the start of an address', 'https://a.example/b を開きます。', 'https://a.example/bc を開きます'],
  ])('%s of the source', (_what, text, source) => {
    const checkOne = createSentenceCheck('どうしますか', [passage(1, source)])
    expect(checkOne(sentence(text, source), '')).toBeNull()
  })

  it.each([
    ['a number with separators', '1500 件まで送れます。', '1,500 件まで送れます'],
    ['numbers beside each other', '80 番を使います。', 'ポート 8080:80 80 443 を開きます'],
    ['a version by its first parts', 'Node 26 を使います。', 'Node 26.1.0 を使います'],
    ['a number at the end of a line', '5 秒待ちます。', '待つ秒数: 5.\n3 回まで試します'],
    ['a call with arguments', '`rename()` を呼びます。', 'rename(from, to) を呼びます'],
    ['a name beside Japanese', 'useState を呼びます。', 'まずuseStateを呼びます'],
    ['kanji for digits', '30 分待ちます。', '三十分待ちます。それだけ'],
    ['digits for kanji', '二百五十件まで送れます。', '250 件まで送れます。'],
    ['digits of a year in kanji', '二〇二六年に始めます。', '2026 年に始めます。'],
    ['thousands in kanji', '1 万 5000 件まで送れます。', '15,000 件まで送れます'],
    ['full-width digits and units', '３０％を残します。', '30 パーセントを残します'],
    ['the same unit in another language', '5 秒待ちます。', 'waits 5 seconds at most'],
    ['a setting’s duration', '90 分で切れます。', 'SEKISHO_IDLE=90m と書きます'],
    ['a range', '30～60 秒待ちます。', 'between 30 and 60 seconds'],
    ['a unit in the heading of a table', '30 分待ちます。', '上限（分）| 既定 | 30 | 60'],
    ['an English word for a number', '3 分待ちます。', 'It takes three minutes.'],
    ['another counter', '30 個まで送れます。', '30 件まで送れます。'],
    ['a version without its letter', 'バージョン 3 を使います。', 'v3 を使います。ほかは不要'],
    ['words with numerals', '一般に十分な大きさで、一部だけ使います。', '一般に足りる大きさです'],
    ['hyphens of English prose', 'A read-only copy is kept.', 'There is a copy for readers'],
  ])('not: %s', (_what, text, source) => {
    const checkOne = createSentenceCheck('どうしますか', [passage(1, source)])
    expect(checkOne(sentence(text, source), '')).not.toBeNull()
  })

  it('is about another product than the question', () => {
    const of = (subject: string) =>
      sentence('上限は 30 分です。', QUOTE, 1, { cites: [{ n: 1, quote: QUOTE, subject }] })
    for (const [one, other] of [
      ['Vue', 'React'],
      ['Java', 'JavaScript'],
      ['Go', 'Django'],
      ['C', 'C++'],
      ['Angular', 'AngularJS'],
      ['Python 2', 'Python 3'],
      ['Vue v2', 'Vue3'],
      ['React', 'React Native'],
    ] as const) {
      expect(check(of(one), other)).toBeNull()
      expect(check(of(other), one)).toBeNull()
    }
    expect(check(of('Vue.js 3'), 'Vue')).not.toBeNull()
    expect(check(of('Ｄｏｃｋｅｒ'), 'docker compose')).not.toBeNull()
    expect(check(of('React Router'), 'react')).not.toBeNull()
    expect(check(of('Vue v3.4'), 'Vue 3')).not.toBeNull()
    expect(check(of(''), 'React Native')).not.toBeNull()
  })
})

describe('what the model writes as markup', () => {
  it.each([
    ['a link', '上限は[30 分](https://evil.example/?q=1)です。', '上限は30 分です。'],
    ['a link by reference', '上限は[30 分][a]です。', '上限は30 分です。'],
    ['a picture', '上限は 30 分です。![x](https://evil.example/x.png)', '上限は 30 分です。'],
    ['tags', '上限は <img src=x onerror=alert(1)>30 分です。</script>', '上限は 30 分です。'],
    ['numbers of its own', '上限は 30 分です [7]。', '上限は 30 分です 。'],
    ['a bullet', '- 上限は 30 分です。', '上限は 30 分です。'],
    ['control characters', '上限は\u0007 30 分です。', '上限は 30 分です。'],
  ])('%s', (_what, text, shown) => {
    expect(check(sentence(text, QUOTE), '')?.text).toBe(shown)
  })

  it('keeps a tag that the cited passage has', () => {
    expect(check(sentence('Use <Tabs>.', 'It takes three', 2), '')?.text).toBe('Use <Tabs>.')
  })
})

it('gives up on a name that a page repeats within longer ones, and takes a version by its first parts', () => {
  const text = `版は 3.11.2 です。${'a_b_'.repeat(5_000)} a_b`
  const hostile = createSentenceCheck('', [passage(1, text)])
  const answer = (written: string) => hostile(sentence(written, '版は 3.11.2 です'), '')
  expect([answer('`a_b` を使います。'), answer('版は 3.1 です。'), answer('版は 11 です。')]).toEqual([
    null,
    null,
    null,
  ])
  expect(answer('版は 3.11 です。')?.cites).toEqual([1])
})
