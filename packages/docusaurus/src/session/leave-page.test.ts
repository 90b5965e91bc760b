import { describe, expect, it } from 'vitest'
import { restoreScrollPosition, type ScrollableTab, saveScrollPosition } from './leave-page.ts'

function tab(href: string, scrollY: number, kept: Map<string, string>) {
  const scrolled: number[] = []
  const storage: ScrollableTab['storage'] = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  }
  return { storage, href, scrollY, scrollTo: (_x: number, y: number) => void scrolled.push(y), scrolled }
}

describe('the place of a reader', () => {
  it('is found again on the same page, once', () => {
    const kept = new Map<string, string>()
    saveScrollPosition(tab('https://portal.test/docs#a', 812.4, kept))
    const back = tab('https://portal.test/docs#a', 0, kept)
    restoreScrollPosition(back)
    restoreScrollPosition(back)
    expect(back.scrolled).toEqual([812])
  })

  it.each([
    ['another page', 'https://portal.test/blog', 800],
    ['the top of the page', 'https://portal.test/docs', 0],
  ])('is not looked for on %s', (_what, href, y) => {
    const kept = new Map<string, string>()
    saveScrollPosition(tab('https://portal.test/docs', y, kept))
    const elsewhere = tab(href, 0, kept)
    restoreScrollPosition(elsewhere)
    expect(elsewhere.scrolled).toEqual([])
  })

  it.each(['', 'null', '{', '{"href":1}', '{"href":"https://portal.test/docs","y":"9"}'])(
    'is not read out of %j',
    (text) => {
      const back = tab('https://portal.test/docs', 0, new Map([['sekisho.place', text]]))
      restoreScrollPosition(back)
      expect(back.scrolled).toEqual([])
    },
  )

  it('is skipped where storage is unavailable', () => {
    const refusing = () => {
      throw new Error('SecurityError')
    }
    const storage = { getItem: refusing, setItem: refusing, removeItem: refusing }
    const closed = { ...tab('https://portal.test/docs', 9, new Map()), storage }
    expect(() => saveScrollPosition(closed)).not.toThrow()
    expect(() => restoreScrollPosition(closed)).not.toThrow()
  })
})
