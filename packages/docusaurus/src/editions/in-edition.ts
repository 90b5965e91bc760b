import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config, MarkdownConfig, Plugin } from '@docusaurus/types'
import { aroundOthers } from '../around-others.ts'
import { pageError } from '../writing/problems.ts'
import { inSiteLanguage, noteSiteLanguage } from '../writing/site-language.ts'
import { editionProblemOf } from '../writing/texts/index.ts'
import { type AbsentPage, absentDocIds, absentPaths } from './absent-pages.ts'
import { type AbsentAddresses, absenceOfAddresses, type IsAbsent, itemsWithout } from './without-absent.ts'

/** The part of a site that one edition is built from. */
export interface StagedSite {
  /** A copy of the site with the files of the edition. */
  readonly siteDir: string
  /** Audiences of the edition, besides unrestricted pages. */
  readonly audiences: readonly string[]
  readonly absent: readonly AbsentPage[]
  /** Audience labels of pages, by their names below the site; absent where the site labels none. */
  readonly labels?: Readonly<Record<string, string>>
}

/** A plugin that makes pages of the files of a folder. */
interface ContentPlugin {
  readonly kind: 'docs' | 'blog' | 'pages'
  readonly id: string
  /** Below the site, with `/`. */
  readonly folder: string
  readonly routeBasePath: string
  /** Patterns, below its folder, of files that are parts of pages, or none. */
  readonly exclude: readonly string[]
}

/** Docusaurus' own default (`GlobExcludeDefault` of `@docusaurus/utils`), as far as Markdown goes. */
const EXCLUDED = ['**/_*', '**/_*/**', '**/__tests__/**']
const DEFAULTS = {
  docs: { path: 'docs', routeBasePath: 'docs' },
  blog: { path: 'blog', routeBasePath: 'blog' },
  pages: { path: 'src/pages', routeBasePath: '/' },
} as const
const OPENAPI = /^sekisho\/docusaurus\/openapi$/
/** By its name, its short name, or the file that `require.resolve` found. */
const CONTENT =
  /^(?:@docusaurus\/plugin-)?content-(docs|blog|pages)$|[\\/]plugin-content-(docs|blog|pages)[\\/]/

type Options = Readonly<Record<string, unknown>>

/**
 * A site's config for one edition, without plugins whose files are absent and without documents, menu items and redirects to them: every
 * browser gets the config. @throws Error where documents are outside of the site, since they cannot be divided
 */
export async function inEdition(loaded: unknown, site: StagedSite): Promise<Config> {
  const config: Config = typeof loaded === 'function' ? await loaded() : loaded
  noteSiteLanguage(config.i18n?.defaultLocale ?? 'en')
  const plugins: ContentPlugin[] = []
  const told: Told = { ...site, plugins, sidebars: [] }
  const presets = (config.presets ?? []).map((preset) =>
    isClassic(nameOf(preset)) ? withOptions(preset, (options) => presetInEdition(options, told)) : preset,
  )
  const ownPlugins = (config.plugins ?? []).flatMap((plugin) => pluginInEdition(plugin, told))
  const addresses = absentAddresses(plugins, site)
  for (const sidebars of told.sidebars) writeSidebars(sidebars, addresses)
  const isAbsent = absenceOf(plugins, absenceOfAddresses(addresses), site)
  const { navbar, footer, ...themeConfig } = Object(config.themeConfig)
  return {
    ...config,
    markdown: { ...config.markdown, parseFrontMatter: frontMatterOf(config.markdown, told) },
    presets,
    plugins: [
      ...ownPlugins.map((plugin) => withOptions(plugin, (options) => redirectsWithout(options, isAbsent))),
      ...(site.labels === undefined ? [] : [() => LABELS_PLUGIN]),
    ],
    themes: (config.themes ?? []).map((theme) =>
      withOptions(theme, (options) => redirectsWithout(options, isAbsent)),
    ),
    themeConfig: {
      ...themeConfig,
      ...(navbar && { navbar: { ...navbar, items: itemsWithout(navbar.items, isAbsent) } }),
      ...(footer && { footer: { ...footer, links: itemsWithout(footer.links, isAbsent) } }),
    },
  }
}

