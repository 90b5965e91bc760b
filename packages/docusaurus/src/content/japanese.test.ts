import { expect, it } from 'vitest'
import { dayInJapan, formatDay, orderTags } from './japanese.ts'

it.each([
  ['2026-01-01T14:59:59Z', '2026-01-01', '2026年1月1日'],
  ['2026-01-01T15:00:00Z', '2026-01-02', '2026年1月2日'],
])('%s is %s in Japan', (moment, day, written) => {
  expect(dayInJapan(Date.parse(moment))).toBe(day)
  expect(formatDay(day)).toBe(written)
})

it('puts the most used first and does not depend on the locale', () => {
  const tags = [
    { label: '執筆', permalink: '/w', count: 1 },
    { label: 'お知らせ', permalink: '/a', count: 1 },
    { label: '検索', permalink: '/s', count: 2 },
  ]
  expect(orderTags(tags).map((tag) => tag.label)).toEqual(['検索', 'お知らせ', '執筆'])
})
