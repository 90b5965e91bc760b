import { EVERY_READER } from '@sekisho/contract/page-metadata'
import type { ServedEdition } from '../kernel/reader.ts'
import { findAskedPage } from '../state/acknowledgements/index.ts'
import type { Account, Sessions } from '../state/sessions/index.ts'
import { chooseEdition } from './choose-edition.ts'
import { type Addresses, admits, groupsOf, type VouchedAccount } from './policy.ts'
import type { PolicySource } from './policy-source.ts'

interface RecipientsOptions {
  readonly policy: PolicySource
  readonly releases: { editions(): Promise<readonly ServedEdition[]> }
  readonly sessions: Pick<Sessions, 'ofAccount'>
}

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

  /** Addresses of an edition's readers in an audience; null where the policy does not name them one by one. */
  async function named({ name }: ServedEdition, audience: string): Promise<readonly string[] | null> {
    const policy = readPolicy()
    const groups = audience === EVERY_READER ? [...policy.groups.values()] : [policy.groups.get(audience)]
    const all: readonly (Addresses | undefined)[] = audience === EVERY_READER ? [policy, ...groups] : groups
    if (all.some((of) => of === undefined || of.domains.size > 0)) return null
    if (groups.some((of) => of !== undefined && of.ids.size > 0)) return null
    const emails = new Set(all.flatMap((of) => [...(of?.emails ?? [])]))
    const held = await Promise.all([...emails].map(ofAddress))
    return [...emails].filter((_email, at) => held[at]?.name === name)
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
