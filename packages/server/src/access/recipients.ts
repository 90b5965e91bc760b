import { setImmediate as nextTurn } from 'node:timers/promises'
import { EVERY_READER } from '@sekisho/contract/page-metadata'
import type { ServedEdition } from '../kernel/reader.ts'
import { findAskedPage } from '../state/acknowledgements/index.ts'
import type { Account, Sessions } from '../state/sessions/index.ts'
import { chooseEdition } from './choose-edition.ts'
import { type Addresses, admits, groupsOf, type VouchedAccount } from './policy.ts'
import type { PolicySource } from './policy-source.ts'

/** Addresses that are judged before other requests have their turn. */
const AT_A_TIME = 100

interface RecipientsOptions {
  readonly policy: PolicySource
  readonly releases: { editions(): Promise<readonly ServedEdition[]> }
  readonly sessions: Pick<Sessions, 'ofAccount'>
}

type EditionNames = ReadonlyMap<string, string | undefined>

/** Resolves editions of recipients who make no request, by the policy in force now; null for one who may read none. */
export function createRecipients({ policy: readPolicy, releases, sessions }: RecipientsOptions) {
  async function editionOf(account: VouchedAccount, policy = readPolicy()): Promise<ServedEdition | null> {
    return admits(policy, account)
      ? chooseEdition(await releases.editions(), groupsOf(policy, account))
      : null
  }

  /** An owner has no account here, so only rules about addresses count. */
  function ofAddress(email: string): Promise<ServedEdition | null> {
    const { issuers: _ofAccounts, ...policy } = readPolicy()
    return editionOf({ email, vouched: { address: true, groups: [], hasAllGroups: true } }, policy)
  }

  /** Editions of the addresses that the policy names, by address; judged once for a policy and a release. */
  let judged: { groups: object; emails: object; releaseId: string; names: Promise<EditionNames> } | null =
    null
  function editionNames(releaseId: string): Promise<EditionNames> {
    const { groups, emails } = readPolicy()
    if (judged?.groups === groups && judged.emails === emails && judged.releaseId === releaseId)
      return judged.names
    const all = [
      ...new Set([emails, ...[...groups.values()].map((of) => of.emails)].flatMap((of) => [...of])),
    ]
    const judge = async () => {
      const names = new Map<string, string | undefined>()
      for (const [at, email] of all.entries()) {
        if (at % AT_A_TIME === 0) await nextTurn()
        names.set(email, (await ofAddress(email))?.name)
      }
      return names
    }
    judged = { groups, emails, releaseId, names: judge() }
    return judged.names
  }

  /** Addresses of an edition's readers in an audience; null where the policy does not name them one by one. */
  async function named(
    { name, releaseId }: ServedEdition,
    audience: string,
  ): Promise<readonly string[] | null> {
    const policy = readPolicy()
    const groups = audience === EVERY_READER ? [...policy.groups.values()] : [policy.groups.get(audience)]
    const all: readonly (Addresses | undefined)[] = audience === EVERY_READER ? [policy, ...groups] : groups
    if (all.some((of) => of === undefined || of.domains.size > 0)) return null
    if (groups.some((of) => of !== undefined && of.ids.size > 0)) return null
    const emails = new Set(all.flatMap((of) => [...(of?.emails ?? [])]))
    const names = await editionNames(releaseId)
    return [...emails].filter((email) => names.get(email) === name)
  }

  return {
    ofAddress,
    /** Groups of a reader are those of their sessions now; without one, only rules about addresses count. */
    async ofReader(reader: Account & { readonly email: string }): Promise<ServedEdition | null> {
      const [session] = await sessions.ofAccount(reader)
      const vouched = { address: true, groups: [], hasAllGroups: false }
      return editionOf(session ?? { ...reader, vouched })
    },
    ofGroups: async (groups: ReadonlySet<string>): Promise<ServedEdition | null> =>
      chooseEdition(await releases.editions(), groups),
    /**
     * Addresses of readers who are asked to acknowledge a page, by the version that their edition holds; null where the policy does not name
     * them one by one.
     */
    async asked(path: string): Promise<ReadonlyMap<string, readonly string[] | null>> {
      const versions = new Map<string, readonly string[] | null>()
      for (const served of await releases.editions()) {
        const page = findAskedPage(served.edition, path)
        if (page === null) continue
        const people = await named(served, page.request.audience)
        const known = versions.get(page.version)
        versions.set(page.version, people === null || known === null ? null : [...(known ?? []), ...people])
      }
      return versions
    },
  }
}
