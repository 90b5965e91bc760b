import { existsSync } from 'node:fs'
import type { RevocationFilter, Session, SessionOperators, SessionRow } from '@sekisho/state/sessions'
import type { CommandIo } from './command.ts'
import { DATA_DIR, dataDirHelp, type RunCommand, readDataFolder, readOptions } from './command.ts'
import { choose, formatTime, plain, type Text } from './language.ts'
import { explainState, type RecordAct, readDatabase, withStores } from './open-state.ts'

const HELP: Text = {
  ja: `使い方: sekisho sessions list
       sekisho sessions revoke (--user EMAIL | --id ID | --all)
       sekisho sessions unbind --user EMAIL

list    ログインしている人を表示する
revoke  セッションを終わらせる。動いているゲートも 1 秒以内に従い、監査ログに残る
unbind  アドレスを別の Google アカウントで使えるようにする（アドレスは最初に使ったアカウントのもの）。
        データベースでは所有者のロールが必要で、ゲートのロールではできない

SEKISHO_DATABASE_URL があれば、--data-dir を指定しない限り、そのデータベースを扱います。

  --user EMAIL    このアドレスのすべてのセッション
  --id ID         list が示す 1 つのセッション
  --all           全員
${dataDirHelp(16, 'ja')}
  --help          この説明を表示する`,
  en: `Usage: sekisho sessions list
       sekisho sessions revoke (--user EMAIL | --id ID | --all)
       sekisho sessions unbind --user EMAIL

list    shows who is signed in
revoke  ends sessions; a running gate follows within a second and records it in the audit trail
unbind  lets another Google account take over an address (an address belongs to the account that first used it);
        with a database this needs its owner's role: a gate's cannot

With SEKISHO_DATABASE_URL set it works on that database, unless --data-dir is given.

  --user EMAIL    every session of this address
  --id ID         one session, as named by list
  --all           everybody
${dataDirHelp(16, 'en')}
  --help          show this text`,
}

const OPTIONS = {
  user: { type: 'string' },
  id: { type: 'string' },
  all: { type: 'boolean' },
  ...DATA_DIR,
} as const

/** Runs `sekisho sessions …` on the store of a gate that may be running. */
export const runSessions: RunCommand = async (args, io) => {
  const read = readOptions(args, io, { help: choose(io, HELP), options: OPTIONS, maxPositionals: 1 })
  if (!read.ok) return read.exitCode
  const { values, positionals } = read
  const action = readAction(positionals[0], values)
  if (action === null) {
    io.complain(choose(io, HELP))
    return 2
  }
  const folder = readDataFolder(values['data-dir'], io)
  return explainState('sessions', io, async () => {
    const databaseUrl = values['data-dir'] === undefined ? readDatabase(io) : null
    if (databaseUrl === null && !existsSync(folder.sessions)) {
      const problem = choose(io, {
        ja: `${folder.root} にセッションの記録がありません。--data-dir でフォルダーを指定するか、SEKISHO_DATABASE_URL を設定してください`,
        en: `there is no session store in ${folder.root}; name the folder with --data-dir, or set SEKISHO_DATABASE_URL`,
      })
      io.complain(`sekisho sessions: ${problem}`)
      return 1
    }
    let code = 0
    await withStores({ databaseUrl, folder }, io, async ({ sessions }, record) => {
      code = await action(sessions.operators, io, record)
    })
    return code
  })
}

/** Resolves to the exit code. */
type Action = (store: SessionOperators, io: CommandIo, record: RecordAct) => Promise<number>

interface Values {
  readonly user?: string
  readonly id?: string
  readonly all?: boolean
}

function readAction(name: string | undefined, { user, id, all }: Values): Action | null {
  const chosen = [user, id, all].filter((value) => value !== undefined).length
  if (name === 'list' && chosen === 0) return list
  if (name === 'unbind' && chosen === 1 && user !== undefined)
    return (store, io, record) => unbind(store, user, io, record)
  if (name !== 'revoke' || chosen !== 1) return null
  if (user !== undefined) return (store, io, record) => revoke(store, { email: user }, io, record)
  return (store, io, record) => revoke(store, id === undefined ? { everybody: true } : { id }, io, record)
}

async function list(store: SessionOperators, io: CommandIo): Promise<number> {
  const rows: Session[] = []
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: readonly SessionRow[] = await store.list(after)
    rows.push(...page)
    after = page.at(-1)?.key
    io.progress?.(count(rows.length, io))
  }
  io.progress?.('')
  rows.sort((a, b) => compare(a.email, b.email) || a.startedAtMs - b.startedAtMs)
  for (const { id, email, device, address, startedAtMs, lastSeenAtMs } of rows) {
    const [started, seen] = [formatTime(startedAtMs), formatTime(lastSeenAtMs)]
    const times = choose(io, {
      ja: `${started} から、最後の利用 ${seen}`,
      en: `since ${started}  last seen ${seen}`,
    })
    io.print(plain(`${id}  ${email}  ${device || '-'}  ${address || '-'}  ${times}`))
  }
  io.print(count(rows.length, io))
  return 0
}

/** A locale's order costs a second for 200,000. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

function count(sessions: number, io: CommandIo): string {
  return choose(io, {
    ja: `セッション ${sessions} 件`,
    en: `${sessions} session${sessions === 1 ? '' : 's'}`,
  })
}

async function revoke(
  store: SessionOperators,
  filter: RevocationFilter,
  io: CommandIo,
  record: RecordAct,
): Promise<number> {
  const whose = 'email' in filter ? filter.email : 'id' in filter ? `session ${filter.id}` : 'everybody'
  await record('sessions_revoked', { whose })
  let ended = 0
  for (;;) {
    const page = await store.revoke(filter, Date.now())
    if (page.length === 0) break
    ended += page.length
    for (const { id, email } of page)
      io.print(plain(`${choose(io, { ja: '終了', en: 'ended' })} ${id}  ${email}`))
    io.progress?.(count(ended, io))
  }
  io.progress?.('')
  io.print(`${count(ended, io)}${choose(io, { ja: 'を終わらせました', en: ' ended' })}`)
  return ended === 0 && !('everybody' in filter) ? 1 : 0 // a mistyped address ended nothing
}

async function unbind(
  store: SessionOperators,
  email: string,
  io: CommandIo,
  record: RecordAct,
): Promise<number> {
  await record('address_unbound', { whose: email })
  const wasBound = await store.unbind(email)
  io.print(
    wasBound
      ? choose(io, {
          ja: `${email} は、次にログインするアカウントのものになります`,
          en: `${email} is free for the next account`,
        })
      : choose(io, {
          ja: `${email} はどのアカウントにも結び付いていません`,
          en: `${email} was bound to no account`,
        }),
  )
  return 0
}
