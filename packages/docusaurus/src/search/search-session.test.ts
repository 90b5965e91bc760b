import type { SearchResponse } from '@sekisho/contract/search-response'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Outcome, Question } from './ask-gate.ts'
import { createSearchSession } from './search-session.ts'

const answerFor = (q: string): SearchResponse => ({
  results: [],
  didYouMean: q,
  relaxed: false,
  choices: { folders: [], tags: [], versions: [], days: null },
})
const found = (q: string): Outcome => ({ kind: 'found', answer: answerFor(q), release: null })

type Asked = { readonly question: Question; readonly signal: AbortSignal; answer(outcome: Outcome): void }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function started() {
  const asked: Asked[] = []
  const onSignedOut = vi.fn()
  const session = createSearchSession({
    limit: 8,
    ask: (question, signal) =>
      new Promise((resolve) => {
        asked.push({ question, signal, answer: resolve })
      }),
    onSignedOut,
    now: () => Date.now(),
  })
  const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0)
  return { asked, onSignedOut, session, settle }
}

describe('createSearchSession', () => {
  it('asks at the first key, without waiting', () => {
    const { asked, session } = started()
    session.ask({ q: '検' })
    expect(asked.map(({ question }) => question)).toEqual([{ q: '検', filters: {}, limit: 8 }])
    expect(session.get()).toMatchObject({ q: '検', isAsking: true, answer: null })
  })

  it('gathers keys that follow quickly', async () => {
    const { asked, session } = started()
    for (const q of ['k', 'ke', 'ken', 'kens']) session.ask({ q })
    await vi.advanceTimersByTimeAsync(100)
    expect(asked.map(({ question }) => question.q)).toEqual(['k', 'kens'])
  })

  it('lets the newest question win, whatever comes back when', async () => {
    const { asked, session, settle } = started()
    session.ask({ q: 'a' })
    await vi.advanceTimersByTimeAsync(100)
    session.ask({ q: 'ab' })
    expect(asked[0]?.signal.aborted).toBe(true)
    asked[1]?.answer(found('ab'))
    await settle()
    asked[0]?.answer(found('a'))
    await settle()
    expect(session.get()).toMatchObject({ answer: answerFor('ab'), answered: { q: 'ab' }, isAsking: false })
  })

  it('keeps the last answer until the next one is there', async () => {
    const { asked, session, settle } = started()
    session.ask({ q: 'a' })
    asked[0]?.answer(found('a'))
    await vi.advanceTimersByTimeAsync(100)
    session.ask({ q: 'ab' })
    expect(session.get()).toMatchObject({
      q: 'ab',
      isAsking: true,
      answer: answerFor('a'),
      answered: { q: 'a' },
    })
    await settle()
  })

  it('asks again for another area, not for another space', async () => {
    const { asked, session } = started()
    session.ask({ q: 'a' })
    await vi.advanceTimersByTimeAsync(100)
    session.ask({ q: 'a ' })
    session.ask({ filters: { section: 'blog' } })
    expect(asked.map(({ question }) => [question.q, question.filters])).toEqual([
      ['a', {}],
      ['a ', { section: 'blog' }],
    ])
  })

  it('is as at the start when the field is emptied', async () => {
    const { asked, session, settle } = started()
    session.ask({ q: 'a' })
    session.ask({ q: ' ' })
    asked[0]?.answer(found('a'))
    await settle()
    expect(session.get()).toMatchObject({ q: ' ', answer: null, isAsking: false, problem: null })
  })

  it.each(['offline', 'unavailable'] as const)('says when the search is %s, and recovers', async (kind) => {
    const { asked, session, settle } = started()
    session.ask({ q: 'a' })
    asked[0]?.answer({ kind })
    await settle()
    expect(session.get()).toMatchObject({ problem: kind, isAsking: false })
    session.retry()
    asked[1]?.answer(found('a'))
    await settle()
    expect(session.get()).toMatchObject({ problem: null, answer: answerFor('a'), isEntered: true })
    session.ask({ q: 'ab' })
    expect(session.get()).toMatchObject({ isEntered: false })
  })

  it('waits as long as the gate asks for, and then asks by itself', async () => {
    const { asked, session } = started()
    session.ask({ q: 'a' })
    asked[0]?.answer({ kind: 'busy', retryMs: 1_000 })
    await vi.advanceTimersByTimeAsync(999)
    expect(asked).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(asked).toHaveLength(2)
  })

  it('leaves when the session is over', async () => {
    const { asked, session, onSignedOut, settle } = started()
    session.ask({ q: 'a' })
    asked[0]?.answer({ kind: 'signed-out' })
    await settle()
    expect(onSignedOut).toHaveBeenCalledOnce()
  })
})
