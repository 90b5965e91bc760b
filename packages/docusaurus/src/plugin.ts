import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LoadContext, OptionValidationContext, Plugin } from '@docusaurus/types'
import { pickLanguage } from '@sekisho/contract/language'
import { DEV_EDITIONS_PATH, DEV_PROBLEMS_PATH, PATHS } from '@sekisho/contract/paths'
import { createLightHooks } from '@sekisho/light-pages'
import { joinVocabularies, readVocabularyFile } from '@sekisho/search/indexer'
import { aroundOthers } from './around-others.ts'
import { initialColorModeScript, newAnnouncementScript } from './content/head-scripts.ts'
import {
  addressesOf,
  type DocsVersion,
  leftOutOf,
  listPaths,
  recentChanges,
  versionsOf,
} from './content/loaded-content.ts'
import { sendCookiesForManifests } from './content/manifest-links.ts'
import { type MetadataOfPages, notedElsewhere, readMetadata, writeMetadata } from './content/page-metadata.ts'
import { readTranslations, type TranslationStatuses } from './content/translation-status.ts'
import { translationsFor } from './english.ts'
import { type ResolvedOptions, readOptions } from './options.ts'
import { withoutConflictingTools } from './page-tools/conflicting-plugins.ts'
import { writeRelated } from './related/write-related.ts'
import { replacedSearches, withoutServiceWorker } from './replaced.ts'
import { indexSite, versionIndexes } from './search/indexing/index-site.ts'
import { keptResultsFile } from './search/indexing/kept-results.ts'
import { describeSite, writeSiteJson } from './site-json.ts'
import { noteAddresses } from './writing/link-targets.ts'
import { copyKatexAssets } from './writing/math.ts'
import { findMdxLoader } from './writing/mdx-loader.ts'
import { inPageLanguage, inSiteLanguage, noteSiteLanguage } from './writing/site-language.ts'
import { problemOf, searchProblemOf } from './writing/texts/index.ts'

const file = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

/** The navbar item with the reader's name and the logout button. */
const ACCOUNT_ITEM = 'custom-sekisho-session'

const SEARCH_PATHS = ['/search', '/portal-search', '/sekisho-search'] as const

/** Styles of everything but the search. */
const STYLE_FILES = ['./styles/session.css', './styles/parts.css']

/** Client modules of the search. */
const SEARCH_FILES = [
  './styles/search-field.css',
  './styles/search.css',
  './styles/search-results.css',
  './styles/search-page.css',
  './search/marks/watch-pages.ts',
]

/** Targets of the bundle that every supported browser meets: code for servers and older ones is not sent (decisions/063). */
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

