import { describe, expect, it } from 'vitest'
import { readSearchPath, searchPath } from './search-path.ts'

describe('the address of the results page', () => {
  it.each([
    ['手形 useState', {}],
    ['#[derive] & <T>', { section: 'docs', folder: '/docs/a b', since: '2026-01-31' }],
    ['', { section: 'blog', tag: '#1' }],
  ] as const)('says %j in %s and is read again', (q, filters) => {
    const { search, pathname } = new URL(searchPath(q, filters), 'https://portal.test')
    expect([pathname, readSearchPath(search)]).toEqual(['/search', { q, filters }])
  })

  it('stays short enough for a request line, whatever was pasted into the field', () => {
    expect(searchPath('設定'.repeat(5_000), { section: 'docs' }).length).toBeLessThan(5_000)
    expect(readSearchPath('?section=elsewhere').filters).toEqual({})
  })
})
