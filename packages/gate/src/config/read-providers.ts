import { readFirebase } from '../identity/firebase/settings.ts'
import { readLocal } from '../identity/local/settings.ts'
import type { IdentityConfig, SettingsSource } from '../identity/provider.ts'

/** Reads which providers sign readers in. What belongs to the other mode is a problem of the whole configuration. */
export function readProviders(
  settings: SettingsSource,
  mode: 'production' | 'local',
  problems: string[],
): IdentityConfig {
  return mode === 'local' ? readLocal(settings, problems) : readFirebase(settings, problems)
}
