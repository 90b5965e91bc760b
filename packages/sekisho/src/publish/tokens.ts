import { randomBytes } from 'node:crypto'
import { PUBLISH_TOKEN_PREFIX, PUBLISHER_RIGHTS, type PublisherRight } from '@sekisho/contract/publishing'
import type { Stores } from '@sekisho/state'
import { digestOf as digestOfPublishToken } from '@sekisho/state/publishers'
import {
  type CommandIo,
  DATA_DIR,
  dataDirHelp,
  type RunCommand,
  readDataFolder,
  readOptions,
} from '../command.ts'
import { choose, formatTime, plain, type Text } from '../language.ts'
import { explainState, type RecordAct, readDatabase, withStores } from '../open-state.ts'

const HELP: Text = {
  ja: `使い方: sekisho tokens create --name NAME --expires 90d [--may publish,rollback]
       sekisho tokens list
       sekisho tokens remove ID

CI を使わずに公開する人のためのトークンを扱います。保存するのはダイジェストだけなので、トークンが表示されるのは作ったときの一度だけです。
SEKISHO_DATABASE_URL があれば、--data-dir を指定しない限り、そのデータベースを扱います（作成と削除には所有者のロールが必要です）。

  --name NAME     誰のためのものか。監査ログに残る
  --expires TIME  期限（例: 90d、12h）。366 日まで
  --may RIGHTS    できること。publish（公開）、rollback（切り戻し）、preview（プレビュー）をカンマ区切りで（既定: publish,rollback,preview）
${dataDirHelp(16, 'ja')}
  --help          この説明を表示する`,
  en: `Usage: sekisho tokens create --name NAME --expires 90d [--may publish,rollback]
       sekisho tokens list
       sekisho tokens remove ID

Tokens for those who publish without a CI. Only a digest is kept, so a token is shown once, when it is made.
With SEKISHO_DATABASE_URL set it works on that database, unless --data-dir is given; making and removing takes its owner's role.

  --name NAME     who it is for; the audit trail says so
  --expires TIME  how long it counts, as in 90d or 12h; 366 days at most
  --may RIGHTS    publish, rollback, preview, separated by commas (default: all three)
${dataDirHelp(16, 'en')}
  --help          show this text`,
}

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
export const runTokens: RunCommand = async (args, io) => {
  const read = readOptions(args, io, { help: choose(io, HELP), options: OPTIONS, maxPositionals: 2 })
  if (!read.ok) return read.exitCode
  const { values, positionals } = read
  const act = readAct(positionals, values, io)
  if (typeof act === 'string') {
    io.complain(act === '' ? choose(io, HELP) : `sekisho tokens: ${act}\n\n${choose(io, HELP)}`)
    return 2
  }
  const folder = readDataFolder(values['data-dir'], io)
  return explainState('tokens', io, async () => {
    const databaseUrl = values['data-dir'] === undefined ? readDatabase(io) : null
    let code = 0
    await withStores({ databaseUrl, folder }, io, async (stores, record) => {
      code = await act(stores, record, io)
    })
    return code
  })
}

interface Values {
  readonly name?: string
  readonly expires?: string
  readonly may?: string
}

/** What to do, or what is wrong with the options. */
function readAct([action, id]: readonly string[], values: Values, io: CommandIo): Act | string {
  const { name, expires, may } = values
  const isBare = name === undefined && expires === undefined && may === undefined
  if (action === 'list' && id === undefined && isBare) return list
  if (action === 'remove' && id !== undefined && isBare) return (...rest) => remove(id, ...rest)
  if (action !== 'create' || id !== undefined) return ''
  if (name === undefined || !NAME.test(name))
    return choose(io, {
      ja: '--name を 80 文字までで指定してください',
      en: '--name is required, 80 characters at most',
    })
  const lifeMs = readLife(expires)
  if (lifeMs === null)
    return choose(io, {
      ja: '--expires に期限を指定してください（例: 90d、12h。366 日まで）',
      en: '--expires is required, as in 90d or 12h; 366 days at most',
    })
  const rights = may === undefined ? [...PUBLISHER_RIGHTS] : may.split(',').map((right) => right.trim())
  const known = PUBLISHER_RIGHTS.filter((right) => rights.includes(right))
  if (known.length !== rights.length)
    return choose(io, {
      ja: `--may は ${PUBLISHER_RIGHTS.join(', ')} から選んでください`,
      en: `--may must be of ${PUBLISHER_RIGHTS.join(', ')}`,
    })
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
  io.print(
    choose(io, {
      ja: `ID ${id}、期限 ${until}。二度と表示できません。SEKISHO_PUBLISH_TOKEN に設定して sekisho publish を実行してください。`,
      en: `ID ${id}, until ${until}. It is not shown again: set SEKISHO_PUBLISH_TOKEN to it for sekisho publish.`,
    }),
  )
  return 0
}

async function list({ publishers }: Stores, _record: RecordAct, io: CommandIo): Promise<number> {
  for (const { id, name, may, expiresAtMs } of await publishers.listTokens()) {
    const isOver = expiresAtMs <= io.clock()
    const until = choose(io, {
      ja: `${isOver ? '期限切れ' : '期限'} ${formatTime(expiresAtMs)}`,
      en: `${isOver ? 'expired' : 'until'} ${formatTime(expiresAtMs)}`,
    })
    io.print(plain(`${id}  ${name}  ${may.join()}  ${until}`))
  }
  return 0
}

async function remove(id: string, { publishers }: Stores, record: RecordAct, io: CommandIo): Promise<number> {
  await record('publish_token_removed', { token: id })
  const wasThere = await publishers.removeToken(id)
  const said = wasThere
    ? { ja: `トークン ${id} を消しました。もう使えません`, en: `token ${id} is removed and counts no more` }
    : { ja: `トークン ${id} はありません`, en: `there is no token ${id}` }
  if (wasThere) io.print(choose(io, said))
  else io.complain(choose(io, said))
  return wasThere ? 0 : 1
}
