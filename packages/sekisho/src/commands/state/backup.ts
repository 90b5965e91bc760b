import { resolve } from 'node:path'
import { createMessages, type Message } from '@sekisho/contract/language'
import { type Backup, restoreBackup, writeBackup } from '@sekisho/server/backup'
import type { DataFolder } from '@sekisho/server/data-folder'
import {
  type CommandIo,
  DATA_DIR,
  dataDirHelp,
  defineCommand,
  misuse,
  readDataFolder,
} from '../../command.ts'
import { sayTo } from '../../language.ts'
import { readDatabase, readSecrets, withStores } from '../../open-state.ts'
import { TEXTS } from '../../texts/index.ts'

const messageOf = createMessages(TEXTS, 'state')

const BACKUP_HELP: Message = messageOf('backup_help', dataDirHelp(16))
const RESTORE_HELP: Message = messageOf('restore_help', dataDirHelp(20))

/** Runs `sekisho backup DIR`; the trail says so before anything is copied, and the copy holds that line. */
export const runBackup = defineCommand(
  { name: 'backup', help: BACKUP_HELP, options: DATA_DIR, maxPositionals: 1 },
  async (read, io) => {
    const [dir] = read.positionals
    if (dir === undefined) return misuse(io, BACKUP_HELP)
    const place = readPlace(read.values['data-dir'], io)
    const startedMs = performance.now()
    const out = resolve(io.cwd, dir)
    await withStores(place, io, (_stores, record) => record('state_backed_up', { to: out }))
    const backup = await writeBackup({ ...place, out, now: io.clock, onProgress: progressOf(io) })
    io.progress?.('')
    io.print(sayTo(io, messageOf('backup_written', out, backup.files.length, secondsSince(startedMs))))
    printHeads(backup, io)
    return 0
  },
)

const RESTORE_OPTIONS = {
  'expect-head': { type: 'string', multiple: true },
  'dry-run': { type: 'boolean' },
  ...DATA_DIR,
} as const

/** Runs `sekisho restore DIR`. */
export const runRestore = defineCommand(
  { name: 'restore', help: RESTORE_HELP, options: RESTORE_OPTIONS, maxPositionals: 1 },
  async (read, io) => {
    const [dir] = read.positionals
    if (dir === undefined) return misuse(io, RESTORE_HELP)
    const place = readPlace(read.values['data-dir'], io)
    const isDry = read.values['dry-run'] === true
    const heads = read.values['expect-head'] ?? []
    const from = resolve(io.cwd, dir)
    const startedMs = performance.now()
    const record = (folder: DataFolder, { at }: Backup) =>
      withStores({ ...place, folder }, io, (_stores, act) => act('state_restored', { from, taken: at }))
    const options = { ...place, from, heads, isDry, record, now: io.clock, onProgress: progressOf(io) }
    const { backup, files, rows, putAside } = await restoreBackup(options)
    io.progress?.('')
    const seconds = secondsSince(startedMs)
    io.print(sayTo(io, messageOf(isDry ? 'restore_tried' : 'restored', files, rows, seconds)))
    printHeads(backup, io)
    if (isDry) return 0
    if (putAside !== null) io.print(sayTo(io, messageOf('restore_aside', putAside)))
    return 0
  },
)

function readPlace(dataDir: string | undefined, io: CommandIo) {
  return {
    folder: readDataFolder(dataDir, io),
    databaseUrl: dataDir === undefined ? readDatabase(io) : null,
    secrets: readSecrets(io),
  }
}

function progressOf({ progress }: CommandIo): (path: string) => void {
  return (path) => progress?.(path)
}

const secondsSince = (startedMs: number): string => ((performance.now() - startedMs) / 1_000).toFixed(1)

function printHeads({ heads }: Backup, io: CommandIo): void {
  for (const { chain, seq, hash } of heads) io.print(sayTo(io, messageOf('backup_chain', chain, seq, hash)))
}
