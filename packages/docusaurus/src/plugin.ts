import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LoadContext, OptionValidationContext, Plugin } from '@docusaurus/types'
import { PATHS } from '@sekisho/contract/routes'
import { createLightHooks } from '@sekisho/light-pages'
import { desktopFrom996, replaceWindowSize } from './breakpoint.ts'
import { initialColorModeScript, newAnnouncementScript } from './content/head-scripts.ts'
import { type LastVersions, lastVersionsOf, recentChanges } from './content/loaded-content.ts'
import { copyKatexAssets } from './content/math.ts'
import { japaneseTranslations } from './content/translations.ts'
import { type ResolvedOptions, readOptions } from './options.ts'
import { indexSite } from './search/indexing/index-site.ts'
import { keptResultsFile } from './search/indexing/kept-results.ts'
import { SEARCH_PATH } from './search/search-path.ts'
import { describeSite, writeSiteJson } from './site-json.ts'
import { findMdxLoader } from './writing/mdx-loader.ts'

const file = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

/** Client modules of the search. */
const SEARCH_FILES = [
  './styles/search-field.css',
  './styles/search.css',
  './styles/search-results.css',
  './styles/search-page.css',
  './search/marks/watch-pages.ts',
]

/** What every browser has that the bundle is compiled for: code for servers and for older ones need not be sent (decisions/045). */
const EVERY_BROWSER = {
  ...Object.fromEntries(
    ['AbortController', 'MessageChannel', 'Promise', 'queueMicrotask', 'reportError', 'WeakMap'].map(
      (name) => [`typeof ${name}`, '"function"'],
    ),
  ),
  ...Object.fromEntries(
    ['window', 'document', 'globalThis', 'performance'].map((name) => [`typeof ${name}`, '"object"']),
  ),
  'typeof setImmediate': '"undefined"',
}

/** What a Docusaurus site adds to be served by the Sekisho gate: theme components, `site.json` and the search index. */
export function sekisho(context: LoadContext, options: ResolvedOptions): Plugin {
  const { baseUrl } = context.siteConfig
  const redirects = options.redirects.map(({ from, to }) => ({
    from: below(baseUrl, from),
    to: below(baseUrl, to),
  }))
  const mode = options.initialColorMode
  const katex = copyKatexAssets(
    context.siteDir,
    path.join(context.generatedFilesDir, '../.cache/sekisho-katex'),
  )
  if (katex !== null) context.siteConfig.staticDirectories.push(katex)

  const light = createLightHooks(context, options)
  let lastVersions: LastVersions = new Map()

  return {
    name: 'sekisho-docusaurus',
    getThemePath: () => file('./theme'),
    getClientModules: () => [
      ...light.getClientModules(),
      file('./styles/japanese.css'),
      file('./styles/code.css'),
      file('./styles/parts.css'),
      file('./styles/mermaid.css'),
      file('./content/print-on-paper.ts'),
      file('./session/tab-session.ts'),
      ...SEARCH_FILES.map(file),
      file('./styles/forced-colors.css'),
    ],
    configureWebpack(config, isServer, utils, content) {
      const { plugins = [], ...changes } = light.configureWebpack(config, isServer, utils, content) ?? {}
      const { DefinePlugin } = utils.currentBundler.instance
      const pageTools = JSON.stringify(options.pageTools)
      const constants = { ...EVERY_BROWSER, 'process.env.SEKISHO_PAGE_TOOLS': pageTools }
      const own = isServer ? [] : [new DefinePlugin(constants)]
      return {
        ...changes,
        plugins: [...plugins, ...own, replaceWindowSize(utils.currentBundler.instance)],
        ...searchWhileWriting(process.env.SEKISHO_DEV_SEARCH),
        resolveLoader: { alias: { [`${findMdxLoader(context.siteDir)}$`]: file('./writing/mdx-loader.ts') } },
      }
    },
    configurePostCss: (options) => ({ ...options, plugins: [...options.plugins, desktopFrom996] }),
    getDefaultCodeTranslationMessages: () => japaneseTranslations(context.i18n.currentLocale),

    injectHtmlTags() {
      const { namespace } = context.siteStorage
      const announcement = announcementIdOf(context.siteConfig.themeConfig)
      const scripts = [
        ...(mode === 'system' ? [] : [initialColorModeScript(mode, namespace)]),
        ...(announcement === null ? [] : [newAnnouncementScript(announcement, namespace)]),
      ]
      return { headTags: scripts.map((innerHTML) => ({ tagName: 'script', innerHTML })) }
    },

    contentLoaded({ actions }) {
      actions.addRoute({ path: below(baseUrl, SEARCH_PATH), exact: true, component: '@theme/SearchPage' })
      for (const { from, to } of redirects) {
        actions.addRoute({ path: from, exact: true, component: '@theme/RedirectPage', props: { to } })
      }
    },

    async allContentLoaded({ allContent, actions }) {
      lastVersions = lastVersionsOf(allContent)
      const changes = recentChanges(allContent, options.recentChanges)
      await actions.createData('recent-changes.json', changes)
    },

    async postBuild({ outDir, routesPaths, siteConfig }) {
      await light.postBuild({ outDir, baseUrl })
      const site = { outDir, routesPaths, siteConfig, lang: context.i18n.currentLocale }
      const siteJson = describeSite(site, redirects)
      await writeSiteJson(outDir, siteJson)
      const cacheDir = path.join(context.generatedFilesDir, '../.cache/sekisho-search')
      const readPages = keptResultsFile(context.siteDir, `read-pages-${context.i18n.currentLocale}`)
      const { search: vocabulary, pageTools: withMarkdown } = options
      const { pages } = siteJson
      await indexSite({ outDir, cacheDir, pages, lastVersions, readPages, withMarkdown, vocabulary })
    },
  }
}

/** A path of the site below the path it is served from, as Docusaurus joins them. */
const below = (baseUrl: string, path: string): string =>
  path.startsWith(baseUrl) ? path : baseUrl + path.slice(1)

/** Has the development server pass searches on to the one that `sekisho dev` answers them at. */
function searchWhileWriting(target: string | undefined): object {
  return target === undefined ? {} : { devServer: { proxy: [{ context: [PATHS.search], target }] } }
}

/** The id of the site's announcement bar, if its theme config has one. */
function announcementIdOf(themeConfig: Readonly<Record<string, unknown>>): string | null {
  const bar = themeConfig.announcementBar
  const id = typeof bar === 'object' && bar !== null && 'id' in bar ? bar.id : null
  return typeof id === 'string' ? id : null
}

/** Docusaurus's hook for checking what the site's config says. */
export function validateOptions({
  options,
}: OptionValidationContext<unknown, ResolvedOptions>): ResolvedOptions {
  return readOptions(options)
}
