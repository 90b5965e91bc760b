import { expect, it } from 'vitest'
import { replacedSearches } from './replaced.ts'

it('knows what searches of others leave behind, and which of them make the results page', () => {
  const site = (themes: readonly unknown[], plugins: readonly unknown[] = [], themeConfig = {}) =>
    replacedSearches({ themes, plugins, themeConfig })
  expect(site([])).toEqual({ indexes: [], hasPage: false })
  const easyops = '@easyops-cn/docusaurus-search-local'
  expect(site([[easyops, { hashed: true }]])).toEqual({ indexes: ['search-index'], hasPage: true })
  expect(site([`/site/node_modules/${easyops}/dist/index.js`]).hasPage).toBe(true)
  expect(site([], ['docusaurus-lunr-search'])).toEqual({
    indexes: ['search-doc', 'lunr-index'],
    hasPage: false,
  })
  const pagefind = '/site/node_modules/@getcanary/docusaurus-theme-search-pagefind/dist/index.js'
  expect(site([pagefind])).toEqual({ indexes: ['pagefind/'], hasPage: false })
  expect(site([[pagefind, { indexOnly: true }]]).indexes).toEqual([])
  expect(site([], [], { algolia: {} }).hasPage).toBe(true)
})
