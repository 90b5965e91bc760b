import { expect, it } from 'vitest'
import { classify } from './compatibility.ts'

const verdicts = (config: object) =>
  Object.fromEntries(classify(config).map(({ name, verdict }) => [name, verdict]))

it('names what works, what is replaced, what needs a grant and what is refused', () => {
  const config = {
    presets: [['classic', { docs: {}, gtag: { trackingID: 'G-1' }, googleTagManager: undefined }]],
    plugins: [
      'docusaurus-plugin-sass',
      ['@docusaurus/plugin-client-redirects', {}],
      '@docusaurus/plugin-pwa',
      '/site/node_modules/docusaurus-plugin-openapi-docs/lib/index.js',
      'docusaurus-plugin-of-our-own',
      () => ({ name: 'inline' }),
      [function ownRoutes() {}, { path: 'x' }],
      false,
    ],
    themes: [
      '@docusaurus/theme-mermaid',
      ['@easyops-cn/docusaurus-search-local', { hashed: true }],
      'sekisho/docusaurus',
    ],
    themeConfig: { algolia: { appId: 'a' } },
    scripts: ['/js/own.js', { src: 'https://cdn.example.com/x.js', async: true }],
  }
  expect(verdicts(config)).toEqual({
    classic: 'works',
    '@docusaurus/plugin-google-gtag': 'refused',
    'docusaurus-plugin-sass': 'works',
    '@docusaurus/plugin-client-redirects': 'works',
    '@docusaurus/plugin-pwa': 'refused',
    'docusaurus-plugin-openapi-docs': 'grant',
    'docusaurus-plugin-of-our-own': null,
    'plugins[5]': null,
    'plugins[6] (ownRoutes)': null,
    '@docusaurus/theme-mermaid': 'works',
    '@easyops-cn/docusaurus-search-local': 'replaced',
    '@docusaurus/theme-search-algolia': 'replaced',
    'https://cdn.example.com/x.js': 'grant',
  })
})

it.each([
  [
    '/site/node_modules/@getcanary/docusaurus-theme-search-pagefind/dist/index.js',
    '@getcanary/docusaurus-theme-search-pagefind',
  ],
  [
    '/site/node_modules/.pnpm/docusaurus-lunr-search@3.6.1/node_modules/docusaurus-lunr-search/src/index.js',
    'docusaurus-lunr-search',
  ],
  [
    'C:\\site\\node_modules\\@cmfcmf\\docusaurus-search-local\\lib\\index.js',
    '@cmfcmf/docusaurus-search-local',
  ],
  ['./plugins/node_modules.js', './plugins/node_modules.js'],
])('names what a config resolves itself by its package: %s', (theme, name) => {
  expect(classify({ themes: [[theme, {}]] }).map((finding) => finding.name)).toEqual([name])
})

it('every finding that changes something says what', () => {
  const findings = classify({
    plugins: ['@docusaurus/plugin-pwa', 'redocusaurus', 'docusaurus-lunr-search', 'unknown'],
  })
  expect(findings.map(({ note }) => note !== null)).toEqual([true, true, true, true])
})

it('a config without any of it has nothing to say', () => {
  expect(classify({})).toEqual([])
})

it('names options of a replaced search that ours does not take over, and a directive to public crawlers', () => {
  const themes = [['@easyops-cn/docusaurus-search-local', { indexBlog: false, ignoreFiles: [/a/] }]]
  expect(
    classify({ themes, plugins: ['content-docs', '@docusaurus/content-blog', 'mermaid'], noIndex: true }),
  ).toEqual([
    { name: 'content-docs', verdict: 'works', note: null },
    { name: '@docusaurus/content-blog', verdict: 'works', note: null },
    { name: 'mermaid', verdict: 'works', note: null },
    { name: '@easyops-cn/docusaurus-search-local', verdict: 'replaced', note: 'search' },
    { name: 'noIndex', verdict: 'works', note: 'no_index' },
    { name: '@easyops-cn/docusaurus-search-local (ignoreFiles)', verdict: 'replaced', note: 'search_option' },
  ])
})
