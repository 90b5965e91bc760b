import { describe, expect, it } from 'vitest'
import { findWords } from './mark-page.ts'

describe('findWords', () => {
  it.each([
    ['whatever the case', 'Docker と docker', ['DOCKER'], ['Docker', 'docker']],
    ['the longer one where two begin together', '環境構築', ['環境構築', '環境'], ['環境構築']],
    ['across spaces that a page adds', 'npm\n  start', ['npm start'], ['npm\n  start']],
    ['letter by letter, not as a pattern', 'a.b axb (c)', ['a.b', '(c)'], ['a.b', '(c)']],
    ['beyond the basic plane', '𠮷野家', ['𠮷'], ['𠮷']],
    ['nothing for nothing', 'text', ['', '  '], []],
  ])('finds %s', (_what, text, words, found) => {
    expect(findWords(text, words).map(([start, end]) => text.slice(start, end))).toEqual(found)
  })
})
