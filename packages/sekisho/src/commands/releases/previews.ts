import { createMessages, type Message } from '@sekisho/contract/language'
import { previewOrigin } from '@sekisho/contract/preview-host'
import type { Preview, PreviewStore } from '@sekisho/release'
import type { DataFolder } from '@sekisho/server/data-folder'
import {
  type CommandIo,
  complainOf,
  DATA_DIR,
  dataDirHelp,
  defineCommand,
  misuse,
  readDataFolder,
} from '../../command.ts'
import { formatTime, plain, sayTo } from '../../language.ts'
import { recordReleaseAct } from '../../open-state.ts'
import { openPublishedPreviews } from '../../release-store.ts'
import { withSettingsFile } from '../../site/settings-file.ts'
import { TEXTS } from '../../texts/index.ts'

const messageOf = createMessages(TEXTS, 'publishing')

const HELP: Message = messageOf('previews_help', dataDirHelp(16))

/** Runs `sekisho previews …`. */
export const runPreviews = defineCommand(
  { name: 'previews', help: HELP, options: DATA_DIR, maxPositionals: 2 },
  async (read, io) => {
    const [action, name] = read.positionals
    const folder = readDataFolder(read.values['data-dir'], io)
    const store = openPublishedPreviews(folder, io)
    if (action === 'list' && name === undefined) return list(store, io)
    if (action === 'remove' && name !== undefined) return remove(store, name, folder, io)
    return misuse(io, HELP)
  },
)

async function list(store: PreviewStore, io: CommandIo): Promise<number> {
  const previews = await store.list()
  if (previews.length === 0) io.print(sayTo(io, messageOf('previews_empty')))
  const portal = URL.parse(withSettingsFile(io).SEKISHO_ORIGIN?.trim() ?? '')
  for (const preview of previews) {
    const { name, branch, commit } = preview
    const address = portal === null ? null : previewOrigin(name, portal)
    io.print(`${name}  ${plain(branch)}  ${commit.slice(0, 9)}  ${describeExpiry(preview, io)}`)
    if (address !== null) io.print(`    ${address.origin}/`)
    if (preview.owner !== undefined) io.print(`    ${plain(preview.owner)}`)
  }
  return 0
}

function describeExpiry({ expiresAtMs, readers }: Preview, io: CommandIo): string {
  const until = formatTime(expiresAtMs)
  const isOver = expiresAtMs <= io.clock()
  const few = readers === undefined ? 0 : readers.domains.length + readers.emails.length
  const expiry = isOver ? sayTo(io, messageOf('expired', until)) : sayTo(io, messageOf('until', until))
  if (readers === undefined) return expiry
  const who = sayTo(io, messageOf('preview_readers', few))
  return `${expiry}  ${who}`
}

async function remove(store: PreviewStore, name: string, folder: DataFolder, io: CommandIo): Promise<number> {
  if (!(await store.list()).some((preview) => preview.name === name))
    return complainOf('previews', messageOf('preview_not_found', JSON.stringify(name)), io)
  await recordReleaseAct(folder, io, 'preview_removed', { preview: name, in: store.place })
  await store.remove(name)
  io.print(sayTo(io, messageOf('preview_removed_running', name)))
  return 0
}
