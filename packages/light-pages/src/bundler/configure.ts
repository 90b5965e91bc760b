import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findPrismLanguages } from '../code/prism-languages.ts'
import type { FlatSite } from '../flat-site.ts'
import { SHELL_CHUNK } from '../plan/name-modules.ts'
import { findNavbarTypes } from '../plan/navbar-types.ts'
import { FlatBundlerPlugin } from './flat-bundler-plugin.ts'
import { type Bundler, toUtf8Minimizers } from './minimizer.ts'
import { ServerCodePlugin } from './server-code-plugin.ts'

/** The part of a bundler configuration that is read. */
interface Configuration {
  optimization?: { minimizer?: unknown } | undefined
  module?: { rules?: unknown } | undefined
  experiments?: unknown
}

const client = (file: string) => fileURLToPath(new URL(`../client/${file}`, import.meta.url))
const server = (file: string) => fileURLToPath(new URL(`../server/${file}`, import.meta.url))

/** Our modules come before Docusaurus' `@generated`, which is an alias of a folder and would win otherwise. */
const mergeStrategy = { 'resolve.alias': 'prepend', 'optimization.minimizer': 'replace' } as const

interface ChunkGraph {
  getModuleChunks(module: unknown): { name?: string | undefined }[]
}

/** What other kinds of page share with documentation pages stays in the chunk that most readers have already. */
const SHARED_WITH_SHELL = {
  name: SHELL_CHUNK,
  chunks: 'async',
  minChunks: 2,
  minSize: 0,
  enforce: true,
  test: (module: unknown, { chunkGraph }: { chunkGraph: ChunkGraph }) =>
    chunkGraph.getModuleChunks(module).some(({ name }) => name === SHELL_CHUNK),
}

/** Client bundle: routes that load themselves, and a runtime that does not know the pages. */
export function configureClient(config: Configuration, site: FlatSite, bundler: Bundler): object {
  const { minimizer } = config.optimization ?? {}
  site.configureCode((config.module?.rules ?? []) as unknown[])
  return {
    mergeStrategy,
    entry: client('entry.client.ts'),
    resolve: {
      alias: {
        '@generated/routes$': client('routes.client.tsx'),
        '@generated/routesChunkNames$': join(site.dir, 'nothing.json'),
        'react-router-config$': client('router-config.client.ts'),
        // A client module that would bring Prism to every page; code blocks that need it ask for it.
        [`${findPrismLanguages(site.siteDir)}$`]: join(site.dir, 'nothing.json'),
        ...createSharedAliases(site),
      },
    },
    ...dependOnOwnSource(config),
    plugins: [new FlatBundlerPlugin(site.onClientBuilt), shrinkTslib(bundler), ...compileAhead(bundler)],
    optimization: {
      ...(Array.isArray(minimizer) ? { minimizer: toUtf8Minimizers(minimizer, bundler) } : {}),
      // Without the page map the runtime no longer changes with every edit, so it needs no file of its own.
      runtimeChunk: false,
      splitChunks: { cacheGroups: { defaultVendors: false, sekishoShell: SHARED_WITH_SHELL } },
    },
  }
}

/** Server bundle: the whole site, found by address instead of by trying every route. */
export function configureServer(config: Configuration, site: FlatSite): object {
  site.configureCode((config.module?.rules ?? []) as unknown[])
  return {
    mergeStrategy,
    ...dependOnOwnSource(config),
    // Around Docusaurus' own: pages of the build before are answered without rendering.
    entry: { main: server('entry.ts') },
    resolve: {
      alias: {
        '@generated/routes$': server('routes.tsx'),
        '@generated/sekisho-flat/shared$': join(site.dir, 'server-shared.js'),
        'react-router-config$': server('router-config.ts'),
        ...createSharedAliases(site),
      },
    },
    plugins: [new ServerCodePlugin(site.onServerBuilt)],
  }
}

/** The bundler's persistent cache holds pages as this code compiled them, so it goes when the code changes. */
function dependOnOwnSource({ experiments }: Configuration): object {
  const { cache } = (experiments ?? {}) as { cache?: unknown }
  if (typeof cache !== 'object') return {}
  const root = fileURLToPath(new URL('..', import.meta.url))
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  )
  return { experiments: { cache: { buildDependencies: files.map((file) => join(root, file)) } } }
}

/** Development server: everything as Docusaurus has it, and what code blocks ask for. */
export function configureWriting(siteDir: string): object {
  return { resolve: { alias: createPrismAlias(siteDir) } }
}

/** With its extension it is another request, which the alias that drops the client module does not catch. */
function createPrismAlias(siteDir: string): { [request: string]: string } {
  return { '@light-pages/prism-languages$': `${findPrismLanguages(siteDir)}.js` }
}

/** Only Docusaurus' own packages get the few helpers they use; any other package keeps the whole library. */
function shrinkTslib({ NormalModuleReplacementPlugin }: Bundler): object {
  return new NormalModuleReplacementPlugin(/^tslib$/, (resource) => {
    if (/[\\/]@docusaurus[\\/]utils-common[\\/]/.test(resource.contextInfo.issuer))
      resource.request = client('docusaurus-tslib.ts')
  })
}

/**
 * Nearly all of the two scripts that every documentation page runs is run at once. With this hint the browser
 * compiles their functions while they arrive, on another thread, instead of one by one on the page's own.
 */
function compileAhead({ BannerPlugin }: Bundler): object[] {
  if (BannerPlugin === undefined) return []
  const include = new RegExp(`/(?:main|${SHELL_CHUNK})\\.[^/]*js$`)
  return [new BannerPlugin({ banner: COMPILE_HINT, raw: true, include, stage: STAGE_AFTER_MINIMISING })]
}

/** Explicit compile hint of Chromium; to other browsers a comment. */
const COMPILE_HINT = '//# allFunctionsCalledOnLoad'

/** The minimiser drops comments; names of files are made from their content later than this. */
const STAGE_AFTER_MINIMISING = 700

function createSharedAliases(site: FlatSite): { [request: string]: string } {
  const core = createRequire(
    createRequire(join(site.siteDir, 'package.json')).resolve('@docusaurus/core/package.json'),
  )
  const folder = dirname(core.resolve('react-router-config/package.json'))
  return {
    ...createPrismAlias(site.siteDir),
    '@generated/globalData$': join(site.dir, 'globalData.json'),
    [`${findNavbarTypes(site.siteDir)}$`]: join(site.dir, 'navbar-types.js'),
    '@light-pages/router-config$': join(folder, 'esm/react-router-config.js'),
  }
}