/** Plugin that shows the label of an audience on its pages, around any theme's component. Only these pages send it to a browser. */
const LABELS_PLUGIN: Plugin = {
  name: 'sekisho-audiences',
  configureWebpack: (config) => ({
    mergeStrategy: { 'resolve.alias': 'prepend' },
    resolve: { alias: aroundOthers(config.resolve?.alias, { ContentVisibility: AUDIENCE_BADGE }) },
  }),
}
const AUDIENCE_BADGE = fileURLToPath(new URL('./AudienceBadge.tsx', import.meta.url))

/**
 * Front matter of the site's reader, with the label of the page's audience. A page of an audience outside the edition fails the build,
 * whatever that reader returns, also in undivided folders.
 */
function frontMatterOf(
  markdown: Config['markdown'],
  { siteDir, audiences, labels = {}, plugins }: Told,
): MarkdownConfig['parseFrontMatter'] {
  return async (page) => {
    const parse = markdown?.parseFrontMatter ?? page.defaultParseFrontMatter
    const parsed = await parse(page)
    const { audience } = parsed.frontMatter
    const name = path.relative(siteDir, page.filePath).split(path.sep).join('/')
    if (audience !== undefined && !audiences.includes(String(audience)))
      throw pageError(inSiteLanguage(editionProblemOf('audience_mismatch', name, String(audience))))
    const label = labels[name]
    // A part of pages may have no front matter: where CI is set, Docusaurus fails for it.
    if (label === undefined || plugins.some((plugin) => isExcluded(plugin, name))) return parsed
    return { ...parsed, frontMatter: { ...parsed.frontMatter, audience_label: label } }
  }
}

function isExcluded({ folder, exclude }: ContentPlugin, name: string): boolean {
  if (!name.startsWith(`${folder}/`)) return false
  return exclude.some((pattern) => path.matchesGlob(name.slice(folder.length + 1), pattern))
}

/** A sidebar file that leaves out of another one what is not there. */
interface StagedSidebars {
  readonly wrapper: string
  readonly original: string
  readonly ids: ReadonlySet<string>
}

type Told = StagedSite & { readonly plugins: ContentPlugin[]; readonly sidebars: StagedSidebars[] }

function presetInEdition(options: Options, told: Told): Options {
  const changed = Object.entries(DEFAULTS).map(([kind]) => {
    const own = options[kind]
    if (own === false) return [kind, false]
    const kept = contentInEdition(kind as keyof typeof DEFAULTS, Object(own), told) // a key of the table
    return [kind, kept ?? false]
  })
  return { ...options, ...Object.fromEntries(changed) }
}

function pluginInEdition<T>(plugin: T, told: Told): readonly T[] {
  const [name, options] = Array.isArray(plugin) ? plugin : [plugin, {}]
  if (typeof name !== 'string') return [plugin]
  if (OPENAPI.test(name)) return apiInEdition(Object(options), told) ? [plugin] : []
  const [, short, resolved] = CONTENT.exec(name) ?? []
  const kind = (short ?? resolved) as keyof typeof DEFAULTS | undefined // one of the pattern's three
  if (kind === undefined) return [plugin]
  const kept = contentInEdition(kind, Object(options), told)
  return kept === null ? [] : [[name, kept] as T] // a plugin with options, as it was or as it may be
}

/** Tells if an edition holds an API's definition, from which its pages are made. */
function apiInEdition({ file, id = 'openapi', routeBasePath = 'api' }: Options, told: Told): boolean {
  told.plugins.push({
    kind: 'docs',
    id: String(id),
    folder: String(file),
    routeBasePath: String(routeBasePath),
    exclude: [], // its one file is no Markdown
  })
  return existsSync(path.join(told.siteDir, String(file)))
}

