import { expect, it } from 'vitest'
import { listGlobalDocs, trimGlobalData, trimMessages } from './global-data.ts'

const globalData = {
  'docusaurus-plugin-content-docs': {
    default: {
      path: '/docs',
      versions: [
        {
          name: 'current',
          mainDocId: 'main',
          docs: [
            { id: 'main', path: '/docs/' },
            { id: 'a', path: '/docs/a', sidebar: 's' },
            { id: 'b', path: '/docs/b' },
          ],
        },
        {
          name: '1.0',
          mainDocId: 'main',
          docs: [
            { id: 'main', path: '/docs/1.0/' },
            { id: 'a', path: '/docs/1.0/a' },
          ],
        },
      ],
    },
  },
  other: { kept: true },
}

it('keeps of each version the main document and those the navbar names', () => {
  const trimmed = trimGlobalData(globalData, { navbar: { items: [{ type: 'doc', docId: 'b' }] } })
  const { versions } = (
    trimmed[
      'docusaurus-plugin-content-docs'
    ] as never as (typeof globalData)['docusaurus-plugin-content-docs']
  ).default
  expect(versions.map(({ docs }) => docs.map(({ id }) => id))).toEqual([['main', 'b'], ['main']])
  expect(trimmed.other).toEqual({ kept: true })
})

it('lists a document with its counterparts in other versions', () => {
  const docs = listGlobalDocs(globalData)
  expect(docs.get('/docs/a')?.map(({ version, doc }) => [version, doc.path])).toEqual([
    ['current', '/docs/a'],
    ['1.0', '/docs/1.0/a'],
  ])
})

it('leaves a site without documents alone', () => {
  expect(trimGlobalData({ other: 1 }, {})).toEqual({ other: 1 })
})

it('leaves out messages that no page of the site shows', () => {
  const messages = {
    'theme.contentVisibility.draftBanner.title': 'draft',
    'theme.contentVisibility.unlistedBanner.title': 'unlisted',
    'theme.docs.versions.latestVersionLinkLabel': 'latest',
    'theme.docs.versionBadge.label': 'version',
  }
  const docsOf = (...names: string[]) => ({
    'docusaurus-plugin-content-docs': {
      default: { versions: names.map((name) => ({ name, mainDocId: 'a', docs: [] })) },
    },
  })
  expect(Object.values(trimMessages(messages, docsOf('current')))).toEqual(['unlisted'])
  expect(Object.values(trimMessages(messages, docsOf('current', '1.0')))).toEqual([
    'unlisted',
    'latest',
    'version',
  ])
})
