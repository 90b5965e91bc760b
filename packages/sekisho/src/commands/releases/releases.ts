import { createMessages, type Message } from '@sekisho/contract/language'
import {
  allStoredFiles,
  findWidening,
  type Manifest,
  ReleaseError,
  type ReleaseStore,
  readManifest,
  releaseBefore,
} from '@sekisho/release'
import type { DataFolder } from '@sekisho/server/data-folder'
import {
  type CommandIo,
  DATA_DIR,
  dataDirHelp,
  defineCommand,
  misuse,
  readDataFolder,
} from '../../command.ts'
import { formatTime, plain, sayTo } from '../../language.ts'
import { recordReleaseAct } from '../../open-state.ts'
import { openPublishingStore } from '../../release-store.ts'
import { TEXTS } from '../../texts/index.ts'
import { runRemoteReleases } from '../publish/remote-releases.ts'

const messageOf = createMessages(TEXTS, 'publishing')

const HELP: Message = messageOf('releases_help', dataDirHelp(16))

const OPTIONS = {
  to: { type: 'string' },
  widen: { type: 'boolean', default: false },
  ...DATA_DIR,
} as const

/** Runs `sekisho releases …`. */
export const runReleases = defineCommand(
  { name: 'releases', help: HELP, options: OPTIONS, maxPositionals: 2 },
  async (read, io) => {
    const [action, id] = read.positionals
    const { to, widen } = read.values
    if (to !== undefined) return runRemoteReleases({ to, action, id, widen }, io, HELP)
    const folder = readDataFolder(read.values['data-dir'], io)
    const { store } = openPublishingStore(folder, io)
    if (action === 'list' && id === undefined) await list(store, io)
    else if (action === 'rollback') await rollback(store, { id, widen }, folder, io)
    else if (action === 'remove' && id !== undefined) await remove(store, id, folder, io)
    else return misuse(io, HELP)
    return 0
  },
)

async function list(store: ReleaseStore, io: CommandIo): Promise<void> {
  const served = await store.readPointer()
  const releases = await store.list()
  if (releases.length === 0) {
    io.print(sayTo(io, messageOf('no_release_yet')))
  }
  const manifests = new Map<string, Manifest | null>()
  for (const { id } of releases) manifests.set(id, await loadIfWhole(store, id))
  for (const [at, { id }] of releases.entries()) {
    const before = manifests.get(releases[at + 1]?.id ?? '') ?? null
    const lines = describe(manifests.get(id) ?? null, before, io)
    io.print(`${id === served.id ? '*' : ' '} ${id}  ${lines[0]}`)
    for (const line of lines.slice(1)) io.print(`    ${line}`)
  }
}

async function loadIfWhole(store: ReleaseStore, id: string): Promise<Manifest | null> {
  return loadManifest(store, id).catch((error: unknown) => {
    if (error instanceof ReleaseError && error.code !== 'store_unavailable') return null
    throw error
  })
}

/** Time, size, changes since the release before it, and commit. */
function describe(manifest: Manifest | null, before: Manifest | null, io: CommandIo): string[] {
  if (manifest === null) return [sayTo(io, messageOf('damaged'))]
  const files = manifest.editions.flatMap((edition) => [...edition.files.values()])
  const megabytes = (files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6).toFixed(1)
  const pages = pagesOf(manifest)
  const changed = before === null ? null : countChanges(pages, pagesOf(before))
  const what = sayTo(io, messageOf('pages_files_mb', pages.size, files.length, megabytes, changed))
  const first = `${formatTime(Date.parse(manifest.createdAt))}  ${what}`
  const { source } = manifest
  return source === undefined
    ? [first]
    : [first, plain(`${source.commit.slice(0, 9)}  ${source.author}  ${source.subject}`)]
}

/** Hashes of the pages by edition and path. */
function pagesOf({ editions }: Manifest): ReadonlyMap<string, string> {
  return new Map(
    editions.flatMap(({ name, files }) =>
      [...files].flatMap(([path, { delivery, sha256 }]) =>
        delivery === 'page' ? [[`${name} ${path}`, sha256]] : [],
      ),
    ),
  )
}

/** Pages that are new, other or gone. */
function countChanges(after: ReadonlyMap<string, string>, before: ReadonlyMap<string, string>): number {
  return [...new Set([...after.keys(), ...before.keys()])].filter((key) => after.get(key) !== before.get(key))
    .length
}

async function rollback(
  store: ReleaseStore,
  { id: wanted, widen }: { readonly id: string | undefined; readonly widen: boolean },
  folder: DataFolder,
  io: CommandIo,
): Promise<void> {
  const served = await store.readPointer()
  const kept = await store.list()
  const ids = kept.map(({ id }) => id)
  const id = wanted ?? releaseBefore(kept, served.id)
  if (id === undefined) throw new ReleaseError('release_missing', [messageOf('no_earlier_release')])
  assertKept(id, ids)
  // Read first: a release that is damaged, or was removed in part, must not be pointed to.
  const manifest = await loadManifest(store, id)
  const before = served.id === null ? null : await loadIfWhole(store, served.id)
  const widening = widen || before === null ? [] : findWidening(before, manifest)
  if (widening.length > 0) throw new ReleaseError('pointer_moved', [messageOf('would_widen', widening)])
  const [lost] = await store.findLost(id, [...allStoredFiles(manifest)])
  if (lost !== undefined) throw new ReleaseError('release_missing', [messageOf('file_gone', lost.name, id)])
  await recordReleaseAct(folder, io, 'release_rolled_back', {
    release: id,
    before: served.id,
    in: store.place,
  })
  if (!(await store.movePointer(id, served))) {
    throw new ReleaseError('pointer_moved', [messageOf('rollback_conflict')])
  }
  io.print(
    id === served.id
      ? sayTo(io, messageOf('release_already_served', id))
      : sayTo(io, messageOf('release_served_instead', id, served.id)),
  )
}

async function remove(store: ReleaseStore, id: string, folder: DataFolder, io: CommandIo): Promise<void> {
  assertKept(
    id,
    (await store.list()).map((kept) => kept.id),
  )
  if ((await store.readPointer()).id === id) {
    throw new ReleaseError('pointer_moved', [messageOf('release_in_use', id)])
  }
  await recordReleaseAct(folder, io, 'release_removed', { release: id, in: store.place })
  await store.remove(id)
  io.print(sayTo(io, messageOf('release_removed_running', id)))
}

function assertKept(id: string, kept: readonly string[]): void {
  if (kept.includes(id)) return
  throw new ReleaseError('release_missing', [messageOf('no_such_release', JSON.stringify(id))])
}

async function loadManifest(store: ReleaseStore, id: string) {
  return readManifest(await store.readManifest(id), id)
}
