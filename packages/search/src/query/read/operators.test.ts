import { expect, it } from 'vitest'
import { readOperators } from './operators.ts'

it.each([
  ['コンテナ -docker', 1, 100, 1],
  ['コンテナ -rm', 30, 100, 0],
  ['コンテナ -docker', 0, 0, 1],
  ['docker run -docker', 1, 100, 0],
  ['コンテナ -ボリューム', 0, 100, 1],
])('%s, on %i pages a flag and on %i a word, excludes %i', (query, flags, words, excluded) => {
  const count = (match: string): number => (match.startsWith('{extra') ? flags : words)
  expect(readOperators(query, count).excluded).toHaveLength(excluded)
})
