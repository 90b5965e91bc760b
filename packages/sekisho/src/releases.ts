import type { DataFolder } from '@sekisho/gate'
import { ReleaseError, type ReleaseStore, readManifest } from '@sekisho/release'
import {
  type CommandIo,
  DATA_DIR,
  dataDirHelp,
  type RunCommand,
  readDataFolder,
  readOptions,
  recordAct,
} from './command.ts'
import { openPublishingStore } from './release-store.ts'

const HELP = `Usage: sekisho releases list [--data-dir DIR]
       sekisho releases rollback [ID] [--data-dir DIR]
       sekisho releases remove ID [--data-dir DIR]

In the data folder, or where SEKISHO_RELEASES says.

list      shows the kept releases, newest first; * is the one being served
rollback  serves release ID, or without one the release before the one being served
          (a newer ID goes forward again). Running gates follow within two seconds.
remove    deletes release ID, which must not be the one being served: for what must no longer be read in tabs that
          are still open. Running gates serve none of its files after two seconds (ten with a bucket); the audit trail tells who did it.

${dataDirHelp(16)}
  --help          show this text`

/** Runs `sekisho releases …`. */
export const runReleases: RunCommand = async (args, io) => {
  const read = readOptions(args, io, { help: HELP, options: DATA_DIR, maxPositionals: 2 })
  if (!read.ok) return read.exitCode
  const [action, id] = read.positionals
  try {
    const folder = readDataFolder(read.values['data-dir'], io)
    const { store } = openPublishingStore(folder, io)
    if (action === 'list' && id === undefined) await list(store, io)
    else if (action === 'rollback') await rollback(store, id, folder, io)
    else if (action === 'remove' && id !== undefined) await remove(store, id, folder, io)
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

async function list(store: ReleaseStore, io: CommandIo): Promise<void> {
  const served = await store.readPointer()
  const releases = await store.list()
  if (releases.length === 0) io.print('There is no release yet: run sekisho build.')
  for (const { id } of releases)
    io.print(`${id === served.id ? '*' : ' '} ${id}  ${await describe(store, id)}`)
}

async function describe(store: ReleaseStore, id: string): Promise<string> {
  const manifest = await loadManifest(store, id).catch((error: unknown) => {
    if (error instanceof ReleaseError && error.code !== 'store_unavailable') return null
    throw error
  })
  if (manifest === null) return 'damaged'
  const files = manifest.editions.flatMap((edition) => [...edition.files.values()])
  const pages = files.filter(({ delivery }) => delivery === 'page').length
  const megabytes = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6
  return `${pages} pages, ${files.length} files, ${megabytes.toFixed(1)} MB`
}

async function rollback(
  store: ReleaseStore,
  wanted: string | undefined,
  folder: DataFolder,
  io: CommandIo,
): Promise<void> {
  const served = await store.readPointer()
  const ids = (await store.list()).map(({ id }) => id)
  const id = wanted ?? ids.find((candidate) => served.id !== null && candidate < served.id)
  if (id === undefined)
    throw new ReleaseError('release_missing', ['there is no earlier release to go back to'])
  assertKept(id, ids)
  // Read first: a damaged release must not be pointed to.
  await loadManifest(store, id)
  await recordAct(folder, io, 'release_rolled_back', { release: id, before: served.id, in: store.place })
  if (!(await store.movePointer(id, served))) {
    throw new ReleaseError('pointer_moved', [
      'somebody else published or rolled back at this moment; see sekisho releases list',
    ])
  }
  io.print(
    id === served.id
      ? `Release ${id} is already served.`
      : `Release ${id} is served instead of ${served.id ?? 'nothing'}.`,
  )
}

async function remove(store: ReleaseStore, id: string, folder: DataFolder, io: CommandIo): Promise<void> {
  assertKept(
    id,
    (await store.list()).map((kept) => kept.id),
  )
  if ((await store.readPointer()).id === id) {
    throw new ReleaseError('pointer_moved', [`release ${id} is being served; roll back to another one first`])
  }
  await recordAct(folder, io, 'release_removed', { release: id, in: store.place })
  await store.remove(id)
  io.print(
    `Release ${id} is removed. Running gates serve none of its files after two seconds, after ten where they follow a bucket.`,
  )
}

function assertKept(id: string, kept: readonly string[]): void {
  if (kept.includes(id)) return
  throw new ReleaseError('release_missing', [
    `there is no release ${JSON.stringify(id)}; see sekisho releases list`,
  ])
}

async function loadManifest(store: ReleaseStore, id: string) {
  return readManifest(await store.readManifest(id), id)
}
