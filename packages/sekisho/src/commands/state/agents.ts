import { createMessages, type Message } from '@sekisho/contract/language'
import type { GrantStore, OwnedGrant } from '@sekisho/server/grants'
import { type CommandIo, DATA_DIR, dataDirHelp, defineCommand, misuse, type ValuesOf } from '../../command.ts'
import { formatTime, plain, sayTo } from '../../language.ts'
import { onStores, pagesOf, type RecordAct } from '../../open-state.ts'
import { TEXTS } from '../../texts/index.ts'

const messageOf = createMessages(TEXTS, 'state')

const HELP: Message = messageOf('agents_help', dataDirHelp(16))

const OPTIONS = {
  user: { type: 'string' },
  client: { type: 'string' },
  id: { type: 'string' },
  all: { type: 'boolean' },
  ...DATA_DIR,
} as const

/** Runs `sekisho agents …` on the store of a gate that may be running. */
export const runAgents = defineCommand(
  { name: 'agents', help: HELP, options: OPTIONS, maxPositionals: 1 },
  async (read, io) => {
    const { values, positionals } = read
    const action = readAction(positionals[0], values)
    if (action === null) return misuse(io, HELP)
    return onStores(values['data-dir'], io, ({ sessions }, record) => action(sessions.grants, io, record))
  },
)

/** Resolves to the exit code. */
type Action = (store: GrantStore, io: CommandIo, record: RecordAct) => Promise<number>

type Values = ValuesOf<typeof OPTIONS>

function readAction(name: string | undefined, values: Values): Action | null {
  const { user, client, id, all } = values
  const chosen = [user, client, id, all].filter((value) => value !== undefined).length
  if (name === 'list' && chosen === 0) return list
  return name === 'revoke' && chosen === 1 ? (store, io, record) => revoke(store, values, io, record) : null
}

async function readAll(store: GrantStore): Promise<readonly OwnedGrant[]> {
  const grants: OwnedGrant[] = []
  for await (const page of pagesOf(
    (after) => store.list(after),
    ({ id }: OwnedGrant) => id,
  ))
    grants.push(...page)
  return grants
}

async function list(store: GrantStore, io: CommandIo): Promise<number> {
  const grants = [...(await readAll(store))].sort((a, b) => a.createdAtMs - b.createdAtMs)
  for (const { id, email, kind, client, name, createdAtMs, expiresAtMs, usedAtMs, calls } of grants) {
    const [since, until] = [formatTime(createdAtMs), formatTime(expiresAtMs)]
    const used = usedAtMs === null ? '-' : formatTime(usedAtMs)
    const times = sayTo(io, messageOf('agent_times', since, until, used, calls))
    const what = kind === 'personal' ? sayTo(io, messageOf('agent_token')) : client
    io.print(plain(`${id}  ${email}  ${name || '-'}  ${what}  ${times}`))
  }
  io.print(count(grants.length, io))
  return 0
}

function count(grants: number, io: CommandIo): string {
  return sayTo(io, messageOf('grants', grants))
}

async function revoke(
  store: GrantStore,
  { user, client, id, all }: Values,
  io: CommandIo,
  record: RecordAct,
): Promise<number> {
  await record('agents_revoked', { whose: user ?? client ?? id ?? 'everybody' })
  const isMeant = (one: OwnedGrant) =>
    all === true ||
    one.id === id ||
    (one.kind === 'grant' && one.client === client) ||
    one.email.toLowerCase() === user?.toLowerCase()
  const meant = (await readAll(store)).filter(isMeant)
  const ended = await store.remove(meant.map((one) => one.id))
  for (const one of ended)
    io.print(plain(`${sayTo(io, messageOf('grant_ended'))} ${one.id}  ${one.email}  ${one.name || '-'}`))
  io.print(sayTo(io, messageOf('grants_ended', ended.length)))
  return ended.length === 0 && all !== true ? 1 : 0 // a mistyped address ended nothing
}
