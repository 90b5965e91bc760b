import type { Message } from '@sekisho/contract/language'
import { readFirebase } from '../identity/firebase/settings.ts'
import { readLocal } from '../identity/local/settings.ts'
import { readOidc } from '../identity/oidc/settings.ts'
import type { IdentityConfig, SettingsSource } from '../identity/provider.ts'
import { problemOf } from '../identity/texts/index.ts'

/**
 * Reads the identity providers in the order of their names. Settings of the other mode, and those that admit every account, invalidate the
 * whole configuration.
 */
export function readProviders(
  settings: SettingsSource,
  mode: 'production' | 'local',
  problems: Message[],
): IdentityConfig {
  const isLocal = mode === 'local'
  const kinds: Readonly<Record<string, () => IdentityConfig>> = {
    ...(isLocal
      ? { local: () => readLocal(settings, problems) }
      : { firebase: () => readFirebase(settings, problems) }),
    oidc: () => readOidc(settings, { isLocal, problems }),
  }
  const names = (settings.text('SEKISHO_IDENTITY') ?? (isLocal ? 'local' : 'firebase')).split(',')
  const known = names.flatMap((name) => kinds[name.trim()] ?? [])
  if (known.length < names.length) problems.push(problemOf('bad_identity', Object.keys(kinds)))
  const read = known.map((one) => one())
  return {
    providers: read.flatMap(({ providers }) => providers),
    broken: read.flatMap(({ broken }) => broken),
    owner: read[0]?.owner ?? { issuer: '', projectId: '' },
    problems: read.flatMap((one) => one.problems),
  }
}
