import { describe, expect, it } from 'vitest'
import { lastVersionsOf, recentChanges } from './loaded-content.ts'

const at = (iso: string): number => Date.parse(iso)
const doc = (title: string, lastUpdatedAt: unknown, more = {}) => ({
  title,
  permalink: `/${title}`,
  lastUpdatedAt,
  ...more,
})

const CONTENT = {
  'docusaurus-plugin-content-docs': {
    default: {
      loadedVersions: [
        {
          isLast: true,
          docs: [
            doc('old', at('2026-01-01T00:00:00Z')),
            doc('undated', null),
            doc('hidden', 1e13, { unlisted: true }),
          ],
        },
        { isLast: false, docs: [doc('previous-version', at('2027-01-01T00:00:00Z'))] },
      ],
    },
    knowledge: { loadedVersions: [{ isLast: true, docs: [doc('known', at('2026-11-20T20:00:00Z'))] }] },
  },
  'docusaurus-plugin-content-blog': {
    default: { blogPosts: [{ metadata: doc('post', at('2026-11-20T10:00:00Z')) }] },
  },
}

describe('recentChanges', () => {
  it('lists what can be dated, newest first, by the day in Japan', () => {
    expect(recentChanges(CONTENT, 10)).toEqual([
      { title: 'known', path: '/known', area: 'knowledge', day: '2026-11-21' },
      { title: 'post', path: '/post', area: 'blog', day: '2026-11-20' },
      { title: 'old', path: '/old', area: 'docs', day: '2026-01-01' },
    ])
  })

  it('lists no more than asked for', () => {
    expect(recentChanges(CONTENT, 1)).toHaveLength(1)
  })

  it.each([undefined, {}, { 'docusaurus-plugin-content-docs': { default: undefined } }])(
    'copes with %j',
    (content) => {
      expect(recentChanges(content, 5)).toEqual([])
    },
  )
})

describe('lastVersionsOf', () => {
  it.each([
    [undefined, []],
    [{ 'docusaurus-plugin-content-docs': undefined }, []],
    [
      {
        'docusaurus-plugin-content-docs': {
          default: {
            loadedVersions: [
              { versionName: 'current', isLast: false },
              { versionName: '2.0', isLast: true },
            ],
          },
          knowledge: { loadedVersions: [{ versionName: 'current', isLast: true }] },
        },
      },
      [
        ['default', '2.0'],
        ['knowledge', 'current'],
      ],
    ],
  ])('%j', (content, versions) => {
    expect([...lastVersionsOf(content)]).toEqual(versions)
  })
})
