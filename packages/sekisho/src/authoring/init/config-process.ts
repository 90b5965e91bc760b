import { createRequire } from 'node:module'
import { join } from 'node:path'
import { classify, listNames } from './compatibility.ts'
import type { ConfigAnswer } from './read-site.ts'

/**
 * Reads a site's config in a process of its own, started by `read-site.ts` with folder and file: Docusaurus' loaders cache the first
 * reading for a process's life. Sends the result to its parent.
 */
const [siteDir = '', configFile = ''] = process.argv.slice(2)
const answer = await readConfig().catch((error: unknown) => ({
  problem: 'config_failed',
  value: describeError(error),
}))
// Whatever the config has started may still run; nobody waits for it.
process.send?.(answer, () => process.exit(0))

async function readConfig(): Promise<ConfigAnswer> {
  const load = findLoader()
  if (load === null) return { problem: 'not_installed', value: siteDir }
  const loaded = await load(configFile)
  const config: unknown = typeof loaded === 'function' ? await loaded() : loaded
  if (typeof config !== 'object' || config === null) return { problem: 'no_config', value: configFile }
  const text = (key: string): string => String(Reflect.get(config, key) ?? '')
  return {
    title: text('title'),
    tagline: text('tagline'),
    lang: mainLocale(config),
    themes: listNames(Reflect.get(config, 'themes'), 'themes'),
    findings: classify(config),
  }
}

/** Main locale, as Docusaurus derives it. */
function mainLocale(config: object): string {
  const i18n: unknown = Reflect.get(config, 'i18n')
  const locale: unknown =
    typeof i18n === 'object' && i18n !== null ? Reflect.get(i18n, 'defaultLocale') : null
  return typeof locale === 'string' ? locale : 'en'
}

/** The loader that Docusaurus itself uses: JavaScript or TypeScript, CommonJS or ES module. */
function findLoader(): ((path: string) => Promise<unknown>) | null {
  try {
    const core = createRequire(join(siteDir, 'package.json')).resolve('@docusaurus/core/package.json')
    return createRequire(core)('@docusaurus/utils').loadFreshModule
  } catch {
    return null
  }
}

/** Message of an error with its causes: Docusaurus's own only says that it could not load the file. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}: ${describeError(error.cause)}`
}
