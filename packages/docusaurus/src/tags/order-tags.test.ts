import { expect, it } from 'vitest'
import { orderTags } from './order-tags.ts'

it('puts the most used first and does not depend on the locale', () => {
  const tags = [
    { label: '執筆', permalink: '/w', count: 1 },
    { label: 'お知らせ', permalink: '/a', count: 1 },
    { label: '検索', permalink: '/s', count: 2 },
  ]
  expect(orderTags(tags).map((tag) => tag.label)).toEqual(['検索', 'お知らせ', '執筆'])
})
