import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LoadContext } from '@docusaurus/types'
import type { Compiler } from '@rspack/core'
import { keepMinified } from '../reuse/minified.ts'
import { PlacementsPlugin } from './placements.ts'
import type { LightSite } from './site.ts'

/** Name of the entry that only makes the chunks of pages. */
const PAGES = 'light-pages'

const own = (file: string) => fileURLToPath(new URL(file, import.meta.url))

const LARGE_LIBRARIES = {
  test: /[\\/]node_modules[\\/]/,
  minSize: 100_000,
  minChunks: 2,
  reuseExistingChunk: true,
}

/** Docusaurus' own CommonJS packages call one helper of tslib, which they `require` whole: 3 KB on every page. */
const SMALL_TSLIB = {
  test: /[\\/]@docusaurus[\\/]utils-common[\\/]/,
  resolve: { alias: { tslib$: own('./app/docusaurus-tslib.ts') } },
}

/** Unused dependency of React Router's `withRouter`; as CommonJS it must be marked as side-effect free. */
const UNUSED = { test: /[\\/]hoist-non-react-statics[\\/]/, sideEffects: false }

/**
 * Part of the main script, once: every Markdown page needs it, but it declares itself side-effect free. Copies per page made the bundler
 * list all other pages that need it (decisions/063).
 */
const MDX = { test: /[\\/]@mdx-js[\\/]react[\\/]/, sideEffects: true }

/**
 * Nearly all of the two scripts that every documentation page runs is run at once. With this hint Chromium compiles their
 * functions while they arrive, on another thread, instead of one by one on the page's own; to other browsers it is a comment.
 */
const compileAhead = (compiler: Compiler): void =>
  new compiler.webpack.BannerPlugin({
    banner: '//# allFunctionsCalledOnLoad',
    raw: true,
    include: /\/(?:main|shell)\.[^/]*js$/,
    stage: 700, // behind the minimiser, which drops comments, and before files are named by their content
  }).apply(compiler)

/** Types of navbar items that a site may do without; the theme brings them all to every page, which weighs 3 KB. */
const RARE_ITEMS = {
  Dropdown: /"items":|ropdown"/,
  LocaleDropdown: /"localeDropdown"/,
  DocsVersionDropdown: /"docsVersionDropdown"/,
  DocsVersion: /"docsVersion"/,
  Doc: /"doc"/,
  Html: /"html"/,
}

/** Docusaurus' own configuration in the places that are replaced here. */
export interface Stock {
  readonly entry: string
  /** File of the theme's `NotFound/Content`. */
  readonly notFound: string
}

/**
 * The docs layout brings this to every page, for addresses that have none. Where these have a page of their own beside the sidebar
 * (plan.ts), that one asks for it by another name.
 */
const NOT_FOUND = '@theme/NotFound/Content$'

/** Drops code that no page or reader needs, for every bundler and with or without lazy routes. */
export function configureLeanClient(context: LoadContext): object {
  return {
    resolve: { alias: createNavbarAliases(context) },
    module: { rules: [SMALL_TSLIB, UNUSED] },
  }
}

/** Client bundle: routes that load themselves, and a runtime that does not know the pages. */
export function configureClient(site: LightSite, context: LoadContext, stock: Stock): object {
  const entry = own('./app/entry.ts')
  const modules = join(site.dir, 'modules.js')
  return {
    // What `main` holds is in this entry as well, so the chunks of pages do without it; but only this one's runtime knows them.
    entry: { [PAGES]: [entry, modules], main: entry },
    resolve: {
      alias: {
        '@generated/routesChunkNames$': false,
        '@light-pages/pages$': own('./app/browser-pages.ts'),
        '@light-pages/stock-entry$': stock.entry,
        ...createNavbarAliases(context),
        ...createAliases(site, context, stock),
        ...(site.isMissingBesideSidebar ? { [NOT_FOUND]: false } : {}),
      },
    },
    module: { rules: [SMALL_TSLIB, UNUSED, MDX] },
    plugins: [
      new PlacementsPlugin(modules, PAGES, site.onClientBuilt),
      compileAhead,
      ...(site.cacheDir === null ? [] : [keepMinified(join(site.cacheDir, 'sekisho-chunks.json'))]),
    ],
    optimization: {
      // Without the page map the runtime does not change with every edit, so it needs no file of its own.
      runtimeChunk: false,
      // Pages use exports that `main` alone does not.
      usedExports: 'global',
      // Documentation pages need their chunk and the shell. Only large libraries, diagrams' for one, are worth a chunk more.
      splitChunks: { cacheGroups: { defaultVendors: LARGE_LIBRARIES } },
    },
  }
}

/** Server bundle: the whole site, found by address instead of by trying every route. */
export function configureServer(site: LightSite, context: LoadContext, stock: Stock): object {
  return {
    // Around Docusaurus' own: pages of the build before are answered without rendering.
    entry: { main: own('../reuse/entry.ts') },
    // With hashes in the names of chunks, the entry would change with every page.
    output: { chunkFilename: '[id].js' },
    plugins: [new PlacementsPlugin(join(site.dir, 'modules.js'), null, site.onServerBuilt)],
    resolve: {
      alias: { '@light-pages/pages$': own('./app/server-pages.ts'), ...createAliases(site, context, stock) },
    },
  }
}

/** Nothing in the place of items that the site's navbar does not have. */
function createNavbarAliases({ siteConfig }: LoadContext): { [request: string]: false } {
  const { items = [] } = Object(siteConfig.themeConfig.navbar)
  const unused = Object.entries(RARE_ITEMS).filter(([, used]) => !used.test(JSON.stringify(items)))
  return Object.fromEntries(unused.map(([name]) => [`@theme/NavbarItem/${name}NavbarItem$`, false]))
}

function createAliases(
  site: LightSite,
  { siteDir }: LoadContext,
  stock: Stock,
): { [request: string]: string | false } {
  const core = createRequire(
    createRequire(join(siteDir, 'package.json')).resolve('@docusaurus/core/package.json'),
  )
  const routerConfig = dirname(core.resolve('react-router-config/package.json'))
  return {
    '@generated/routes$': own('./app/routes.tsx'),
    '@generated/globalData$': join(site.dir, 'globalData.json'),
    '@generated/codeTranslations$': join(site.dir, 'messages.json'),
    '@generated/docusaurus.config$': join(site.dir, 'site-config.js'),
    'react-router-config$': own('./app/router-config.ts'),
    '@light-pages/not-found$': stock.notFound,
    '@light-pages/mdx$': core.resolve('@mdx-js/react'),
    '@light-pages/router-config$': join(routerConfig, 'esm/react-router-config.js'),
  }
}
