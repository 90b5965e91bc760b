import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LoadContext, Plugin } from '@docusaurus/types'
import { isJapanese } from '@sekisho/contract/language'
import { desktopFrom996, replaceWindowSize } from './breakpoint.ts'

const file = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

/**
 * The look of our own portal, for sites in Japanese that want it: typography, colours of code and diagrams, tables that scroll, days
 * and tags as Japanese readers expect them. Listed before `sekisho/docusaurus`, which works without it and restyles nothing.
 */
export default function look(context: LoadContext): Plugin {
  return {
    name: 'sekisho-look',
    getThemePath: () => file('./theme'),
    getClientModules: () => [
      file('./styles/japanese.css'),
      file('./styles/code.css'),
      file('./styles/mermaid.css'),
      file('./styles/tables.css'),
      file('./styles/parts.css'),
      file('./styles/forced-colors.css'),
      file('./print-on-paper.ts'),
      file('./progress-bar.ts'),
    ],
    configureWebpack: (_config, _isServer, { currentBundler }) => ({
      plugins: [replaceWindowSize(currentBundler.instance)],
      resolve: { alias: { nprogress$: findProgressBar(context.siteDir) } },
    }),
    configurePostCss: (options) => ({ ...options, plugins: [...options.plugins, desktopFrom996] }),
    getDefaultCodeTranslationMessages: () =>
      Promise.resolve(japaneseTranslations(context.i18n.currentLocale)),
  }
}

/** The progress bar that the classic theme brings; the one copy that it and ours are to share. */
function findProgressBar(siteDir: string): string {
  const ofSite = createRequire(path.join(siteDir, 'package.json'))
  return createRequire(ofSite.resolve('@docusaurus/theme-classic/package.json')).resolve('nprogress')
}

/** Texts of Docusaurus 3.10 that its own Japanese translation leaves in English, or that read oddly in it. */
const JAPANESE: Readonly<Record<string, string>> = {
  'theme.DocSidebarItem.collapseCategoryAriaLabel': '「{label}」の目次を閉じる',
  'theme.DocSidebarItem.expandCategoryAriaLabel': '「{label}」の目次を開く',
  'theme.ErrorPageContent.tryAgain': 'もう一度試す',
  'theme.IconExternalLink.ariaLabel': '（新しいタブで開きます）',
  'theme.NotFound.p1': 'お探しのページは見つかりませんでした。移動したか、名前が変わったのかもしれません。',
  'theme.NotFound.p2':
    '検索かメニューから探してください。リンク切れのときは、リンク元の担当者に知らせてください。',
  'theme.admonition.important': '重要',
  'theme.admonition.secondary': '補足',
  'theme.admonition.success': '成功',
  'theme.blog.archive.description': 'これまでの記事を年ごとに並べています。',
  'theme.blog.author.noPosts': 'この執筆者の記事はまだありません。',
  'theme.blog.authorsList.pageTitle': '執筆者',
  'theme.blog.authorsList.viewAll': '執筆者の一覧',
  'theme.blog.author.pageTitle': '{authorName}の記事（{nPosts}）',
  'theme.blog.post.readMore': '続きを読む',
  'theme.blog.post.readMoreLabel': '「{title}」の続きを読む',
  'theme.blog.tagTitle': '「{tagName}」タグの記事（{nPosts}）',
  'theme.colorToggle.ariaLabel': '配色を切り替える（現在は{mode}）',
  'theme.colorToggle.ariaLabel.mode.system': 'システムの設定',
  'theme.docs.tagDocListPageTitle': '「{tagName}」タグのページ（{nDocsTagged}）',
  'theme.docs.tagDocListPageTitle.nDocsTagged': '{count}件',
  'theme.navbar.mobileDropdown.collapseButton.collapseAriaLabel': 'メニューを閉じる',
  'theme.navbar.mobileDropdown.collapseButton.expandAriaLabel': 'メニューを開く',
}

/** Code translations for a locale that the themes before this one do not provide. */
function japaneseTranslations(locale: string): Record<string, string> {
  return isJapanese(locale) ? { ...JAPANESE } : {}
}
