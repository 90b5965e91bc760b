import { existsSync, readFileSync } from 'node:fs'
import { createMessages, type Message } from '@sekisho/contract/language'
import { type Edition, loadManifest, readPointer } from '@sekisho/release'
import { readAuditFolder } from '@sekisho/server/audit'
import type { DataFolder } from '@sekisho/server/data-folder'
import type { Session, SessionOperators, SessionRow } from '@sekisho/server/sessions'
import {
  type AccessPolicy,
  admits,
  chooseEdition,
  groupsOf,
  holds,
  readPolicyOnly,
  refusalOf,
  type VouchedAccount,
} from '@sekisho/server/settings'
import type { CommandIo } from '../../command.ts'
import { formatTime, plain, sayTo } from '../../language.ts'
import { pagesOf, readDatabase, withStores } from '../../open-state.ts'
import { withSettingsFile } from '../../site/settings-file.ts'
import { TEXTS } from '../../texts/index.ts'
import { type AddressRefusal, findAddressRefusal } from './trail-facts.ts'

const messageOf = createMessages(TEXTS, 'access')

interface ExplainOptions {
  readonly folder: DataFolder
  /** The folder was named explicitly, so no database is meant. */
  readonly isFolderNamed: boolean
}

/** Runs `sekisho access explain`: explains a user's access by address. */
export async function explain(
  address: string,
  { folder, isFolderNamed }: ExplainOptions,
  io: CommandIo,
): Promise<number> {
  const policy = readPolicyOnly(withSettingsFile(io), (path) => readFileSync(path, 'utf8'))
  const databaseUrl = isFolderNamed ? null : readDatabase(io)
  const accounts: Account[] = []
  let refusal: AddressRefusal | null = null
  if (databaseUrl !== null || existsSync(folder.sessions))
    await withStores({ databaseUrl, folder }, io, async ({ sessions, audit }) => {
      accounts.push(...(await accountsOf(sessions.operators, address)))
      if (accounts.length > 0) return
      refusal = await findAddressRefusal(
        databaseUrl === null ? readAuditFolder(folder.audit) : audit,
        address,
      )
    })
  const editions = await servedEditions(folder)
  const known = accounts.length > 0 ? accounts : [unknownAccount(address, refusal)]
  for (const account of known)
    for (const line of describe(account, { policy, editions }, io)) io.print(plain(line))
  return known.some((account) => admits(policy, account)) ? 0 : 1
}

/** An account as its provider vouched for it last; one that is not signed in is taken by its address. */
type Account = Pick<Session, 'email' | 'issuer' | 'vouched'> & {
  readonly sinceMs: number | null
  readonly refusal: AddressRefusal | null
}

/** Account known by address only, trusted unless its provider refused to vouch at the last sign-in attempt. */
const unknownAccount = (email: string, refusal: AddressRefusal | null): Account => ({
  email,
  issuer: '',
  sinceMs: null,
  refusal,
  vouched: { address: refusal === null, groups: [], hasAllGroups: true },
})

/** Every session of a store, read a page at a time. */
export async function* allSessions(store: SessionOperators): AsyncGenerator<SessionRow> {
  for await (const page of pagesOf(
    (after) => store.list(after),
    ({ key }: SessionRow) => key,
  ))
    yield* page
}

/** The accounts with an address that are signed in, each with its newest proof and its oldest session. */
async function accountsOf(store: SessionOperators, address: string): Promise<readonly Account[]> {
  const rows: SessionRow[] = []
  for await (const row of allSessions(store))
    if (row.email.toLowerCase() === address.toLowerCase()) rows.push(row)
  return [...Map.groupBy(rows, ({ issuer, sub }) => JSON.stringify([issuer, sub])).values()].flatMap(
    (own) => {
      const newest = own.reduce((one, other) => (other.provenAtMs > one.provenAtMs ? other : one))
      return [{ ...newest, refusal: null, sinceMs: Math.min(...own.map(({ startedAtMs }) => startedAtMs)) }]
    },
  )
}

/** The editions of the release that the data folder serves; none without one. */
export async function servedEditions({ releases }: DataFolder): Promise<readonly Edition[]> {
  const id = await readPointer(releases).catch(() => null)
  return id === null ? [] : (await loadManifest(releases, id)).editions
}

interface Rules {
  readonly policy: AccessPolicy
  readonly editions: readonly Edition[]
}

function describe(account: Account, { policy, editions }: Rules, io: CommandIo): readonly string[] {
  const memberships = groupsOf(policy, account)
  const groups = [...memberships]
  const told = account.vouched.groups
  const edition = admits(policy, account) ? chooseEdition(editions, memberships) : null
  const none = sayTo(io, messageOf('none'))
  const rows: readonly (readonly [Message, string])[] = [
    [messageOf('may_read'), describeRule(account, policy, groups, io)],
    [messageOf('groups'), groups.join(', ') || none],
    [messageOf('group_from_provider'), describeTold(account, told, io)],
    [messageOf('edition'), edition?.name ?? none],
    [messageOf('signed_in_since'), account.sinceMs === null ? none : formatTime(account.sinceMs)],
  ]
  const heading = account.issuer === '' ? account.email : `${account.email}  ${account.issuer}`
  return [heading, ...rows.map(([name, value]) => `  ${sayTo(io, name)}: ${value}`)]
}

function describeRule(
  account: Account,
  policy: AccessPolicy,
  groups: readonly string[],
  io: CommandIo,
): string {
  const rule = ruleOf(account, policy, groups)
  if (rule === null) {
    const refusal = account.refusal ?? refusalOf(policy, account) ?? 'address_not_admitted'
    return `${sayTo(io, messageOf('no'))}: ${sayTo(io, messageOf(`refused_${refusal}`))}`
  }
  return `${sayTo(io, messageOf('yes'))}: ${rule}`
}

/** The first rule of the policy that admits a reader; null without one. */
export function ruleOf(
  reader: VouchedAccount,
  policy: AccessPolicy,
  groups: readonly string[],
): string | null {
  if (!admits(policy, reader)) return null
  const domain = reader.email.slice(reader.email.lastIndexOf('@') + 1).toLowerCase()
  if (!reader.vouched.address || !holds(policy, reader.email)) return `groups ${groups.join(', ')}`
  return policy.domains.has(domain) ? `domains ${domain}` : `emails ${reader.email}`
}

function describeTold({ issuer, vouched }: Account, told: readonly string[], io: CommandIo): string {
  if (issuer === '') return sayTo(io, messageOf('unknown_not_signed'))
  if (!vouched.hasAllGroups) return sayTo(io, messageOf('groups_too_many'))
  return told.join(', ') || sayTo(io, messageOf('none'))
}
