import { randomBytes } from 'node:crypto'
import { createMessages, type Message } from '@sekisho/contract/language'
import { PUBLISH_TOKEN_PREFIX, PUBLISHER_RIGHTS, type PublisherRight } from '@sekisho/contract/publishing'
import { digestOf as digestOfPublishToken } from '@sekisho/server/publishers'
import type { Stores } from '@sekisho/server/state'
import {
  type CommandIo,
  complainOf,
  DATA_DIR,
  dataDirHelp,
  defineCommand,
  misuse,
  type ValuesOf,
} from '../../command.ts'
import { formatTime, plain, sayTo } from '../../language.ts'
import { onStores, type RecordAct } from '../../open-state.ts'
import { TEXTS } from '../../texts/index.ts'

const messageOf = createMessages(TEXTS, 'publishing')

const HELP: Message = messageOf('tokens_help', dataDirHelp(16))

const OPTIONS = {
  name: { type: 'string' },
  expires: { type: 'string' },
  may: { type: 'string' },
  ...DATA_DIR,
} as const
const HOUR_MS = 3_600_000
const MAX_LIFE_MS = 366 * 24 * HOUR_MS
const NAME = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,80}$/u

type Act = (stores: Stores, record: RecordAct, io: CommandIo) => Promise<number>

/** Runs `sekisho tokens …`. */
export const runTokens = defineCommand(
  { name: 'tokens', help: HELP, options: OPTIONS, maxPositionals: 2 },
  async (read, io) => {
    const { values, positionals } = read
    const act = readAct(positionals, values)
    if (typeof act !== 'function') return misuse(io, HELP, act)
    return onStores(values['data-dir'], io, (stores, record) => act(stores, record, io))
  },
)

type Values = ValuesOf<typeof OPTIONS>

/** Requested action, or a mistake in the options; undefined for an unknown one. */
function readAct([action, id]: readonly string[], values: Values): Act | Message | undefined {
  const { name, expires, may } = values
  const isBare = name === undefined && expires === undefined && may === undefined
  if (action === 'list' && id === undefined && isBare) return list
  if (action === 'remove' && id !== undefined && isBare) return (...rest) => remove(id, ...rest)
  if (action !== 'create' || id !== undefined) return undefined
  if (name === undefined || !NAME.test(name)) return messageOf('name_missing')
  const lifeMs = readLife(expires)
  if (lifeMs === null) return messageOf('expires_missing')
  const rights = may === undefined ? [...PUBLISHER_RIGHTS] : may.split(',').map((right) => right.trim())
  const known = PUBLISHER_RIGHTS.filter((right) => rights.includes(right))
  if (known.length !== rights.length) return messageOf('bad_may', PUBLISHER_RIGHTS)
  return (...rest) => create({ name, lifeMs, may: known }, ...rest)
}

function readLife(text: string | undefined): number | null {
  const [, count = '0', unit] = /^(\d{1,4})([hd])$/.exec(text ?? '') ?? []
  const ms = Number(count) * (unit === 'd' ? 24 * HOUR_MS : HOUR_MS)
  return ms > 0 && ms <= MAX_LIFE_MS ? ms : null
}

interface NewToken {
  readonly name: string
  readonly lifeMs: number
  readonly may: readonly PublisherRight[]
}

async function create({ name, lifeMs, may }: NewToken, stores: Stores, record: RecordAct, io: CommandIo) {
  const secret = PUBLISH_TOKEN_PREFIX + randomBytes(32).toString('base64url')
  const id = randomBytes(4).toString('hex')
  const createdAtMs = io.clock()
  const expiresAtMs = createdAtMs + lifeMs
  await record('publish_token_created', {
    token: id,
    name,
    may: may.join(),
    expires: new Date(expiresAtMs).toISOString(),
  })
  await stores.publishers.addToken(digestOfPublishToken(secret), { id, name, may, createdAtMs, expiresAtMs })
  const until = formatTime(expiresAtMs)
  io.print(secret)
  io.print(sayTo(io, messageOf('token_created', id, until)))
  return 0
}

async function list({ publishers }: Stores, _record: RecordAct, io: CommandIo): Promise<number> {
  for (const { id, name, may, expiresAtMs } of await publishers.listTokens()) {
    const isOver = expiresAtMs <= io.clock()
    const until = sayTo(io, messageOf('tokens_text', isOver, formatTime(expiresAtMs)))
    io.print(plain(`${id}  ${name}  ${may.join()}  ${until}`))
  }
  return 0
}

async function remove(id: string, { publishers }: Stores, record: RecordAct, io: CommandIo): Promise<number> {
  await record('publish_token_removed', { token: id })
  const wasThere = await publishers.removeToken(id)
  if (!wasThere) return complainOf('tokens', messageOf('token_not_found', id), io)
  io.print(sayTo(io, messageOf('token_removed', id)))
  return 0
}