/** The plugin that prepares a Docusaurus site for the Sekisho gate: theme components, `site.json` and the search index. */
export function sekisho(context: LoadContext, options: ResolvedOptions): Plugin {
  const { baseUrl } = context.siteConfig
  const redirects = options.redirects.map(({ from, to }) => ({
    from: below(baseUrl, from),
    to: below(baseUrl, to),
  }))
  addAccountItem(context.siteConfig.themeConfig)
  noteSiteLanguage(context.i18n.currentLocale)
  const isBesideDev = process.env.SEKISHO_DEV_SEARCH !== undefined
  // Shown over the page instead (`sekisho dev`); thrown, it would keep every other edit out of the site.
  if (isBesideDev) Object.assign(context.siteConfig, { onDuplicateRoutes: 'ignore' })
  const mode = options.initialColorMode
  const katex = copyKatexAssets(
    context.siteDir,
    path.join(context.generatedFilesDir, '../.cache/sekisho-katex'),
  )
  if (katex !== null) context.siteConfig.staticDirectories.push(katex)

  const light = createLightHooks(context, options, {
    themeDir: file('./theme'),
    missingPage: file('./portal-theme/theme/NotFound/Content/index.tsx'),
    probe: PATHS.health,
  })
  // Other sites keep the appearance that they have.
  const isPortal = /\bportal-theme\b/.test(JSON.stringify(context.siteConfig.themes))
  const hasRelated = light.hasRoutes && (options.relatedPages ?? isPortal)
  let versions: readonly DocsVersion[] = []
  let leftOut: ReturnType<typeof leftOutOf> = new Map()
  let metadata: MetadataOfPages = new Map()
  let noted: readonly string[] = []
  const replaced = replacedSearches(context.siteConfig)
  const tools = withoutConflictingTools(options.tools, context.siteConfig)

  return {
    name: 'sekisho-docusaurus',
    getThemePath: () => file('./theme'),
    getClientModules: () => [
      ...light.getClientModules(),
      ...STYLE_FILES.map(file),
      file('./session/tab-session.ts'),
      ...SEARCH_FILES.map(file),
      file('./styles/forced-colors.css'),
      ...(isBesideDev ? [file('./writing/show-problems.ts')] : []),
      ...(process.env.SEKISHO_DEV_EDITIONS === 'on' ? [file('./writing/show-editions.ts')] : []),
    ],
    configureWebpack(config, isServer, utils, content) {
      const { plugins = [], ...changes } = light.configureWebpack(config, isServer, utils, content) ?? {}
      const { DefinePlugin } = utils.currentBundler.instance
      const { SEKISHO_DEV_SEARCH: search } = process.env
      const constants = {
        'process.env.SEKISHO_DEV_SEARCH': search === undefined ? '"off"' : '"on"',
        // Decides while bundling, so that a page carries the texts of one language.
        'process.env.PAGE_LANGUAGE': JSON.stringify(pickLanguage(context.i18n.currentLocale)),
        'process.env.SEKISHO_PAGE_TOOLS': JSON.stringify(Object.values(tools).includes(true)),
        'process.env.SEKISHO_ASKS': JSON.stringify(asks(metadata)),
        'process.env.SEKISHO_NOTED_PAGES': JSON.stringify(noted.length > 0),
      }
      const own = new DefinePlugin(isServer ? constants : { ...constants, ...EVERY_BROWSER })
      return {
        ...changes,
        plugins: [...plugins, own],
        ...whileWriting(search),
        resolve: {
          alias: {
            ...changes.resolve?.alias,
            ...aroundOthers(config.resolve?.alias, {
              ...OUTERMOST,
              ...(metadata.size > 0 ? NOTED : {}),
              ...(hasRelated ? RELATED : {}),
            }),
            ...withoutServiceWorker(context.siteDir),
          },
        },
        resolveLoader: { alias: { [`${findMdxLoader(context.siteDir)}$`]: file('./writing/mdx-loader.ts') } },
      }
    },
    getDefaultCodeTranslationMessages: () => Promise.resolve(translationsFor(context.i18n.currentLocale)),

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
      for (const { from, to } of redirects) {
        actions.addRoute({ path: from, exact: true, component: '@theme/RedirectPage', props: { to } })
      }
    },

    async allContentLoaded({ allContent, actions }) {
      versions = versionsOf(allContent)
      leftOut = leftOutOf(allContent)
      const targets = path.join(context.generatedFilesDir, 'sekisho-links', context.i18n.currentLocale)
      noteAddresses(targets, addressesOf(allContent))
      const translations =
        process.env.NODE_ENV === 'production' ? compareTranslations(allContent, context) : new Map()
      metadata = readMetadata(allContent, context.siteDir, options.codeOwners, translations)
      noted = notedElsewhere(allContent, metadata)
      await actions.createData('noted-pages.json', noted)
      const searched = versions.filter(({ isLast }) => !isLast).map(({ path }) => path)
      await actions.createData('search-scopes.json', searched)
      const changes = recentChanges(allContent, options.recentChanges, context.i18n.currentLocale)
      await actions.createData('recent-changes.json', changes)
      await actions.createData('tools.json', tools)
      const search = choosePath(listPaths(allContent), baseUrl)
      await actions.createData('search-page.json', { path: search })
      // A theme that makes the page itself renders ours there.
      if (!replaced.hasPage)
        actions.addRoute({ path: below(baseUrl, search), exact: true, component: '@theme/SearchPage' })
    },

    async postBuild({ outDir, routesPaths, siteConfig }) {
      await light.postBuild({ outDir, baseUrl })
      await sendCookiesForManifests(outDir)
      const site = { outDir, routesPaths, siteConfig, lang: context.i18n.currentLocale }
      const indexes = versionIndexes(versions).map(({ version, name }) => ({
        path: version.path,
        search: `${name}.db`,
      }))
      const siteJson = describeSite(site, redirects, indexes, replaced.indexes)
      await writeSiteJson(outDir, siteJson)
      await writeMetadata(outDir, siteJson.pages, metadata)
      const cacheDir = path.join(context.generatedFilesDir, '../.cache/sekisho-search')
      const readPages = keptResultsFile(context.siteDir, `read-pages-${context.i18n.currentLocale}`)
      const vocabulary = joinVocabularies(options.search, await readVocabularyFile(context.siteDir))
      const { pages } = siteJson
      const searched = { docs: true, blog: true, pages: true, ...replaced.searched, ...options.searched }
      await indexSite({ outDir, cacheDir, pages, versions, readPages, vocabulary, searched, leftOut })
      if (hasRelated) writeRelated(outDir, pages, versions, inPageLanguage(searchProblemOf('related')))
    },
  }
}

