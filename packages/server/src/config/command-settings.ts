import { type Grant, readGrants } from '@sekisho/contract/grants'
import type { Message } from '@sekisho/contract/language'
import { DEFAULT_RETENTION, type Retention } from '@sekisho/release'
import { problemOf } from '../texts/index.ts'
import { withPresentNames } from './renamed-settings.ts'
import { type Environment, SettingsReader } from './settings.ts'

/** The operator's grants to pages; adds errors to `problems`. Also for commands that report blocked resources. */
export function readGrantSetting(env: Environment, problems: Message[]): readonly Grant[] {
  const { SEKISHO_CSP_ALLOW = '' } = withPresentNames(env)
  const found: Message[] = []
  const grants = readGrants(SEKISHO_CSP_ALLOW, found)
  problems.push(...found.map((problem) => problemOf('setting', 'SEKISHO_CSP_ALLOW', problem)))
  return grants
}

/** Retention of earlier releases; adds errors to `problems`. Also for commands that publish. */
export function readRetention(
  { SEKISHO_RELEASES_KEEP, SEKISHO_RELEASES_MAX }: Environment,
  problems: Message[],
): Retention {
  const settings = new SettingsReader({ SEKISHO_RELEASES_KEEP, SEKISHO_RELEASES_MAX })
  const keepMs = settings.duration('SEKISHO_RELEASES_KEEP')
  const maxReleases = settings.count('SEKISHO_RELEASES_MAX')
  problems.push(...settings.problems)
  return { keepMs, maxReleases: maxReleases === 0 ? DEFAULT_RETENTION.maxReleases : maxReleases }
}
