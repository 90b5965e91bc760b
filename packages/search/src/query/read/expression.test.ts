import { expect, it } from 'vitest'
import { smallestGroups, wordsOf } from './expression.ts'
import type { Group } from './terms/alternative.ts'

const group = (label: string, parts: readonly Group[] = [], isWord = false): Group => ({
  label,
  alternatives: [],
  parts,
  isWord,
  optional: false,
  pages: 1,
})

it('cuts a run into the words of the site, and these only where their parts are asked for', () => {
  const history = group('変更履歴', [group('変更', [], true), group('履歴', [], true)], true)
  const run = group('変更履歴の一覧', [history, group('一覧', [], true)])
  const labels = (groups: readonly Group[]) => groups.map(({ label }) => label)
  expect(labels(wordsOf([run]))).toEqual(['変更履歴', '一覧'])
  expect(labels(smallestGroups([run]))).toEqual(['変更', '履歴', '一覧'])
})
