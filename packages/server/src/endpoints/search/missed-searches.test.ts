import { describe, expect, it } from 'vitest'
import { createMissedSearches } from './missed-searches.ts'

const SETTLED_MS = 2_000

describe('a search that led somewhere after one that did not', () => {
  /** Seconds and query of the searches of one reader, then the second in which a result is opened. */
  const missedBefore = (searches: readonly (readonly [number, string])[], openedAt: number) => {
    let nowMs = 0
    const missed = createMissedSearches(() => nowMs, SETTLED_MS)
    for (const [at, q] of searches) {
      nowMs = at * 1_000
      missed.searched('s', q)
    }
    nowMs = openedAt * 1_000
    return [missed.take('other'), missed.take('s'), missed.take('s')]
  }

  it.each([
    [
      'is told what that was, once',
      [
        [0, '2fa'],
        [5, '多要素認証'],
      ],
      8,
      '2fa',
    ],
    [
      'is told the last of several',
      [
        [0, 'a'],
        [5, 'b'],
        [9, 'c'],
      ],
      10,
      'b',
    ],
    [
      'is told through the keys of the next query',
      [
        [0, '2fa'],
        [5, '多'],
        [5.2, '多要'],
        [5.4, '多要素'],
      ],
      6,
      '2fa',
    ],
    [
      'is told nothing of what was still being typed',
      [
        [0, '多'],
        [0.3, '多要素認証'],
      ],
      5,
      undefined,
    ],
    [
      'is told what found something that nobody opened',
      [
        [0, 'a'],
        [5, 'b'],
      ],
      8,
      'a',
    ],
    [
      'is told nothing of another subject minutes ago',
      [
        [0, '2fa'],
        [110, 'b'],
      ],
      130,
      undefined,
    ],
  ] as const)('%s', (_, searches, openedAt, expected) => {
    expect(missedBefore(searches, openedAt)).toEqual([undefined, expected, undefined])
  })

  it('is told each pair once: who asks in vain every day is one reader', () => {
    let nowMs = 0
    const missed = createMissedSearches(() => nowMs, SETTLED_MS)
    const tellings = [1, 2].map(() => {
      for (const q of ['2fa', '多要素認証']) {
        missed.searched('s', q)
        nowMs += 5_000
      }
      return missed.take('s')
    })
    expect(tellings).toEqual(['2fa', undefined])
  })

  it('is told nothing of a search of which a result was opened', () => {
    let nowMs = 0
    const missed = createMissedSearches(() => nowMs, SETTLED_MS)
    missed.searched('s', 'a')
    nowMs = 5_000
    missed.take('s')
    missed.searched('s', 'b')
    nowMs = 9_000
    expect(missed.take('s')).toBeUndefined()
  })

  it('is forgotten when very many others search', () => {
    const missed = createMissedSearches(() => 0, 0)
    missed.searched('first', 'a')
    for (let at = 0; at < 10_000; at += 1) missed.searched(`s${at}`, 'b')
    missed.searched('first', 'c')
    expect(missed.take('first')).toBeUndefined()
  })
})
