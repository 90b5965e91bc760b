import type { Message } from '@sekisho/contract/language'
import { DEFAULT_RETENTION, type Retention } from '@sekisho/release'
import { type Environment, SettingsReader } from './settings.ts'

/** How long earlier releases are kept; what is wrong is added to `problems`. For the commands that publish. */
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
