import type { FilterChoices } from '@sekisho/contract/search-response'
import { describe, expect, it } from 'vitest'
import { filterChips } from './filter-chips.ts'

const TODAY = new Date(2026, 10, 22)
const choice = (value: string, label = value) => ({ value, label, pages: 1 })
const CHOICES: FilterChoices = {
  folders: [choice('/docs/git', 'Git'), choice('x')],
  tags: ['一', '二', '三', '四'].map((tag) => choice(tag)),
  versions: [choice('2.0')],
  days: ['2024-01-01', '2026-11-20'],
}
const labelsOf = (...given: Parameters<typeof filterChips>) => filterChips(...given).map(({ label }) => label)

describe('filter chips', () => {
  it('offer what tells the found pages apart, as readers call it', () => {
    expect(labelsOf({}, CHOICES, new Map(), TODAY)).toEqual([
      'バージョン 2.0',
      'Git',
      'x',
      '#一',
      '#二',
      '#三',
      '1 か月以内の更新',
      '1 年以内の更新',
    ])
  })

  it('offer no period that leaves out nothing or everything', () => {
    const within = (oldest: string, newest: string) =>
      labelsOf({}, { folders: [], tags: [], versions: [], days: [oldest, newest] }, new Map(), TODAY)
    expect(within('2026-11-01', '2026-11-20')).toEqual([])
    expect(within('2020-01-01', '2021-01-01')).toEqual([])
    expect(within('2026-01-01', '2026-11-20')).toEqual(['1 か月以内の更新'])
  })

  it('keep what is chosen, to be taken off, under the name it was chosen by', () => {
    const filters = { section: 'docs', folder: '/docs/git', since: '2026-01-01' } as const
    const labels = new Map([['folder /docs/git', 'Git']])
    expect(filterChips(filters, null, labels, TODAY)).toEqual([
      { name: 'folder', value: '/docs/git', label: 'Git', isOn: true },
      { name: 'since', value: '2026-01-01', label: '2026-01-01 以降', isOn: true },
    ])
    expect(labelsOf(filters, CHOICES, labels, TODAY)).not.toContain('/docs/x')
  })
})
