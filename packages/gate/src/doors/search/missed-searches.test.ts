import { describe, expect, it } from 'vitest'
import { createMissedSearches } from './missed-searches.ts'

const SETTLED_MS = 2_000

describe('a search that led somewhere after one that did not', () => {
  /** Seconds, query and hits of the searches of one reader, then the second in which a result is opened. */
  const missedBefore = (searches: readonly (readonly [number, string, number])[], openedAt: number) => {
    let nowMs = 0
    const missed = createMissedSearches(() => nowMs, SETTLED_MS)
    for (const [at, q, hits] of searches) {
      nowMs = at * 1_000
      missed.searched('s', q, hits)
    }
    nowMs = openedAt * 1_000
    return [missed.take('other'), missed.take('s'), missed.take('s')]
  }

  it.each([
    [
      'is told what that was, once',
      [
        [0, '2fa', 0],
        [5, '多要素認証', 3],
      ],
      8,
      '2fa',
    ],
    [
      'is told the last of several',
      [
        [0, 'a', 0],
        [5, 'b', 0],
        [9, 'c', 3],
      ],
      10,
      'b',
    ],
    [
      'is told through the keys of the next query',
      [
        [0, '2fa', 0],
        [5, '多', 9],
        [5.2, '多要', 0],
        [5.4, '多要素', 3],
      ],
      6,
      '2fa',
    ],
    [
      'is told nothing of what was still being typed',
      [
        [0, '多', 0],
        [0.3, '多要素認証', 3],
      ],
      5,
      undefined,
    ],
    [
      'is told nothing when all found something',
      [
        [0, 'a', 1],
        [5, 'b', 3],
      ],
      8,
      undefined,
    ],
    [
      'is told nothing of another subject minutes ago',
      [
        [0, '2fa', 0],
        [290, 'b', 3],
      ],
      310,
      undefined,
    ],
  ] as const)('%s', (_, searches, openedAt, expected) => {
    expect(missedBefore(searches, openedAt)).toEqual([undefined, expected, undefined])
  })

  it('is forgotten when very many others search', () => {
    const missed = createMissedSearches(() => 0, 0)
    missed.searched('first', 'a', 0)
    for (let at = 0; at < 10_000; at += 1) missed.searched(`s${at}`, 'b', 0)
    missed.searched('first', 'c', 1)
    expect(missed.take('first')).toBeUndefined()
  })
})
