import { describe, expect, it } from 'vitest'
import { readSearchPath, searchPath } from './search-path.ts'

describe('the address of the results page', () => {
  it.each([
    ['手形 useState', null],
    ['#[derive] & <T>', 'docs'],
    ['', 'blog'],
  ] as const)('says %j in %s and is read again', (q, area) => {
    const { search, pathname } = new URL(searchPath(q, area), 'https://portal.test')
    expect([pathname, readSearchPath(search)]).toEqual(['/search', { q, area }])
  })

  it('stays short enough to be asked for, whatever was pasted into the field', () => {
    expect(searchPath('設定'.repeat(5_000), 'docs').length).toBeLessThan(5_000)
    expect(readSearchPath('?section=elsewhere').area).toBeNull()
  })
})
