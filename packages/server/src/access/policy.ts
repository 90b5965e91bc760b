import type { Message } from '@sekisho/contract/language'
import type { Identity } from '../state/sessions/index.ts'
import { problemOf } from '../texts/index.ts'

/** Whole mail domains, and single addresses. Everything is lower-case ASCII. */
export interface Addresses {
  readonly domains: ReadonlySet<string>
  readonly emails: ReadonlySet<string>
}

/** Members of a group: addresses, and ids of groups and roles from providers (`entra:OBJECT-ID`, `role:docs.sre`). */
export interface Members extends Addresses {
  readonly ids: ReadonlySet<string>
  /** Owners of pages that the group stands for, as in `owner:@acme/docs`; they admit no reader. */
  readonly owners: ReadonlySet<string>
}

/** Permitted readers and their groups, whose names are the audiences of editions. A member of a group may read. */
export interface AccessPolicy extends Addresses {
  readonly groups: ReadonlyMap<string, Members>
  /** Groups whose members may look at the portal as another edition that they may read. */
  readonly viewingAs: ReadonlySet<string>
  /** Restricts all other rules to these addresses; for previews, whose readers are the portal's or fewer. */
  readonly only?: Addresses
  /** Restricts accounts to these issuers, where present: removing a provider ends its sessions with their next request. */
  readonly issuers?: ReadonlySet<string>
}

/** The part of an account that a policy looks at, as its provider vouches for it. */
export type VouchedAccount = Pick<Identity, 'email' | 'vouched'> & Partial<Pick<Identity, 'issuer'>>

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const DOMAIN = new RegExp(`^(?=.{1,253}$)(?:${LABEL}\\.)+${LABEL}$`)
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/

/**
 * Reads an address of the plainest kind: printable ASCII, one @, no quoting, no comments. Returns it in lower
 * case, or null. ASCII is checked before folding, because U+212A folds to an ordinary k.
 */
export function readEmail(text: string): { readonly email: string; readonly domain: string } | null {
  if (!/^[\x21-\x7e]{3,254}$/.test(text)) return null
  const email = text.toLowerCase()
  const [local = '', domain = '', ...rest] = email.split('@')
  if (rest.length > 0 || local.length > 64) return null
  return LOCAL_PART.test(local) && DOMAIN.test(domain) ? { email, domain } : null
}

/** Reads a domain of the policy, or returns null: no wildcard, no leading @ or dot, no non-ASCII form. */
function readDomain(text: string): string | null {
  if (!/^[\x21-\x7e]+$/.test(text)) return null
  const domain = text.toLowerCase()
  return DOMAIN.test(domain) ? domain : null
}

/** Addresses of live sessions come again with every request; parsing one costs two microseconds. */
const MAX_KNOWN = 1_000
const known = new Map<string, ReturnType<typeof readEmail>>()

function readKnown(address: string): ReturnType<typeof readEmail> {
  const read = known.get(address)
  if (read !== undefined) return read
  if (known.size >= MAX_KNOWN) known.clear()
  const fresh = readEmail(address)
  known.set(address, fresh)
  return fresh
}

/** Tells if an address is one of these; a domain never includes its subdomains. */
export function holds(addresses: Addresses, address: string): boolean {
  const read = readKnown(address)
  return read !== null && (addresses.domains.has(read.domain) || addresses.emails.has(read.email))
}

/** Tells if a reader may read: by an address that their provider vouches for, or as a member of a group. */
export function admits(policy: AccessPolicy, reader: VouchedAccount): boolean {
  if (policy.issuers?.has(reader.issuer ?? '') === false) return false
  const holdsReader = (addresses: Addresses) => reader.vouched.address && holds(addresses, reader.email)
  if (policy.only !== undefined && !holdsReader(policy.only)) return false
  return holdsReader(policy) || [...policy.groups.values()].some((members) => isMember(members, reader))
}

/** Reasons why an account is not admitted, for operators. */
export const REFUSALS = [
  'provider_not_configured',
  'groups_unknown',
  'group_missing',
  'address_not_vouched',
  'address_not_admitted',
] as const
export type Refusal = (typeof REFUSALS)[number]

