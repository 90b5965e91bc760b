import type { Message } from '@sekisho/contract/language'
import { problemOf } from '../texts/index.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Present names of settings by their earlier ones, which work until the next minor version (docs/stability.md). */
const RENAMED_SETTINGS: Readonly<Record<string, string>> = {
  SEKISHO_GRANTS: 'SEKISHO_CSP_ALLOW',
  SEKISHO_REPROOF_INTERVAL: 'SEKISHO_REVALIDATION_INTERVAL',
  SEKISHO_REPROOF_GRACE: 'SEKISHO_REVALIDATION_GRACE',
}

/** The environment with renamed settings under their present names; a setting under its present name goes first. */
export function withPresentNames(env: Environment): Environment {
  const present: Record<string, string | undefined> = { ...env }
  for (const [earlier, name] of Object.entries(RENAMED_SETTINGS)) {
    present[name] ??= env[earlier]
    delete present[earlier]
  }
  return present
}

/** A warning for each setting under an earlier name. */
export function findRenamed(env: Environment): readonly Message[] {
  return Object.entries(RENAMED_SETTINGS)
    .filter(([earlier]) => env[earlier] !== undefined)
    .map(([earlier, name]) => problemOf('renamed_setting', earlier, name))
}