/** Components without which there is no session and no account item, and where ours are. */
const OUTERMOST = {
  Root: file('./theme/Root/index.tsx'),
  'NavbarItem/ComponentTypes': file('./theme/NavbarItem/ComponentTypes.tsx'),
} as const

/** Component of sites whose pages carry metadata. */
const NOTED = { 'DocItem/Footer': file('./page-notes/NotedFooter.tsx') } as const

/** Component of sites whose pages are in a route table, which has what `writeRelated` adds. */
const RELATED = { 'DocItem/Paginator': file('./related/RelatedPages.tsx') } as const

/** A path of the site below the path it is served from, as Docusaurus joins them. */
const below = (baseUrl: string, path: string): string =>
  path.startsWith(baseUrl) ? path : baseUrl + path.slice(1)

/** Path of the results page: one that the site does not use. */
function choosePath(taken: ReadonlySet<string>, baseUrl: string): string {
  const isFree = (path: string) => ![path, `${path}/`].some((known) => taken.has(below(baseUrl, known)))
  return SEARCH_PATHS.find(isFree) ?? SEARCH_PATHS[0]
}

/** Has the development server pass searches on to the one that `sekisho dev` answers them at, and asks for what there is to mend. */
function whileWriting(search: string | undefined): object {
  return search === undefined
    ? {}
    : {
        devServer: {
          proxy: [{ context: [PATHS.search, DEV_PROBLEMS_PATH, DEV_EDITIONS_PATH], target: search }],
        },
      }
}

/** Tells if any page asks for acknowledgement. */
const asks = (metadata: MetadataOfPages): boolean =>
  [...metadata.values()].some(({ acknowledge }) => acknowledge !== undefined)

/** Status of the locale's translations; says why they cannot be compared. */
function compareTranslations(
  allContent: unknown,
  { siteDir, baseUrl, i18n }: LoadContext,
): TranslationStatuses {
  const { currentLocale, defaultLocale, localeConfigs } = i18n
  if (currentLocale === defaultLocale) return new Map()
  const originalUrl = localeConfigs[defaultLocale]?.baseUrl ?? baseUrl.replace(`/${currentLocale}/`, '/')
  const read = readTranslations(allContent, { siteDir, baseUrl, originalUrl })
  if (!('problem' in read)) return read
  console.warn(`[WARNING] ${inSiteLanguage(problemOf(read.problem, read.pages))}`)
  return new Map()
}

/** Puts the account item at the end of a navbar that does not place it itself. */
function addAccountItem({ navbar }: { navbar?: unknown }): void {
  const items = typeof navbar === 'object' && navbar !== null && 'items' in navbar ? navbar.items : null
  if (!Array.isArray(items) || items.some((item) => item?.type === ACCOUNT_ITEM)) return
  items.push({ type: ACCOUNT_ITEM, position: 'right' })
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
