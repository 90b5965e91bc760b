import { existsSync, readFileSync } from 'node:fs'
import {
  type AccessPolicy,
  admits,
  createEditionChoice,
  groupsOf,
  holds,
  readPolicyOnly,
} from '@sekisho/gate/settings'
import { type Edition, loadManifest, readPointer } from '@sekisho/release'
import type { DataFolder } from '@sekisho/state/data-folder'
import type { Session, SessionOperators, SessionRow } from '@sekisho/state/sessions'
import {
  type CommandIo,
  DATA_DIR,
  dataDirHelp,
  type RunCommand,
  readDataFolder,
  readOptions,
} from './command.ts'
import { choose, formatTime, plain, type Text } from './language.ts'
import { explainState, readDatabase, withStores } from './open-state.ts'
import { withSettingsFile } from './site/settings-file.ts'

const HELP: Text = {
  ja: `使い方: sekisho access explain ADDRESS

そのアドレスの人が読めるか、どの決まりで読めるか、どのグループに属し、どのエディションを受け取るかを表示します。
認証サービスが伝えるグループは、ログインしている間のセッションから読みます。

${dataDirHelp(16, 'ja')}
  --help          この説明を表示する`,
  en: `Usage: sekisho access explain ADDRESS

Says whether whoever has that address may read, by which rule, which groups they belong to and which edition they get.
Groups that a provider tells of are read from the sessions of whoever is signed in.

${dataDirHelp(16, 'en')}
  --help          show this text`,
}

/** Runs `sekisho access explain`. */
export const runAccess: RunCommand = async (args, io) => {
  const read = readOptions(args, io, { help: choose(io, HELP), options: DATA_DIR, maxPositionals: 2 })
  if (!read.ok) return read.exitCode
  const [action, address] = read.positionals
  if (action !== 'explain' || address === undefined) {
    io.complain(choose(io, HELP))
    return 2
  }
  const dataDir = read.values['data-dir']
  const folder = readDataFolder(dataDir, io)
  return explainState('access', io, async () => {
    const policy = readPolicyOnly(withSettingsFile(io), (path) => readFileSync(path, 'utf8'))
    const databaseUrl = dataDir === undefined ? readDatabase(io) : null
    const accounts: Account[] = []
    if (databaseUrl !== null || existsSync(folder.sessions))
      await withStores({ databaseUrl, folder }, io, async ({ sessions }) => {
        accounts.push(...(await accountsOf(sessions.operators, address)))
      })
    const editions = await servedEditions(folder)
    const known = accounts.length > 0 ? accounts : [unknownAccount(address)]
    for (const account of known)
      for (const line of explain(account, { policy, editions }, io)) io.print(plain(line))
    return known.some((account) => admits(policy, account)) ? 0 : 1
  })
}

/** An account as its provider vouched for it last; one that is not signed in is taken by its address. */
type Account = Pick<Session, 'email' | 'issuer' | 'vouched'> & { readonly sinceMs: number | null }

const unknownAccount = (email: string): Account => ({
  ...{ email, issuer: '', sinceMs: null },
  vouched: { address: true, groups: [], hasAllGroups: true },
})

/** The accounts with an address that are signed in, each with its newest proof and its oldest session. */
async function accountsOf(store: SessionOperators, address: string): Promise<readonly Account[]> {
  const rows: SessionRow[] = []
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: readonly SessionRow[] = await store.list(after)
    rows.push(...page.filter(({ email }) => email.toLowerCase() === address.toLowerCase()))
    after = page.at(-1)?.key
  }
  return [...Map.groupBy(rows, ({ issuer, sub }) => JSON.stringify([issuer, sub])).values()].flatMap(
    (own) => {
      const newest = own.reduce((one, other) => (other.provenAtMs > one.provenAtMs ? other : one))
      return [{ ...newest, sinceMs: Math.min(...own.map(({ startedAtMs }) => startedAtMs)) }]
    },
  )
}

async function servedEditions({ releases }: DataFolder): Promise<readonly Edition[]> {
  const id = await readPointer(releases).catch(() => null)
  return id === null ? [] : (await loadManifest(releases, id)).editions
}

interface Rules {
  readonly policy: AccessPolicy
  readonly editions: readonly Edition[]
}

function explain(account: Account, { policy, editions }: Rules, io: CommandIo): readonly string[] {
  const groups = [...groupsOf(policy, account)]
  const told = account.vouched.groups
  const edition = admits(policy, account) ? createEditionChoice(() => policy)(editions, account) : null
  const none = choose(io, { ja: 'なし', en: 'none' })
  const rows: readonly (readonly [Text, string])[] = [
    [{ ja: '読めるか', en: 'may read' }, ruleOf(account, policy, groups, io)],
    [{ ja: 'グループ', en: 'groups' }, groups.join(', ') || none],
    [{ ja: '認証サービスのグループ', en: 'told by the provider' }, describeTold(account, told, io)],
    [{ ja: 'エディション', en: 'edition' }, edition?.name ?? none],
    [
      { ja: 'ログイン', en: 'signed in since' },
      account.sinceMs === null ? none : formatTime(account.sinceMs),
    ],
  ]
  const heading = account.issuer === '' ? account.email : `${account.email}  ${account.issuer}`
  return [heading, ...rows.map(([name, value]) => `  ${choose(io, name)}: ${value}`)]
}

/** The first rule that lets somebody read, as it stands in the policy. */
function ruleOf(account: Account, policy: AccessPolicy, groups: readonly string[], io: CommandIo): string {
  const yes = choose(io, { ja: 'はい', en: 'yes' })
  if (!admits(policy, account))
    return choose(io, { ja: 'いいえ（どの決まりにもありません）', en: 'no: no rule names them' })
  const domain = account.email.slice(account.email.lastIndexOf('@') + 1).toLowerCase()
  if (!account.vouched.address || !holds(policy, account.email)) return `${yes}: groups ${groups.join(', ')}`
  return policy.domains.has(domain) ? `${yes}: domains ${domain}` : `${yes}: emails ${account.email}`
}

function describeTold({ issuer, vouched }: Account, told: readonly string[], io: CommandIo): string {
  if (issuer === '') return choose(io, { ja: '不明（ログインしていません）', en: 'unknown: not signed in' })
  if (!vouched.hasAllGroups)
    return choose(io, {
      ja: '多すぎて伝わっていません（なしとして扱います）',
      en: 'too many to be told; none counts',
    })
  return told.join(', ') || choose(io, { ja: 'なし', en: 'none' })
}
