import { describe, expect, it } from 'vitest'
import { forgetMemory, type ReaderStorage, readMemory, rememberPage, rememberQuery } from './device-memory.ts'
import { storeMatchedWords, takeMatchedWords } from './matched-words.ts'

const HANAKO = 'hanako@example.com'

function storage(): ReaderStorage & { readonly items: Map<string, string> } {
  const items = new Map<string, string>()
  return {
    items,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  }
}
const BROKEN: ReaderStorage = {
  getItem: () => {
    throw new DOMException('denied', 'SecurityError')
  },
  setItem: () => {
    throw new DOMException('full', 'QuotaExceededError')
  },
  removeItem: () => {
    throw new DOMException('denied', 'SecurityError')
  },
}

describe('device memory', () => {
  it('keeps the last few queries and pages, the latest first, each once', () => {
    const device = storage()
    for (const query of ['一', '二', '三', '一', ' ']) rememberQuery(device, HANAKO, query)
    for (let at = 1; at <= 8; at += 1) rememberPage(device, HANAKO, { title: `頁${at}`, url: `/${at}` })
    const { queries, pages } = readMemory(device, HANAKO)
    expect(queries).toEqual(['一', '三', '二'])
    expect(pages.map(({ url }) => url)).toEqual(['/8', '/7', '/6', '/5', '/4', '/3'])
  })

  it('shows nothing to another reader, and nothing once forgotten', () => {
    const device = storage()
    rememberQuery(device, HANAKO, '秘密')
    expect(readMemory(device, 'taro@example.com').queries).toEqual([])
    forgetMemory(device)
    expect([...device.items]).toEqual([])
  })

  it.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    [
      'links to other sites',
      JSON.stringify({
        reader: HANAKO,
        pages: [
          { title: 'x', url: '//evil.test' },
          { title: 'y', url: 'javascript:alert(1)' },
        ],
      }),
    ],
    ['queries that are no text', JSON.stringify({ reader: HANAKO, queries: [1, null] })],
  ])('reads nothing from %s', (_what, text) => {
    const device = storage()
    device.setItem('sekisho.search', text)
    expect(readMemory(device, HANAKO)).toEqual({ queries: [], pages: [] })
  })

  it('does without where the browser keeps nothing', () => {
    rememberQuery(BROKEN, HANAKO, 'a')
    forgetMemory(BROKEN)
    storeMatchedWords(BROKEN, '/a', ['x'], 0)
    expect([readMemory(BROKEN, HANAKO).queries, takeMatchedWords(BROKEN, '/a', 0)]).toEqual([[], []])
  })
})

describe('words handed to the page that opens', () => {
  it('are taken once, by that page, soon after', () => {
    const device = storage()
    storeMatchedWords(device, '/docs/a', ['環境'], 1_000)
    expect(takeMatchedWords(device, '/docs/b', 2_000)).toEqual([])
    expect(takeMatchedWords(device, '/docs/a', 2_000)).toEqual(['環境'])
    expect(takeMatchedWords(device, '/docs/a', 2_000)).toEqual([])
    storeMatchedWords(device, '/docs/a', ['環境'], 1_000)
    expect(takeMatchedWords(device, '/docs/a', 60_000)).toEqual([])
  })
})
