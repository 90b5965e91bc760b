import { existsSync } from 'node:fs'
import type { RevocationFilter, SessionStore } from '@sekisho/gate'
import type { CommandIo } from './command.ts'
import { DATA_DIR, dataDirHelp, type RunCommand, readDataFolder, readOptions } from './command.ts'
import { explainState, type RecordAct, readDatabase, withStores } from './open-state.ts'

const HELP = `Usage: sekisho sessions list
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
${dataDirHelp(16)}
  --help          show this text`

const OPTIONS = {
  user: { type: 'string' },
  id: { type: 'string' },
  all: { type: 'boolean' },
  ...DATA_DIR,
} as const

/** Runs `sekisho sessions …` on the store of a gate that may be running. */
export const runSessions: RunCommand = async (args, io) => {
  const read = readOptions(args, io, { help: HELP, options: OPTIONS, maxPositionals: 1 })
  if (!read.ok) return read.exitCode
  const { values, positionals } = read
  const action = readAction(positionals[0], values)
  if (action === null) {
    io.complain(HELP)
    return 2
  }
  const folder = readDataFolder(values['data-dir'], io)
  return explainState('sessions', io, async () => {
    const databaseUrl = values['data-dir'] === undefined ? readDatabase(io) : null
    if (databaseUrl === null && !existsSync(folder.sessions)) {
      io.complain(
        `sekisho sessions: there is no session store in ${folder.root}; name the folder with --data-dir, or set SEKISHO_DATABASE_URL`,
      )
      return 1
    }
    await withStores({ databaseUrl, folder }, io, ({ sessions }, record) => action(sessions, io, record))
    return 0
  })
}

type Action = (store: SessionStore, io: CommandIo, record: RecordAct) => Promise<void>

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

async function list(store: SessionStore, { print }: CommandIo): Promise<void> {
  const rows = [...(await store.list())].sort(
    (a, b) => a.email.localeCompare(b.email) || a.startedAtMs - b.startedAtMs,
  )
  for (const { id, email, startedAtMs, lastSeenAtMs } of rows) {
    print(`${id}  ${email}  since ${formatTime(startedAtMs)}  last seen ${formatTime(lastSeenAtMs)}`)
  }
  print(`${rows.length} session${rows.length === 1 ? '' : 's'}`)
}

function formatTime(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 16)}Z`
}

async function revoke(
  store: SessionStore,
  filter: RevocationFilter,
  { print }: CommandIo,
  record: RecordAct,
): Promise<void> {
  const whose = 'email' in filter ? filter.email : 'id' in filter ? `session ${filter.id}` : 'everybody'
  await record('sessions_revoked', { whose })
  const ended = await store.revoke(filter, Date.now())
  for (const { id, email } of ended) print(`ended ${id}  ${email}`)
  print(`${ended.length} session${ended.length === 1 ? '' : 's'} ended`)
}

async function unbind(
  store: SessionStore,
  email: string,
  { print }: CommandIo,
  record: RecordAct,
): Promise<void> {
  await record('address_unbound', { whose: email })
  const wasBound = await store.unbind(email)
  print(wasBound ? `${email} is free for the next account` : `${email} was bound to no account`)
}
