import { createRequire } from 'node:module'
import type { MessageOrText } from '@sekisho/contract/language'
import { openReleaseStore, ReleaseError } from '@sekisho/release'
import { SETTINGS } from '@sekisho/server/settings'
import { type CommandIo, readDataFolder } from '../../command.ts'
import { findSite, type Site, SiteError } from '../../site/find-site.ts'
import { withSettingsFile } from '../../site/settings-file.ts'
import { readVersion } from '../../version.ts'

/** Facts of the installation that may be published: no value of a setting, path, name or address. */
export interface Installation {
  readonly sekisho: string
  readonly node: string
  readonly platform: string
  /** Version of the site's Docusaurus; null without a site, `unknown` where it is not installed. */
  readonly docusaurus: string | null
  /** Release to be served from the data folder; null without one. */
  readonly release: string | null
  readonly port: number | null
  /** Names of the known settings that have a value. */
  readonly settings: readonly string[]
}

const VERSION = /^\d{1,4}\.\d{1,4}\.\d{1,4}(?:-[a-z]{1,10}\.\d{1,6})?$/

/** Looks at the package, the site around the working folder and the data folder. */
export async function describeInstallation(io: CommandIo, dataDir?: string): Promise<Installation> {
  const env = withSettingsFile(io)
  const site = findSiteOrNull(io.cwd)
  const port = Number(env.SEKISHO_PORT ?? env.PORT ?? SETTINGS.SEKISHO_PORT.fallback)
  return {
    sekisho: readVersion(),
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
    docusaurus: site === null ? null : readDocusaurusVersion(site),
    release: await readReleaseId(readDataFolder(dataDir, io).releases),
    port: Number.isInteger(port) && port >= 0 && port <= 65_535 ? port : null,
    settings: Object.keys(SETTINGS).filter((name) => (env[name] ?? '') !== ''),
  }
}

/** Codes of a problem and of those it is about, without their values: `findings.in_file gate.policy_unknown_key`. */
export function codeOf(problem: MessageOrText): string {
  return typeof problem === 'string' ? 'other' : problem.publicCodes.join(' ')
}

function findSiteOrNull(cwd: string): Site | null {
  try {
    return findSite(cwd)
  } catch (error) {
    if (error instanceof SiteError) return null
    throw error
  }
}

function readDocusaurusVersion({ configFile }: Site): string {
  try {
    const found: { readonly version?: unknown } = createRequire(configFile)('@docusaurus/core/package.json')
    return VERSION.test(String(found.version)) ? String(found.version) : 'unknown'
  } catch {
    return 'unknown' // not installed yet
  }
}

async function readReleaseId(folder: string): Promise<string | null> {
  try {
    return (await openReleaseStore({ folder }).readPointer()).id
  } catch (error) {
    if (error instanceof ReleaseError) return null
    throw error
  }
}
