import type { DataFolder } from '@sekisho/gate'
import { listReleaseIds, loadManifest, movePointer, ReleaseError, readPointer } from '@sekisho/release'
import {
  type CommandIo,
  DATA_DIR,
  dataDirHelp,
  type RunCommand,
  readDataFolder,
  readOptions,
  recordAct,
} from './command.ts'

const HELP = `Usage: sekisho releases list [--data-dir DIR]
       sekisho releases rollback [ID] [--data-dir DIR]

list      shows the kept releases, newest first; * is the one being served
rollback  serves release ID, or without one the release before the one being served
          (a newer ID goes forward again). A running gate follows within a second.

${dataDirHelp(16)}
  --help          show this text`

/** Runs `sekisho releases …`. */
export const runReleases: RunCommand = async (args, io) => {
  const read = readOptions(args, io, { help: HELP, options: DATA_DIR, maxPositionals: 2 })
  if (!read.ok) return read.exitCode
  const [action, id] = read.positionals
  const folder = readDataFolder(read.values['data-dir'], io)
  try {
    if (action === 'list' && id === undefined) await list(folder.releases, io)
    else if (action === 'rollback') await rollback(folder, id, io)
    else {
      io.complain(HELP)
      return 2
    }
    return 0
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error
    io.complain(`sekisho releases: ${error.message}`)
    return 1
  }
}

async function list(releasesDir: string, io: CommandIo): Promise<void> {
  const served = await readPointer(releasesDir).catch(() => null)
  const ids = await listReleaseIds(releasesDir)
  if (ids.length === 0) io.print('There is no release yet: run sekisho build.')
  for (const id of ids) io.print(`${id === served ? '*' : ' '} ${id}  ${await describe(releasesDir, id)}`)
}

async function describe(releasesDir: string, id: string): Promise<string> {
  const manifest = await loadManifest(releasesDir, id).catch(() => null)
  if (manifest === null) return 'damaged'
  const files = manifest.editions.flatMap((edition) => [...edition.files.values()])
  const pages = files.filter(({ delivery }) => delivery === 'page').length
  const megabytes = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6
  return `${pages} pages, ${files.length} files, ${megabytes.toFixed(1)} MB`
}

async function rollback(folder: DataFolder, wanted: string | undefined, io: CommandIo): Promise<void> {
  const releasesDir = folder.releases
  const served = await readPointer(releasesDir).catch(() => null)
  const ids = await listReleaseIds(releasesDir)
  const id = wanted ?? ids.find((candidate) => served !== null && candidate < served)
  if (id === undefined)
    throw new ReleaseError('release_missing', ['there is no earlier release to go back to'])
  if (!ids.includes(id)) {
    throw new ReleaseError('release_missing', [
      `there is no release ${JSON.stringify(id)}; see sekisho releases list`,
    ])
  }
  // Read first: a damaged release must not be pointed to.
  await loadManifest(releasesDir, id)
  await recordAct(folder, io, 'release_rolled_back', { release: id, before: served })
  await movePointer(releasesDir, id)
  io.print(
    id === served
      ? `Release ${id} is already served.`
      : `Release ${id} is served instead of ${served ?? 'nothing'}.`,
  )
}
