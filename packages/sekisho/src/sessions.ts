import { existsSync } from 'node:fs'
import { type DataFolder, openSessionStore, type RevocationFilter, type SessionStore } from '@sekisho/gate'
import type { CommandIo } from './command.ts'
import { DATA_DIR, dataDirHelp, type RunCommand, readDataFolder, readOptions, recordAct } from './command.ts'

const HELP = `Usage: sekisho sessions list
       sekisho sessions revoke (--user EMAIL | --id ID | --all)
       sekisho sessions unbind --user EMAIL

list    shows who is signed in
revoke  ends sessions; a running gate follows within a second and records it in the audit trail
unbind  lets another Google account take over an address (an address belongs to the account that first used it)

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
  return withStore(folder, io, (store) => action(store, io, folder))
}

type Action = (store: SessionStore, io: CommandIo, folder: DataFolder) => void | Promise<void>

interface Values {
  readonly user?: string
  readonly id?: string
  readonly all?: boolean
}

function readAction(name: string | undefined, { user, id, all }: Values): Action | null {
  const chosen = [user, id, all].filter((value) => value !== undefined).length
  if (name === 'list' && chosen === 0) return list
  if (name === 'unbind' && chosen === 1 && user !== undefined)
    return (store, io, folder) => unbind(store, user, io, folder)
  if (name !== 'revoke' || chosen !== 1) return null
  if (user !== undefined) return (store, io, folder) => revoke(store, { email: user }, io, folder)
  return (store, io, folder) => revoke(store, id === undefined ? { everybody: true } : { id }, io, folder)
}

async function withStore(
  folder: DataFolder,
  io: CommandIo,
  run: (store: SessionStore) => void | Promise<void>,
): Promise<number> {
  if (!existsSync(folder.sessions)) {
    io.complain(
      `sekisho sessions: there is no session store in ${folder.root}; name the folder with --data-dir`,
    )
    return 1
  }
  const store = openSessionStore(folder.sessions)
  try {
    await run(store)
    return 0
  } finally {
    store.close()
  }
}

function list(store: SessionStore, { print }: CommandIo): void {
  const rows = [...store.readAll()].sort(
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
  io: CommandIo,
  folder: DataFolder,
): Promise<void> {
  const { print } = io
  const whose = 'email' in filter ? filter.email : 'id' in filter ? `session ${filter.id}` : 'everybody'
  await recordAct(folder, io, 'sessions_revoked', { whose })
  const ended = store.revoke(filter, Date.now())
  for (const { id, email } of ended) print(`ended ${id}  ${email}`)
  print(`${ended.length} session${ended.length === 1 ? '' : 's'} ended`)
}

async function unbind(store: SessionStore, email: string, io: CommandIo, folder: DataFolder): Promise<void> {
  const { print } = io
  await recordAct(folder, io, 'address_unbound', { whose: email })
  print(store.unbind(email) ? `${email} is free for the next account` : `${email} was bound to no account`)
}
