import { type Grant, readGrants } from '@sekisho/contract/grants'
import type { Message } from '@sekisho/contract/language'
import { problemOf } from '../texts/index.ts'
import type { Environment } from './settings.ts'

/** What the operator grants to pages; what is wrong is added to `problems`. Also for the commands that say what is kept away. */
export function readGrantSetting(
  { SEKISHO_GRANTS = '' }: Environment,
  problems: Message[],
): readonly Grant[] {
  const found: Message[] = []
  const grants = readGrants(SEKISHO_GRANTS, found)
  problems.push(...found.map((problem) => problemOf('setting', 'SEKISHO_GRANTS', problem)))
  return grants
}
