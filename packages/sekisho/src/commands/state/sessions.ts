import { createMessages, type Message } from '@sekisho/contract/language'
import {
  MAX_ROWS,
  type RevocationFilter,
  type Session,
  type SessionOperators,
} from '@sekisho/server/sessions'
import { type CommandIo, DATA_DIR, dataDirHelp, defineCommand, misuse, type ValuesOf } from '../../command.ts'
import { formatTime, plain, sayTo } from '../../language.ts'
import { onStores, type RecordAct } from '../../open-state.ts'
import { TEXTS } from '../../texts/index.ts'

const messageOf = createMessages(TEXTS, 'state')

const HELP: Message = messageOf('sessions_help', dataDirHelp(16))

const OPTIONS = {
  user: { type: 'string' },
  id: { type: 'string' },
  all: { type: 'boolean' },
  ...DATA_DIR,
} as const

/** Runs `sekisho sessions …` on the store of a gate that may be running. */
export const runSessions = defineCommand(
  { name: 'sessions', help: HELP, options: OPTIONS, maxPositionals: 1 },
  async (read, io) => {
    const { values, positionals } = read
    const action = readAction(positionals[0], values)
    if (action === null) return misuse(io, HELP)
    return onStores(values['data-dir'], io, ({ sessions }, record) => action(sessions.operators, io, record))
  },
)

/** Resolves to the exit code. */
type Action = (store: SessionOperators, io: CommandIo, record: RecordAct) => Promise<number>

type Values = ValuesOf<typeof OPTIONS>

function readAction(name: string | undefined, { user, id, all }: Values): Action | null {
  const chosen = [user, id, all].filter((value) => value !== undefined).length
  if (name === 'list' && chosen === 0) return list
  if (name === 'unbind' && chosen === 1 && user !== undefined)
    return (store, io, record) => unbind(store, user, io, record)
  if (name !== 'revoke' || chosen !== 1) return null
  if (user !== undefined) return (store, io, record) => revoke(store, { email: user }, io, record)
  return (store, io, record) => revoke(store, id === undefined ? { everybody: true } : { id }, io, record)
}

/** A page at a time, in the order of their places. */
async function list(store: SessionOperators, io: CommandIo): Promise<number> {
  let listed = 0
  for (
    let places = await store.listPlaces();
    places.length > 0;
    places = await store.listPlaces(places.at(-1))
  ) {
    for (let at = 0; at < places.length; at += MAX_ROWS) {
      const page = await store.pick(places.slice(at, at + MAX_ROWS).map(({ key }) => key))
      io.progress?.('')
      for (const session of page) printSession(session, io)
      listed += page.length
      io.progress?.(count(listed, io))
    }
  }
  io.progress?.('')
  io.print(count(listed, io))
  return 0
}

function printSession(session: Session, io: CommandIo): void {
  const { id, email, device, address, startedAtMs, lastSeenAtMs, kind } = session
  const times = sayTo(io, messageOf('since_last_seen', formatTime(startedAtMs), formatTime(lastSeenAtMs)))
  const what = device || (kind === 'standing' ? 'agents' : '-')
  io.print(plain(`${id}  ${email}  ${what}  ${address || '-'}  ${times}`))
}

function count(sessions: number, io: CommandIo): string {
  return sayTo(io, messageOf('session', sessions))
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
    for (const { id, email } of page) io.print(plain(`${sayTo(io, messageOf('ended'))} ${id}  ${email}`))
    io.progress?.(count(ended, io))
  }
  io.progress?.('')
  io.print(`${count(ended, io)}${sayTo(io, messageOf('count_ended'))}`)
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
      ? sayTo(io, messageOf('address_released', email))
      : sayTo(io, messageOf('address_not_bound', email)),
  )
  return 0
}
