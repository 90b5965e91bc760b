import { expect, it } from 'vitest'
import { isCovered } from './coverage.ts'
import type { Passage } from './passages.ts'

const passages = [
  ['プルリクエスト', '差分は 400 行以内を目安にします。テストは `npm test` です。'],
  ['ブランチの名前', '英小文字とハイフンで付けます。'],
  ['手形', '関所で見せます。'],
].map(
  ([heading = '', text = ''], at): Passage => ({
    ...{ n: at + 1, path: `/${at}`, sha256: '', url: `/${at}`, title: heading, heading, updated: '', text },
  }),
)

it.each([
  [true, '差分は何行までですか', ['プルリクエスト 差分']],
  [true, '枝の呼び方はどう決めますか', ['ブランチ 名前', '命名規則']],
  [true, 'npm で試験するには', ['npm test']],
  [false, '社員食堂の営業時間は', ['食堂 営業時間']],
  [false, 'Kubernetes でテストするには', ['kubectl テスト']],
  // Each word in a passage of its own.
  [false, '手形の差分と英小文字は', ['関所 プルリクエスト ハイフン']],
  // Words cannot tell: no rewrites, and another language.
  [true, '社員食堂の営業時間は', []],
  [true, 'When does the canteen open?', ['canteen hours']],
])('%s: the subject of %s is covered', (expected, question, rewrites) => {
  expect(isCovered(question, rewrites, passages)).toBe(expected)
})
