import { expect, it } from 'vitest'
import { readVocabulary, VocabularyError } from './vocabulary.ts'

it('reads words and synonyms, each of which may be left out', () => {
  const words = [{ name: '冪等性', reading: 'べきとうせい' }]
  expect(readVocabulary({ words })).toEqual({ words, synonyms: [] })
  expect(readVocabulary(undefined)).toEqual({ words: [], synonyms: [] })
})

it.each([
  [null, 'must be an object'],
  [{ userDictionary: {} }, '"userDictionary" is unknown'],
  [{ words: { 関所: 'セキショ' } }, 'words must be a list'],
  [{ words: [{ name: '関所' }] }, 'words[0] must be { name, reading }'],
  [{ words: [{ name: '関所', reading: 'sekisho' }] }, 'must be in kana'],
  [
    {
      words: [
        { name: '関所', reading: 'せきしょ' },
        { name: '関所', reading: 'セキショ' },
      ],
    },
    '関所 is there twice',
  ],
  [{ synonyms: [['議事録']] }, 'synonyms[0] must have 2 to'],
  [{ synonyms: [['議事録', ' ']] }, 'synonyms[0] must have 2 to'],
  [{ synonyms: [['議事録', '議事録']] }, 'has a word twice'],
])('refuses %j', (input, problem) => {
  expect(() => readVocabulary(input)).toThrow(problem)
})

it('reports every problem at once', () => {
  const attempt = () => readVocabulary({ words: [{}], synonyms: [[]] })
  expect(attempt).toThrow(VocabularyError)
  expect(attempt).toThrow(/words\[0\][\s\S]*synonyms\[0\]/)
})
