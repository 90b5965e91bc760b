import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Site, SiteError } from '../site/find-site.ts'
import type { ListedConfig } from './compatibility.ts'
import type { SiteFacts } from './files.ts'

/** What is read from a site's config. */
export interface SiteConfig extends SiteFacts, ListedConfig {}

/** Loads a site's config with the loader that Docusaurus itself uses: JavaScript or TypeScript, object or function. */
export async function loadConfig({ dir, configFile }: Site): Promise<SiteConfig> {
  const loaded: unknown = await findLoader(dir)(configFile)
  const config: unknown = typeof loaded === 'function' ? await loaded() : loaded
  if (typeof config !== 'object' || config === null)
    throw new SiteError(`${configFile} exports no config that Docusaurus would accept`)
  const text = (key: string): string => String(Reflect.get(config, key) ?? '')
  return { ...config, title: text('title'), tagline: text('tagline'), lang: mainLocale(config) }
}

/** What Docusaurus would say of the pages of its main locale. */
function mainLocale(config: object): string {
  const i18n: unknown = Reflect.get(config, 'i18n')
  const locale: unknown =
    typeof i18n === 'object' && i18n !== null ? Reflect.get(i18n, 'defaultLocale') : null
  return typeof locale === 'string' ? locale : 'en'
}

type Loader = (path: string) => Promise<unknown>

function findLoader(siteDir: string): Loader {
  try {
    const core = createRequire(join(siteDir, 'package.json')).resolve('@docusaurus/core/package.json')
    const { loadFreshModule } = createRequire(core)('@docusaurus/utils')
    return loadFreshModule
  } catch {
    throw new SiteError(
      `Docusaurus is not installed in ${siteDir}: install the site's packages first (npm, pnpm, or Yarn with the node-modules linker)`,
    )
  }
}
