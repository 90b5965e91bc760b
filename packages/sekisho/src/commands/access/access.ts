import { createMessages, type Message } from '@sekisho/contract/language'
import { DATA_DIR, dataDirHelp, defineCommand, misuse, readDataFolder } from '../../command.ts'
import { TEXTS } from '../../texts/index.ts'
import { explain } from './explain.ts'
import { review } from './review.ts'

const messageOf = createMessages(TEXTS, 'access')

const HELP: Message = messageOf('access_help', dataDirHelp(16))

const OPTIONS = { at: { type: 'string' }, out: { type: 'string' }, ...DATA_DIR } as const

/** Runs `sekisho access …`. */
export const runAccess = defineCommand(
  { name: 'access', help: HELP, options: OPTIONS, maxPositionals: 2 },
  async (read, io) => {
    const { 'data-dir': dataDir, at, out } = read.values
    const [action, address] = read.positionals
    const place = { folder: readDataFolder(dataDir, io), isFolderNamed: dataDir !== undefined }
    if (action === 'explain' && address !== undefined && at === undefined && out === undefined)
      return await explain(address, place, io)
    if (action === 'review' && address === undefined) return await review({ dataDir, at, out }, io, HELP)
    return misuse(io, HELP)
  },
)
