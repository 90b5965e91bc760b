import { fileURLToPath } from 'node:url'
import type * as Blog from '@docusaurus/plugin-content-blog'
import type * as Docs from '@docusaurus/plugin-content-docs'
import type { UserThemeConfig } from '@docusaurus/theme-common'
import type { Config } from '@docusaurus/types'
import { loadDefaultJapaneseParser } from 'budoux'
import rehypeKatex from 'rehype-katex'
import remarkMath from 'remark-math'
import {
  hasCompleteHistory,
  katexHref,
  markdownForWriters,
  rehypeAccessible,
  rehypeDiagrams,
  rehypeMathStyles,
  rehypePhrases,
  sidebarItems,
  warnOfBrokenMarkdownLink,
} from 'sekisho/docusaurus'
import type { OpenApiOptions } from 'sekisho/docusaurus/openapi'

const siteDir = fileURLToPath(new URL('.', import.meta.url))

const phrases = loadDefaultJapaneseParser()
const phrasesOf = (sentence: string) => phrases.parse(sentence)

/** Maths in every kind of page. */
const markdown = {
  remarkPlugins: [remarkMath],
  rehypePlugins: [
    rehypeAccessible,
    rehypeDiagrams,
    [rehypePhrases, phrasesOf],
    rehypeKatex,
    [rehypeMathStyles, katexHref(siteDir)],
  ] as [unknown, unknown, unknown, unknown, unknown],
}

/** Dates come from Git; without its whole history they would be wrong, so none are shown. */
const historyIsComplete = hasCompleteHistory(siteDir)

/** Address below which pages are edited, such as `https://git.example/handbook/edit/main/site/`; no link without it. */
const { SEKISHO_EDIT_URL: editUrl } = process.env
const edit = editUrl === undefined ? {} : { editUrl }

const docs: Docs.Options = {
  routeBasePath: 'docs',
  sidebarPath: './sidebars.ts',
  sidebarItemsGenerator: sidebarItems,
  ...edit,
  showLastUpdateTime: historyIsComplete,
  showLastUpdateAuthor: historyIsComplete,
  ...markdown,
}

const knowledge: Docs.Options = {
  id: 'knowledge',
  path: 'knowledge',
  routeBasePath: 'knowledge',
  sidebarPath: './sidebars-knowledge.ts',
  sidebarItemsGenerator: sidebarItems,
  ...edit,
  showLastUpdateTime: historyIsComplete,
  showLastUpdateAuthor: historyIsComplete,
  ...markdown,
}

const api: OpenApiOptions = {
  file: 'openapi/gate.yaml',
  sidebarPath: './sidebars-api.ts',
  ...markdown,
}

const blog: Blog.Options = {
  blogTitle: 'ブログ',
  blogDescription: 'Sekisho とこのポータルについてのお知らせと、チームの記録',
  blogSidebarTitle: '最近の記事',
  blogSidebarCount: 'ALL',
  authorsMapPath: 'authors.yml',
  tags: 'tags.yml',
  onInlineTags: 'throw',
  onInlineAuthors: 'throw',
  onUntruncatedBlogPosts: 'throw',
  ...edit,
  showLastUpdateTime: historyIsComplete,
  showLastUpdateAuthor: historyIsComplete,
  feedOptions: { type: 'all', language: 'ja', title: 'Sekisho ブログ', copyright: '© 2025 Sekisho' },
  ...markdown,
}

const themeConfig: UserThemeConfig = {
  colorMode: {
    defaultMode: 'light',
    // Offers "system" as a third choice. Nobody gets it unasked: see `initialColorMode` and decisions/041.
    respectPrefersColorScheme: true,
  },
  announcementBar: {
    id: 'portal-opened-2026-11',
    content:
      'ポータルを公開しました。はじめての方は<a href="/docs/sekisho-overview">Sekisho の概要</a>をご覧ください。',
    isCloseable: true,
  },
  docs: { sidebar: { hideable: true } },
  tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 3 },
  navbar: {
    title: 'Sekisho',
    logo: { alt: '', src: 'img/logo.svg', width: 28, height: 28 },
    items: [
      {
        type: 'custom-section',
        sidebars: ['docsSidebar', 'apiSidebar'],
        to: '/docs/sekisho-overview',
        position: 'left',
        label: 'Docs',
      },
      // Documents of Docs that were opened from Knowledge's category pages stay beside its sidebar (decisions/155).
      {
        type: 'custom-section',
        sidebars: ['knowledgeSidebar'],
        to: '/knowledge/',
        position: 'left',
        label: 'Knowledge',
      },
      { to: '/blog', position: 'left', label: 'Blog' },
      { type: 'search', position: 'right' },
      { type: 'custom-sekisho-session', position: 'right' },
    ],
  },
  footer: {
    links: [
      { label: 'Docs', to: '/docs/sekisho-overview' },
      { label: 'Knowledge', to: '/knowledge/' },
      { label: 'Blog', to: '/blog' },
      { label: 'アーカイブ', to: '/blog/archive' },
      { label: 'このページの書き方', to: '/markdown-page' },
    ],
    copyright: '© 2025 Sekisho',
  },
  prism: {
    // Colours come from classes in the theme's style sheet, so that no element needs a style attribute.
    theme: { plain: {}, styles: [] },
  },
}

const config: Config = {
  title: 'Sekisho',
  tagline: '技術ドキュメントポータル',
  favicon: 'img/favicon.svg',
  // Only feeds and canonical links name the origin; the gate itself reads the same variable.
  url: process.env.SEKISHO_ORIGIN ?? 'http://localhost:3000',
  baseUrl: '/',
  titleDelimiter: '|',
  baseUrlIssueBanner: false,
  onBrokenLinks: 'throw',
  onBrokenAnchors: 'warn',
  onDuplicateRoutes: 'throw',
  future: { v4: true, faster: true, experimental_vcs: historyIsComplete ? 'git-eager' : 'disabled' },
  i18n: { defaultLocale: 'ja', locales: ['ja'] },
  markdown: {
    ...markdownForWriters({ required: ['title', 'description'] }),
    mermaid: true,
    hooks: { onBrokenMarkdownLinks: warnOfBrokenMarkdownLink, onBrokenMarkdownImages: 'throw' },
    remarkRehypeOptions: { footnoteLabel: '脚注', footnoteBackLabel: '本文に戻る' },
  },
  plugins: [
    ['@docusaurus/plugin-content-docs', docs],
    ['@docusaurus/plugin-content-docs', knowledge],
    ['sekisho/docusaurus/openapi', api],
    ['@docusaurus/plugin-content-blog', blog],
    ['@docusaurus/plugin-content-pages', markdown],
  ],
  themes: [
    ['@docusaurus/theme-classic', { customCss: './src/css/custom.css' }],
    '@docusaurus/theme-mermaid',
    'sekisho/docusaurus/portal-theme',
    [
      'sekisho/docusaurus',
      {
        initialColorMode: 'light',
        codeLanguages: 'all',
        tools: { feedback: true, markdown: true, zoom: true },
        redirects: [
          { from: '/docs', to: '/docs/sekisho-overview' },
          { from: '/docs/sekisho-pro/settings-en', to: '/docs/sekisho-pro/english/settings' },
        ],
      },
    ],
  ],
  themeConfig: {
    ...themeConfig,
    mermaid: { theme: { light: 'neutral', dark: 'dark' }, options: { fontFamily: 'inherit' } },
  },
}

export default config
