import { describe, expect, it } from 'vitest'
import { leftOutOf, recentChanges, versionsOf } from './loaded-content.ts'

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
    default: {
      blogPosts: [
        {
          metadata: doc('post', at('2027-11-20T10:00:00Z'), {
            date: new Date('2026-11-20T10:00:00Z'),
            description: '要約',
            authors: [{ name: '編集部' }, {}],
          }),
        },
      ],
    },
  },
}

describe('recentChanges', () => {
  it('lists what can be dated, the language of the site first, then newest first, by the day in Japan', () => {
    expect(recentChanges(CONTENT, 10, 'ja')).toEqual([
      {
        title: 'post',
        path: '/post',
        area: 'blog',
        day: '2026-11-20',
        summary: '要約',
        authors: ['編集部'],
      },
      { title: 'known', path: '/known', area: 'knowledge', day: '2026-11-21', summary: '', authors: [] },
      { title: 'old', path: '/old', area: 'docs', day: '2026-01-01', summary: '', authors: [] },
    ])
  })

  it('keeps a post on the list, whatever else changed', () => {
    const docs = Array.from({ length: 9 }, (_, number) => doc(`busy-${number}`, at('2027-01-01T00:00:00Z')))
    const busy = {
      'docusaurus-plugin-content-docs': { default: { loadedVersions: [{ isLast: true, docs }] } },
    }
    const listed = recentChanges({ ...CONTENT, ...busy }, 6, 'ja').map(({ path }) => path)
    expect(listed).toHaveLength(6)
    expect(listed).toContain('/post')
  })

  it('lists no more than requested', () => {
    expect(recentChanges(CONTENT, 1, 'ja')).toHaveLength(1)
  })

  it.each([undefined, {}, { 'docusaurus-plugin-content-docs': { default: undefined } }])(
    'copes with %j',
    (content) => {
      expect(recentChanges(content, 5, 'ja')).toEqual([])
    },
  )
})

describe('versionsOf', () => {
  it.each([
    [undefined, []],
    [{ 'docusaurus-plugin-content-docs': undefined }, []],
    [
      {
        'docusaurus-plugin-content-docs': {
          default: {
            loadedVersions: [
              { path: '/docs', isLast: true },
              { path: '/docs/next', isLast: false },
            ],
          },
          knowledge: { loadedVersions: [{ path: '/k/', isLast: true }] },
        },
      },
      [
        { plugin: 'default', path: '/docs/next/', isLast: false },
        { plugin: 'default', path: '/docs/', isLast: true },
        { plugin: 'knowledge', path: '/k/', isLast: true },
      ],
    ],
  ])('%j', (content, versions) => {
    expect(versionsOf(content)).toEqual(versions)
  })
})

it('leaves out of the search what is unlisted or asks for it, and says why', () => {
  const content = {
    'docusaurus-plugin-content-docs': {
      default: {
        loadedVersions: [
          {
            docs: [
              { permalink: '/docs/%E7%92%B0/', unlisted: true },
              { permalink: '/docs/a', frontMatter: { search: false } },
            ],
          },
        ],
      },
    },
    'docusaurus-plugin-content-blog': {
      default: { blogPosts: [{ metadata: { permalink: '/blog/a', frontMatter: { search: true } } }] },
    },
    'docusaurus-plugin-content-pages': { default: [{ permalink: '/b', frontMatter: { search: false } }] },
  }
  expect([...leftOutOf(content)]).toEqual([
    ['/b', 'search_false'],
    ['/docs/環', 'unlisted'],
    ['/docs/a', 'search_false'],
  ])
})
