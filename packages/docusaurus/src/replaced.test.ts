import { expect, it } from 'vitest'
import { replacedSearches } from './replaced.ts'

it('knows what searches of others leave behind, and which of them make the results page', () => {
  const site = (themes: readonly unknown[], plugins: readonly unknown[] = [], themeConfig = {}) =>
    replacedSearches({ themes, plugins, themeConfig })
  expect(site([])).toMatchObject({ indexes: [], hasPage: false })
  const easyops = '@easyops-cn/docusaurus-search-local'
  expect(site([[easyops, { hashed: true }]])).toMatchObject({ indexes: ['search-index'], hasPage: true })
  expect(site([`/site/node_modules/${easyops}/dist/index.js`]).hasPage).toBe(true)
  expect(site([], ['docusaurus-lunr-search'])).toMatchObject({
    indexes: ['search-doc', 'lunr-index'],
    hasPage: false,
  })
  const pagefind = '/site/node_modules/@getcanary/docusaurus-theme-search-pagefind/dist/index.js'
  expect(site([pagefind])).toMatchObject({ indexes: ['pagefind/'], hasPage: false })
  expect(site([[pagefind, { indexOnly: true }]]).indexes).toEqual([])
  expect(site([], [], { algolia: {} }).hasPage).toBe(true)
})

it('takes over what a replaced search was told not to search, and nothing of another plugin', () => {
  const searched = (plugins: unknown, themes: unknown) =>
    replacedSearches({ plugins, themes, themeConfig: {} }).searched
  const options = { indexBlog: false, indexDocs: true, indexPages: false }
  expect(searched([['@cmfcmf/docusaurus-search-local', options]], [])).toEqual({ blog: false, pages: false })
  expect(
    searched([], [['/x/node_modules/@easyops-cn/docusaurus-search-local/dist', { indexDocs: false }]]),
  ).toEqual({
    docs: false,
  })
  expect(searched([['a-plugin', { indexBlog: false }], 'docusaurus-lunr-search'], undefined)).toEqual({})
})
