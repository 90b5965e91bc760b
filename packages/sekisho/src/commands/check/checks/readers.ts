import { existsSync, readFileSync } from 'node:fs'
import type { Edition } from '@sekisho/release'
import { dataFolderAt } from '@sekisho/server/data-folder'
import {
  type AccessPolicy,
  admits,
  admittingEditions,
  type GateConfig,
  groupsOf,
  readPolicyText,
  type VouchedAccount,
} from '@sekisho/server/settings'
import type { CommandIo } from '../../../command.ts'
import { withStores } from '../../../open-state.ts'
import { allSessions, servedEditions } from '../../access/explain.ts'
import { ruleSubjects } from '../../access/review.ts'
import { type CheckResult, found } from './finding.ts'

/** So many of them are named; the sentence is the same for each. */
const MAX_NAMED = 20

/**
 * Finds readers who get less than their groups hold, because neither of two editions contains the other, and readers with incomplete
 * groups.
 * @param mayAsk permits reading sessions from the database
 */
export async function checkReaders(config: GateConfig, io: CommandIo, mayAsk: boolean): Promise<CheckResult> {
  const policy = readPolicyOf(config)
  const folder = dataFolderAt(config.dataDir)
  const editions = config.releases === null ? await servedEditions(folder).catch(() => []) : []
  const { databaseUrl } = config
  const sessions: VouchedAccount[] = []
  if (databaseUrl === null ? existsSync(folder.sessions) : mayAsk)
    await withStores({ databaseUrl, folder }, io, async (stores) => {
      for await (const row of allSessions(stores.sessions.operators)) sessions.push(row)
    }).catch(() => {}) // a store that cannot be opened is said by whoever looks at it
  const unknown = new Set(sessions.filter(({ vouched }) => !vouched.hasAllGroups).map(({ email }) => email))
  const subjects = [
    ...ruleSubjects(policy, []).map(({ who, reader }) => ({ who, reader })),
    ...sessions.map((reader) => ({ who: reader.email, reader })),
  ]
  const between = new Map(
    subjects.flatMap(({ who, reader }) => {
      const pair = findBetween(policy, editions, reader)
      return pair === null
        ? []
        : [[`${who} ${pair.join(' ')}`, found('editions_incomparable', who, ...pair)] as const]
    }),
  )
  return {
    facts: [],
    findings: [
      ...[...between.values()].slice(0, MAX_NAMED),
      ...(unknown.size === 0 ? [] : [found('groups_incomplete', unknown.size)]),
    ],
  }
}

function readPolicyOf({ access }: GateConfig): AccessPolicy {
  if ('policy' in access) return access.policy
  try {
    return readPolicyText(readFileSync(access.file, 'utf8')).policy
  } catch {
    return readPolicyText('{}').policy // said elsewhere
  }
}

/** The edition that a reader gets, and the first one behind it that they may read, too, and that holds what the first does not. */
function findBetween(
  policy: AccessPolicy,
  editions: readonly Edition[],
  reader: VouchedAccount,
): readonly [gets: string, lacks: string] | null {
  if (!admits(policy, reader)) return null
  const [first, ...others] = admittingEditions(editions, groupsOf(policy, reader))
  const lacking = others.find(({ audiences }) =>
    audiences.some((audience) => !first?.audiences.includes(audience)),
  )
  return first === undefined || lacking === undefined ? null : [first.name, lacking.name]
}