/** The reason why a reader may not read; null for one who may. */
export function refusalOf(policy: AccessPolicy, reader: VouchedAccount): Refusal | null {
  if (admits(policy, reader)) return null
  if (policy.issuers?.has(reader.issuer ?? '') === false) return 'provider_not_configured'
  const groups = [...policy.groups.values()]
  const namesAny = ({ domains, emails }: Addresses) => domains.size + emails.size > 0
  if (!reader.vouched.hasAllGroups && groups.some(({ ids }) => ids.size > 0)) return 'groups_unknown'
  if (![policy, ...groups].some(namesAny)) return 'group_missing'
  return reader.vouched.address ? 'address_not_admitted' : 'address_not_vouched'
}

function isMember(members: Members, { email, vouched }: VouchedAccount): boolean {
  return (vouched.address && holds(members, email)) || vouched.groups.some((id) => members.ids.has(id))
}

/** The groups that a reader belongs to. */
export function groupsOf({ groups }: AccessPolicy, reader: VouchedAccount): ReadonlySet<string> {
  return new Set([...groups].filter(([, members]) => isMember(members, reader)).map(([name]) => name))
}

/**
 * Tells if a reader of these groups is among the owners that a page names, divided by commas: by a vouched address, a group's name, or a group
 * that stands for one.
 */
export function isOwner(
  policy: AccessPolicy,
  reader: VouchedAccount,
  own: ReadonlySet<string>,
  owner: string,
): boolean {
  return owner
    .split(',')
    .map((one) => one.trim())
    .some(
      (one) =>
        (reader.vouched.address && readKnown(one)?.email === reader.email.toLowerCase()) ||
        [...own].some((group) => group === one || policy.groups.get(group)?.owners.has(one) === true),
    )
}

export interface PolicyReading {
  readonly policy: AccessPolicy
  /** One for each entry that is not a domain or an address. */
  readonly problems: readonly Message[]
}

/** Members of groups by the names of these: addresses, domains as in `@sre.example.co.jp`, ids as in `entra:OBJECT-ID`, owners as in `owner:@acme/docs`. */
export type GroupEntries = Readonly<Record<string, readonly string[]>>

/** As releases name audiences. */
const GROUP = /^[a-z0-9][a-z0-9-]{0,39}$/
/** The name of a provider (or `role`), a colon, and what that provider calls its group. */
const ID = /^[a-z][a-z0-9-]{0,30}:\S/

const OWNER = 'owner:'

/** Reads the lists of a policy; unreadable entries are reported and admit no reader. */
export function readPolicy(
  domains: readonly string[],
  emails: readonly string[],
  groups: GroupEntries = {},
  viewingAs: readonly string[] = [],
): PolicyReading {
  const problems: Message[] = []
  const read = Object.entries(groups).map(([name, entries]) => {
    if (!GROUP.test(name)) problems.push(problemOf('no_group', JSON.stringify(name)))
    const isDomain = (entry: string) => entry.startsWith('@')
    const own = entries.filter(isDomain).map((entry) => entry.slice(1))
    const isOwnerName = (entry: string) => entry.startsWith(OWNER)
    const ids = entries.filter((entry) => ID.test(entry) && !isOwnerName(entry))
    const owners = entries.filter(isOwnerName).map((entry) => entry.slice(OWNER.length))
    const emails = entries.filter((entry) => !isDomain(entry) && !ID.test(entry) && !isOwnerName(entry))
    const addresses = readAddresses(own, emails, problems)
    return [name, { ...addresses, ids: new Set(ids), owners: new Set(owners) }] as const
  })
  for (const name of viewingAs)
    if (!Object.hasOwn(groups, name)) problems.push(problemOf('no_viewing_group', JSON.stringify(name)))
  const admitted = readAddresses(domains, emails, problems)
  return { policy: { ...admitted, groups: new Map(read), viewingAs: new Set(viewingAs) }, problems }
}

function readAddresses(
  domains: readonly string[],
  emails: readonly string[],
  problems: Message[],
): Addresses {
  const refused = (code: 'no_domain' | 'no_address') => (text: string) =>
    problems.push(problemOf(code, JSON.stringify(text)))
  domains.filter((text) => readDomain(text) === null).forEach(refused('no_domain'))
  emails.filter((text) => readEmail(text) === null).forEach(refused('no_address'))
  return {
    domains: new Set(domains.map(readDomain).filter((domain) => domain !== null)),
    emails: new Set(emails.flatMap((text) => readEmail(text)?.email ?? [])),
  }
}
