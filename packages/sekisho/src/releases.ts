import {
  allStoredFiles,
  type Manifest,
  ReleaseError,
  type ReleaseStore,
  readManifest,
} from '@sekisho/release'
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
import { runRemoteReleases } from './publish/remote-releases.ts'
import { openPublishingStore } from './release-store.ts'

const HELP: Text = {
  ja: `使い方: sekisho releases list [--data-dir DIR]
       sekisho releases rollback [ID] [--data-dir DIR]
       sekisho releases remove ID [--data-dir DIR]
       sekisho releases list|rollback [ID] --to ORIGIN

データフォルダー、または SEKISHO_RELEASES が示す場所のリリースを扱います。

list      残っているリリースを新しい順に表示する。* は配信中
rollback  リリース ID を配信する。省略すると、配信中のものの 1 つ前（新しい ID を指定すれば進む）。
          動いているゲートは 2 秒以内に切り替わる
remove    リリース ID を消す。開いたままのタブからも読めなくする必要があるときに使う。配信中のものは消せない。
          動いているゲートも 2 秒（バケットのときは 10 秒）で配信をやめ、誰が消したかは監査ログに残る

  --to ORIGIN     離れたゲートで行う。認証は sekisho publish と同じで、rollback の権利が必要
${dataDirHelp(16, 'ja')}
  --help          この説明を表示する`,
  en: `Usage: sekisho releases list [--data-dir DIR]
       sekisho releases rollback [ID] [--data-dir DIR]
       sekisho releases remove ID [--data-dir DIR]
       sekisho releases list|rollback [ID] --to ORIGIN

In the data folder, or where SEKISHO_RELEASES says.

list      shows the kept releases, newest first; * is the one being served
rollback  serves release ID, or without one the release before the one being served
          (a newer ID goes forward again). Running gates follow within two seconds.
remove    deletes release ID, which must not be the one being served: for what must no longer be read in tabs that
          are still open. Running gates serve none of its files after two seconds (ten with a bucket); the audit trail tells who did it.

  --to ORIGIN     at a gate elsewhere, with the credentials of sekisho publish and the right rollback
${dataDirHelp(16, 'en')}
  --help          show this text`,
}

const OPTIONS = { to: { type: 'string' }, ...DATA_DIR } as const

/** Runs `sekisho releases …`. */
export const runReleases: RunCommand = async (args, io) => {
  const read = readOptions(args, io, { help: choose(io, HELP), options: OPTIONS, maxPositionals: 2 })
  if (!read.ok) return read.exitCode
  const [action, id] = read.positionals
  const { to } = read.values
  if (to !== undefined) return runRemoteReleases({ to, action, id }, io, choose(io, HELP))
  return explainState('releases', io, async () => {
    const folder = readDataFolder(read.values['data-dir'], io)
    const { store } = openPublishingStore(folder, io)
    if (action === 'list' && id === undefined) await list(store, io)
    else if (action === 'rollback') await rollback(store, id, folder, io)
    else if (action === 'remove' && id !== undefined) await remove(store, id, folder, io)
    else {
      io.complain(choose(io, HELP))
      return 2
    }
    return 0
  })
}

async function list(store: ReleaseStore, io: CommandIo): Promise<void> {
  const served = await store.readPointer()
  const releases = await store.list()
  if (releases.length === 0) {
    const ja = 'まだリリースがありません。sekisho build を実行してください。'
    io.print(choose(io, { ja, en: 'There is no release yet: run sekisho build.' }))
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

/** When, how much, what changed since the release before it, and by which commit. */
function describe(manifest: Manifest | null, before: Manifest | null, io: CommandIo): string[] {
  if (manifest === null) return [choose(io, { ja: '壊れています', en: 'damaged' })]
  const files = manifest.editions.flatMap((edition) => [...edition.files.values()])
  const megabytes = (files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6).toFixed(1)
  const pages = pagesOf(manifest)
  const changed = before === null ? null : countChanges(pages, pagesOf(before))
  const what = choose(io, {
    ja: `${pages.size} ページ、${files.length} ファイル、${megabytes} MB${changed === null ? '' : `、変わったページ ${changed}`}`,
    en: `${pages.size} pages, ${files.length} files, ${megabytes} MB${changed === null ? '' : `, ${changed} pages changed`}`,
  })
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
  // Read first: a release that is damaged, or was removed in part, must not be pointed to.
  const [lost] = await store.findLost(id, [...allStoredFiles(await loadManifest(store, id))])
  if (lost !== undefined) throw new ReleaseError('release_missing', [`${lost.name} of release ${id} is gone`])
  await recordReleaseAct(folder, io, 'release_rolled_back', {
    release: id,
    before: served.id,
    in: store.place,
  })
  if (!(await store.movePointer(id, served))) {
    throw new ReleaseError('pointer_moved', [
      'somebody else published or rolled back at this moment; see sekisho releases list',
    ])
  }
  io.print(
    id === served.id
      ? choose(io, {
          ja: `リリース ${id} はすでに配信中です。`,
          en: `Release ${id} is already served.`,
        })
      : choose(io, {
          ja: `${served.id ?? 'なし'} に代えて、リリース ${id} を配信します。`,
          en: `Release ${id} is served instead of ${served.id ?? 'nothing'}.`,
        }),
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
  await recordReleaseAct(folder, io, 'release_removed', { release: id, in: store.place })
  await store.remove(id)
  io.print(
    choose(io, {
      ja: `リリース ${id} を消しました。動いているゲートも 2 秒（バケットのときは 10 秒）で配信をやめます。`,
      en: `Release ${id} is removed. Running gates serve none of its files after two seconds, after ten where they follow a bucket.`,
    }),
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
