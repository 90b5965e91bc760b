import { previewOrigin } from '@sekisho/contract/preview-host'
import type { Preview, PreviewStore } from '@sekisho/release'
import type { DataFolder } from '@sekisho/state/data-folder'
import {
  type CommandIo,
  DATA_DIR,
  dataDirHelp,
  type RunCommand,
  readDataFolder,
  readOptions,
} from './command.ts'
import { choose, formatTime, plain, type Text } from './language.ts'
import { explainState, recordReleaseAct } from './open-state.ts'
import { openPublishedPreviews } from './release-store.ts'
import { withSettingsFile } from './site/settings-file.ts'

const HELP: Text = {
  ja: `使い方: sekisho previews list [--data-dir DIR]
       sekisho previews remove NAME [--data-dir DIR]

データフォルダー、または SEKISHO_RELEASES が示す場所のプレビューを扱います。

list    プレビューを、ブランチ、コミット、期限とともに表示する
remove  プレビューとそのファイルを消す。動いているゲートも 2 秒（バケットのときは 5 秒）で
        そのホストに答えなくなり、誰が消したかは監査ログに残る

${dataDirHelp(16, 'ja')}
  --help          この説明を表示する`,
  en: `Usage: sekisho previews list [--data-dir DIR]
       sekisho previews remove NAME [--data-dir DIR]

In the data folder, or where SEKISHO_RELEASES says.

list    shows the previews with their branch, commit and expiry
remove  deletes a preview and its files. To running gates its host is unknown after two seconds (five with a bucket);
        the audit trail tells who did it.

${dataDirHelp(16, 'en')}
  --help          show this text`,
}

/** Runs `sekisho previews …`. */
export const runPreviews: RunCommand = async (args, io) => {
  const read = readOptions(args, io, { help: choose(io, HELP), options: DATA_DIR, maxPositionals: 2 })
  if (!read.ok) return read.exitCode
  const [action, name] = read.positionals
  return explainState('previews', io, async () => {
    const folder = readDataFolder(read.values['data-dir'], io)
    const store = openPublishedPreviews(folder, io)
    if (action === 'list' && name === undefined) return list(store, io)
    if (action === 'remove' && name !== undefined) return remove(store, name, folder, io)
    io.complain(choose(io, HELP))
    return 2
  })
}

async function list(store: PreviewStore, io: CommandIo): Promise<number> {
  const previews = await store.list()
  if (previews.length === 0)
    io.print(choose(io, { ja: 'プレビューはありません。', en: 'There are no previews.' }))
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
  const expiry = isOver
    ? choose(io, { ja: `期限切れ ${until}`, en: `expired ${until}` })
    : choose(io, { ja: `期限 ${until}`, en: `until ${until}` })
  if (readers === undefined) return expiry
  const who = choose(io, { ja: `読者を限定（${few} 件）`, en: `for readers of its own (${few})` })
  return `${expiry}  ${who}`
}

async function remove(store: PreviewStore, name: string, folder: DataFolder, io: CommandIo): Promise<number> {
  if (!(await store.list()).some((preview) => preview.name === name)) {
    const quoted = JSON.stringify(name)
    const problem = choose(io, {
      ja: `${quoted} というプレビューはありません。sekisho previews list で確かめてください`,
      en: `there is no preview ${quoted}; see sekisho previews list`,
    })
    io.complain(`sekisho previews: ${problem}`)
    return 1
  }
  await recordReleaseAct(folder, io, 'preview_removed', { preview: name, in: store.place })
  await store.remove(name)
  io.print(
    choose(io, {
      ja: `プレビュー ${name} を消しました。動いているゲートも 2 秒（バケットのときは 5 秒）でこのホストに答えなくなります。`,
      en: `Preview ${name} is removed. Running gates no longer know its host after two seconds, after five where they follow a bucket.`,
    }),
  )
  return 0
}
