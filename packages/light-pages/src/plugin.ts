import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LoadContext, Plugin } from '@docusaurus/types'
import {
  type CodeLanguages,
  createCodeAliases,
  createCodeConfigurator,
  findJsxCompiler,
  type PrismConfig,
} from './code/configure.ts'
import { writePrismCss } from './code/prism-css.ts'
import { BUNDLE_TOGETHER_BELOW, bundleOneByOne } from './memory/one-by-one.ts'
import { configureClient, configureLeanClient, configureServer } from './routes/configure.ts'
import { createLightSite, type LightSite } from './routes/site.ts'
import { inlineStyles } from './styles/first-styles.ts'

export { findBuiltPages } from './built-pages.ts'
export { DEBUG_PAGES } from './routes/model.ts'
export { addToFirstPage, addToTable } from './routes/table.ts'

/** Independent features that make pages light, each in the folder of its name. */
export const FEATURES = ['routes', 'code', 'styles'] as const

export type Feature = (typeof FEATURES)[number]

export interface LightOptions {
  /** The features that are on. `SEKISHO_LIGHT` in the environment, a list with commas or `off`, goes before. Default: all. */
  readonly lightPages?: readonly Feature[]
  /** `all`: code in any language that Prism has is coloured, listed by the site or not. Default: as the site lists them. */
  readonly codeLanguages?: CodeLanguages
  /** Number of pages from which on the two bundles are made one after the other (decisions/066). Default: 2,000. */
  readonly bundleTogetherBelow?: number
}

/** The options when a site says nothing. */
export const LIGHT_DEFAULTS: Required<LightOptions> = {
  lightPages: FEATURES,
  codeLanguages: 'listed',
  bundleTogetherBelow: BUNDLE_TOGETHER_BELOW,
}

/** Components that the plugin itself replaces. Paths are absolute, as in Docusaurus' aliases. */
interface OwnTheme {
  /** Its folder of theme components, whose sidebar does without the entries of closed categories. */
  readonly themeDir: string
  /** Its component for a missing page, if that stands beside a sidebar. */
  readonly missingPage?: string
  /** An address that answers whenever the server can be reached. Default: the site's home. */
  readonly probe?: string
}

/** The hooks that make pages light, for a plugin to take over as its own. */
type LightHooks = Required<Pick<Plugin, 'getClientModules' | 'configureWebpack'>> & {
  /** Pages are in a route table. */
  readonly hasRoutes: boolean
  postBuild(build: { outDir: string; baseUrl: string }): Promise<void>
}

const ownDir = fileURLToPath(new URL('.', import.meta.url))
const themeDir = join(ownDir, 'theme')

/** Light pages on their own, for sites that use nothing else of Sekisho. Listed after the classic theme. */
export default function lightPages(context: LoadContext, options: LightOptions = {}): Plugin {
  return {
    name: 'sekisho-light-pages',
    getThemePath: () => themeDir,
    ...createLightHooks(context, options, { themeDir }),
  }
}

/**
 * Makes the weight of a page independent of the number of pages. Production builds only: while writing, code is highlighted as
 * in a build, and Docusaurus' development server sends everything else as it does without this package.
 */
export function createLightHooks(context: LoadContext, options: LightOptions, theme: OwnTheme): LightHooks {
  const { lightPages, codeLanguages, bundleTogetherBelow } = { ...LIGHT_DEFAULTS, ...options }
  const { siteDir, siteConfig, generatedFilesDir } = context
  const wanted = readFeatures(process.env, lightPages)
  const obstacle = wanted.size === 0 ? null : findObstacle(context)
  if (obstacle !== null) console.info(`[INFO] ${obstacle}`)
  const features: ReadonlySet<string> = obstacle === null ? wanted : wanted.difference(new Set(['routes']))
  // What of the feature `routes` works with any bundler and any Docusaurus that is supported.
  const isLean = wanted.has('routes') && obstacle !== null
  let colours = ''
  let site: LightSite | null = null
  let highlight: ReturnType<typeof createCodeConfigurator> | null = null
  return {
    hasRoutes: features.has('routes'),
    getClientModules() {
      if (features.has('code')) colours = writeCodeColours(context)
      // Styles are moved on pages of the route table alone.
      const isMoved = features.has('styles') && features.has('routes')
      return [
        ...(colours === '' ? [] : [colours]),
        ...(isMoved ? [join(ownDir, './styles/keep-cascade.ts')] : []),
      ]
    },

    // Called for the client and for the server, after Docusaurus has generated its files.
    configureWebpack(config, isServer, { currentBundler }) {
      const own: { resolve?: { alias: object } } = {}
      if (features.has('routes')) {
        const known: Readonly<Record<string, unknown>> = Object(config.resolve?.alias)
        const notFound = String(known['@theme/NotFound/Content'])
        site ??= createLightSite(context, {
          isSidebarWhole: !isSidebarOurs(known, theme.themeDir),
          isMissingBesideSidebar: notFound === theme.missingPage,
          probe: theme.probe ?? context.baseUrl,
        })
        if (!isServer && site.plan.pages.length >= bundleTogetherBelow)
          currentBundler.instance = bundleOneByOne(currentBundler.instance)
        const stock = { entry: String(config.entry), notFound }
        Object.assign(
          own,
          isServer ? configureServer(site, context, stock) : configureClient(site, context, stock),
        )
      }
      if (isLean && !isServer) Object.assign(own, configureLeanClient(context))
      const codeAliases = features.has('code')
        ? createCodeAliases(siteDir, Object(config.resolve?.alias))
        : null
      if (codeAliases !== null) {
        // Themes fill in their settings while plugins are made, so these are not complete before.
        const { prism = {} } = siteConfig.themeConfig as { prism?: PrismConfig }
        const compile = findJsxCompiler(siteDir, currentBundler.instance)
        highlight ??= createCodeConfigurator(context, prism, compile, codeLanguages)
        highlight(config.module?.rules ?? [])
      }
      return {
        ...own,
        ...dependOnOwnSource(config, `${generatedFilesDir} ${[...features].join()}`),
        // Ours come before Docusaurus' `@generated`, which is an alias of a folder and would win otherwise.
        mergeStrategy: { 'resolve.alias': 'prepend' },
        resolve: {
          alias: {
            ...own.resolve?.alias,
            // Code that is not finished here has the colours that Prism gives it.
            ...(codeAliases ?? (colours === '' ? {} : { [`${colours}$`]: false })),
            ...(features.has('routes') ? {} : leaveStock()),
          },
        },
      }
    },

    async postBuild({ outDir, baseUrl }) {
      if (features.has('styles')) await inlineStyles(outDir, baseUrl)
    },
  }
}

