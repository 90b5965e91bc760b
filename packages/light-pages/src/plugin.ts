import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LoadContext, Plugin } from '@docusaurus/types'
import { configureClient, configureServer, configureWriting } from './bundler/configure.ts'
import type { Bundler } from './bundler/minimizer.ts'
import { BUNDLE_TOGETHER_BELOW, bundleOneByOne } from './bundler/one-by-one.ts'
import { type PrismTheme, writePrismCss } from './code/prism-css.ts'
import { createFlatSite, type FlatSite } from './flat-site.ts'
import { inlineStyles } from './styles/inline-styles.ts'

export { BUNDLE_TOGETHER_BELOW } from './bundler/one-by-one.ts'

/** The hooks that make pages flat, for a plugin to take over as its own. */
export type FlatHooks = Required<Pick<Plugin, 'getClientModules' | 'configureWebpack'>> & {
  postBuild(build: { outDir: string; baseUrl: string }): Promise<void>
}

/** What of the plugin's options the hooks follow. */
interface FlatOptions {
  /** As in the options of @sekisho/docusaurus. */
  readonly bundleTogetherBelow?: number
}

/** Page flattening on its own, for sites that use nothing else of this package. Listed after the classic theme. */
export default function flatPages(context: LoadContext, options: FlatOptions = {}): Plugin {
  const getThemePath = () => fileURLToPath(new URL('./theme', import.meta.url))
  return { name: 'sekisho-flat', getThemePath, ...createFlatHooks(context, options) }
}

/**
 * Makes the weight of a page independent of the number of pages. Production builds only: while writing,
 * Docusaurus' development server sends everything, as before. `SEKISHO_FLAT=off` turns it off.
 */
export function createFlatHooks(
  context: LoadContext,
  { bundleTogetherBelow = BUNDLE_TOGETHER_BELOW }: FlatOptions,
): FlatHooks {
  const isOn = process.env.NODE_ENV === 'production' && process.env.SEKISHO_FLAT !== 'off'
  let site: FlatSite | null = null
  return {
    getClientModules: () => (isOn ? [writeCodeColours(context)] : []),

    configureWebpack(config, isServer, { currentBundler }) {
      if (!isOn) return configureWriting(context.siteDir)
      const bundler = currentBundler.instance as unknown as Bundler
      // Called for the client and for the server, after Docusaurus has generated its files.
      site ??= createFlatSite(context, bundler)
      if (!isServer && site.pageCount >= bundleTogetherBelow)
        currentBundler.instance = bundleOneByOne(currentBundler.instance)
      return isServer ? configureServer(config, site) : configureClient(config, site, bundler)
    },

    async postBuild({ outDir, baseUrl }) {
      if (isOn) await inlineStyles(outDir, baseUrl)
    },
  }
}

function writeCodeColours({ generatedFilesDir, siteConfig }: LoadContext): string {
  const { prism } = siteConfig.themeConfig as { prism?: { theme?: PrismTheme; darkTheme?: PrismTheme } }
  const dir = join(generatedFilesDir, 'sekisho-flat')
  const file = join(dir, 'code-colours.css')
  mkdirSync(dir, { recursive: true })
  writeFileSync(file, writePrismCss(prism?.theme, prism?.darkTheme))
  return file
}
