import { DEFAULT_RETENTION, type Retention } from '@sekisho/release'
import { type Environment, SettingsReader } from './settings.ts'

/** How long earlier releases are kept; what is wrong is added to `problems`. For the commands that publish. */
export function readRetention(
  { SEKISHO_RELEASES_KEEP, SEKISHO_RELEASES_MAX }: Environment,
  problems: string[],
): Retention {
  const settings = new SettingsReader({ SEKISHO_RELEASES_KEEP, SEKISHO_RELEASES_MAX })
  const keepMs = settings.duration('SEKISHO_RELEASES_KEEP', DEFAULT_RETENTION.keepMs)
  const maxReleases = settings.count('SEKISHO_RELEASES_MAX', 0, 10_000)
  problems.push(...settings.problems)
  return { keepMs, maxReleases: maxReleases === 0 ? DEFAULT_RETENTION.maxReleases : maxReleases }
}