/** Obstacle to the route table, and with it to first styles: a sentence that says what to change. Null without one. */
function findObstacle({ siteDir, siteConfig, i18n }: LoadContext): string | null {
  const isJapanese = i18n.currentLocale.startsWith('ja')
  const { version } = createRequire(join(siteDir, 'package.json'))('@docusaurus/core/package.json')
  const [major, minor] = String(version).split('.').map(Number)
  if (major === 3 && Number(minor) < 10)
    return isJapanese
      ? `Docusaurus ${version} でも、すべて使えます。3.10 以降にすると、ビルドが速くなり、ページがサイトの大きさで重くなりません。`
      : `Docusaurus ${version}: everything works; from 3.10 on builds are quicker and pages do not grow with the site.`
  const { future } = siteConfig as { future?: { faster?: { rspackBundler?: boolean } } }
  if (future?.faster?.rspackBundler !== true)
    return isJapanese
      ? 'このままで、すべて使えます。@docusaurus/faster を入れて `future: { v4: true, faster: true }` にすると、ビルドが速くなり、ページがサイトの大きさで重くなりません。'
      : 'Everything works; with `future: { v4: true, faster: true }` and @docusaurus/faster builds are quicker and pages do not grow with the site.'
  return null
}

function readFeatures(env: NodeJS.ProcessEnv, chosen: readonly Feature[]): ReadonlySet<string> {
  if (env.SEKISHO_LIGHT === 'off') return new Set()
  const names: readonly string[] = env.SEKISHO_LIGHT?.split(',') ?? chosen
  const unknown = names.filter((name) => !FEATURES.some((feature) => feature === name))
  if (unknown.length > 0)
    throw new Error(
      `Light pages know no feature "${unknown.join()}"; there are ${FEATURES.join(', ')} (SEKISHO_LIGHT, lightPages)`,
    )
  // While writing, code looks as it will for readers; the rest would stand in the way of reloading.
  return new Set(env.NODE_ENV === 'production' ? names : names.filter((name) => name === 'code'))
}

/** Theme components of the feature `routes`. */
const SIDEBAR_PARTS = ['DocSidebarItems', 'DocSidebarItem/Category']

/** Folder of the stock theme's components, wherever it is installed. */
const STOCK_THEME = /[\\/]theme-classic[\\/]lib[\\/]theme[\\/]/

/** Tells if the stock theme or ours draws all of the sidebar: any other component needs the entries of closed categories. */
function isSidebarOurs(known: Readonly<Record<string, unknown>>, ownTheme: string): boolean {
  const drawing = Object.entries(known).filter(([name]) => name.startsWith('@theme/DocSidebar'))
  return drawing.every(([, file]) => {
    const path = String(file)
    return [ownTheme, themeDir].some((dir) => path.startsWith(join(dir, sep))) || STOCK_THEME.test(path)
  })
}

/** Aliases that put stock components in the place of ours where `routes` is off, here and where they are passed on. */
function leaveStock(): { [request: string]: string } {
  return Object.fromEntries(
    SIDEBAR_PARTS.flatMap((name) => [
      [`@sekisho/light-pages/theme/${name}$`, `@theme-init/${name}`],
      [`${join(ownDir, `./theme/${name}/index.tsx`)}$`, `@theme-init/${name}`],
    ]),
  )
}

/**
 * Makes the bundler's persistent cache depend on this code, which compiles the pages in it, and on a variant: another folder of generated
 * modules, as in `sekisho dev`, or other features need a cache of their own.
 */
function dependOnOwnSource({ experiments }: { experiments?: unknown }, variant: string): object {
  const { cache } = (experiments ?? {}) as { cache?: unknown }
  if (typeof cache !== 'object') return {}
  const files = readdirSync(ownDir, { recursive: true, encoding: 'utf8' })
  const sources = files.filter((file) => /\.[jt]sx?$/.test(file)).map((file) => join(ownDir, file))
  const version = `${Object(cache).version} ${variant}`
  return { experiments: { cache: { version, buildDependencies: sources } } }
}

function writeCodeColours({ generatedFilesDir, siteConfig }: LoadContext): string {
  const { prism } = siteConfig.themeConfig as { prism?: PrismConfig }
  const dir = join(generatedFilesDir, 'light-pages')
  const file = join(dir, 'code-colours.css')
  mkdirSync(dir, { recursive: true })
  writeFileSync(file, writePrismCss(prism?.theme, prism?.darkTheme))
  return file
}
