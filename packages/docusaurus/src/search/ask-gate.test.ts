import { describe, expect, it } from 'vitest'
import { askGate } from './ask-gate.ts'
import { matchedWords } from './matched-words.ts'

const QUESTION = { q: 'a&b=c', filters: { section: 'docs', tag: 'a&b' }, limit: 8 } as const
const answering = (status: number, body: unknown, headers = {}): typeof fetch => {
  return async () => Response.json(body, { status, headers })
}
const ask = (fetcher: typeof fetch) => askGate(fetcher, QUESTION, new AbortController().signal)

describe('askGate', () => {
  it('encodes the query so that nothing in it can become another parameter', async () => {
    const asked: string[] = []
    await ask(async (input) => {
      asked.push(String(input))
      return Response.json({ results: [], choices: {} })
    })
    expect(asked).toEqual(['/__gate/search?q=a%26b%3Dc&limit=8&section=docs&tag=a%26b'])
  })

  it('says which release and which locale ask', async () => {
    const asked: string[] = []
    const fetcher: typeof fetch = async (input) => {
      asked.push(String(input))
      return Response.json({ results: [], choices: {} })
    }
    const page = { baseUrl: '/en/', release: '20260401T000000Z-0a1b2c3d' }
    await askGate(fetcher, { q: 'a', filters: {}, limit: 8 }, new AbortController().signal, page)
    expect(asked).toEqual(['/__gate/search?q=a&limit=8&base=%2Fen%2F&release=20260401T000000Z-0a1b2c3d'])
  })

  it.each([
    ['an answer', answering(200, { results: [], didYouMean: null, relaxed: false, choices: {} }), 'found'],
    ['something else than an answer', answering(200, { ok: true }), 'unavailable'],
    ['a page', async () => new Response('<!doctype html>'), 'unavailable'],
    ['401', answering(401, { code: 'signed_out' }), 'signed-out'],
    ['503', answering(503, { code: 'search_unavailable' }), 'unavailable'],
    ['404 of an older gate', answering(404, {}), 'unavailable'],
    ['no network', async () => Promise.reject(new TypeError('Failed to fetch')), 'offline'],
  ])('%s', async (_what, fetcher, kind) => {
    expect((await ask(fetcher)).kind).toBe(kind)
  })

  it('passes on how long to wait', async () => {
    const busy = answering(429, {}, { 'Retry-After': '2' })
    expect(await ask(busy)).toEqual({ kind: 'busy', retryMs: 2_000 })
  })

  it('reports nothing for an aborted query', async () => {
    const controller = new AbortController()
    const fetcher: typeof fetch = async () => {
      controller.abort()
      throw new DOMException('aborted', 'AbortError')
    }
    await expect(askGate(fetcher, QUESTION, controller.signal)).rejects.toThrow()
  })
})

describe('matchedWords', () => {
  it('collects what matched, once, longest first', () => {
    const snippet = {
      text: '環境構築と環境',
      marks: [
        [0, 4],
        [5, 7],
      ],
      cutStart: false,
      cutEnd: false,
    } as const
    const section = { heading: '環境', headingMarks: [[0, 2]], anchor: 'a', url: '/a#a', snippet } as const
    const page = {
      id: '/a',
      url: '/a',
      title: 'Setup',
      titleMarks: [[0, 5]],
      kind: 'docs',
      breadcrumbs: [],
      sections: [section],
    } as const
    expect(matchedWords(page)).toEqual(['Setup', '環境構築', '環境'])
  })
})