/** The options of a content plugin; null where the edition has nothing of its folder. */
function contentInEdition(
  kind: ContentPlugin['kind'],
  options: Options,
  { siteDir, absent, plugins, sidebars }: Told,
): Options | null {
  const {
    path: own = DEFAULTS[kind].path,
    routeBasePath = DEFAULTS[kind].routeBasePath,
    id = 'default',
  } = options
  const folder = path
    .relative(siteDir, path.resolve(siteDir, String(own)))
    .split(path.sep)
    .join('/')
  if (folder.startsWith('../') || path.isAbsolute(folder))
    throw pageError(inSiteLanguage(editionProblemOf('outside_site', String(own))))
  const exclude = Array.isArray(options.exclude) ? options.exclude.map(String) : EXCLUDED
  plugins.push({ kind, id: String(id), folder, routeBasePath: String(routeBasePath), exclude })
  if (!existsSync(path.join(siteDir, folder))) return null
  const { sidebarPath } = options
  if (kind !== 'docs' || typeof sidebarPath !== 'string') return options
  const original = path.resolve(siteDir, sidebarPath)
  const wrapper = path.join(
    path.dirname(original),
    `.edition-${path.basename(original).replace(/\.[^.]*$/, '')}.mjs`,
  )
  sidebars.push({ wrapper, original, ids: absentDocIds(absent, folder) })
  return { ...options, sidebarPath: wrapper }
}

function writeSidebars({ wrapper, original, ids }: StagedSidebars, addresses: AbsentAddresses): void {
  const text = [
    `import sidebars from ${JSON.stringify(`./${path.basename(original)}`)}`,
    `import { absenceOfAddresses, sidebarsWithout } from 'sekisho/docusaurus'`,
    `const isAbsent = absenceOfAddresses(${JSON.stringify(addresses)})`,
    `export default sidebarsWithout(sidebars, new Set(${JSON.stringify([...ids])}), isAbsent)`,
  ]
  writeFileSync(wrapper, `${text.join('\n')}\n`)
}

function absentAddresses(
  plugins: readonly ContentPlugin[],
  { siteDir, absent }: StagedSite,
): AbsentAddresses {
  const basesOf = (isThere: boolean) =>
    plugins
      .filter(({ folder }) => existsSync(path.join(siteDir, folder)) === isThere)
      .map(({ routeBasePath }) => path.posix.join('/', routeBasePath).replace(/\/$/, ''))
      .filter((base) => base !== '')
  const paths = plugins.flatMap(({ folder, routeBasePath }) => [
    ...absentPaths(absent, folder, routeBasePath),
  ])
  return { paths, gone: basesOf(false), kept: basesOf(true) }
}

/** Recognises menu items and redirects to addresses outside the edition. */
function absenceOf(plugins: readonly ContentPlugin[], isAbsent: IsAbsent, { siteDir, absent }: StagedSite) {
  const docs = plugins.filter(({ kind }) => kind === 'docs')
  const gone = new Set(
    docs.filter(({ folder }) => !existsSync(path.join(siteDir, folder))).map(({ id }) => id),
  )
  const ids = new Map(docs.map(({ id, folder }) => [id, absentDocIds(absent, folder)]))
  return (item: object): boolean => {
    const { to, href, docId, sidebarId, docsPluginId = 'default' } = item as Options // read as it comes
    const isDoc = docId !== undefined || sidebarId !== undefined
    if (
      isDoc &&
      (gone.has(String(docsPluginId)) || ids.get(String(docsPluginId))?.has(String(docId)) === true)
    )
      return true
    return isAbsent(to ?? href)
  }
}

function redirectsWithout(options: Options, isAbsent: (item: object) => boolean): Options {
  const { redirects } = options
  return Array.isArray(redirects)
    ? { ...options, redirects: redirects.filter((one) => !isAbsent(Object(one))) }
    : options
}

/** A plugin, theme or preset of the config with other options. */
function withOptions<T>(entry: T, change: (options: Options) => Options): T {
  const [name, options, ...rest] = Array.isArray(entry) ? entry : [entry, {}]
  const changed = change(Object(options))
  return (Object.keys(changed).length === 0 ? entry : [name, changed, ...rest]) as T // of the same name
}

const nameOf = (entry: unknown): string => String(Array.isArray(entry) ? entry[0] : entry)
const isClassic = (name: string): boolean =>
  /^(?:@docusaurus\/preset-)?classic$|[\\/]preset-classic[\\/]/.test(name)
