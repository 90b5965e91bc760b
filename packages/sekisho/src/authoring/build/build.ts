import { execFile } from 'node:child_process'
import { join, sep } from 'node:path'
import { promisify } from 'node:util'
import type { Grant } from '@sekisho/contract/grants'
import { createMessages, type Message } from '@sekisho/contract/language'
import {
  compareEditions,
  loadManifest,
  type Pointer,
  pruneStore,
  publishRelease,
  ReleaseError,
  type ReleaseSource,
  type Retention,
  readManifest,
  releasesDirOf,
} from '@sekisho/release'
import { type Builds, type PackReport, packRelease } from '@sekisho/release/packing'
import type { DataFolder } from '@sekisho/server/data-folder'
import { readGrantSetting, readRetention } from '@sekisho/server/settings'
import {
  type CommandIo,
  complainOf,
  DATA_DIR,
  dataDirHelp,
  defineCommand,
  explainErrors,
  readDataFolder,
} from '../../command.ts'
import { sayTo } from '../../language.ts'
import { recordReleaseAct } from '../../open-state.ts'
import { openPublishingStore, type PublishingStore } from '../../release-store.ts'
import { findSite, type Site } from '../../site/find-site.ts'
import { withSettingsFile } from '../../site/settings-file.ts'
import { TEXTS } from '../../texts/index.ts'
import { readEditions } from '../editions/read-editions.ts'
import { followEdits } from '../follow-edits.ts'
import type { Finding } from '../init/compatibility.ts'
import { findListed } from '../init/read-site.ts'
import { fingerprintInputs } from './build-fingerprint.ts'
import { lockBuild } from './build-lock.ts'
import { readBuildRecord, writeBuildRecord } from './build-record.ts'
import { deleteSetAside, setAside } from './earlier-builds.ts'
import { describeKeptAway, describeLost } from './kept-away.ts'
import { buildSite, type SiteBuildOptions, StandbyBuilds } from './site-builder.ts'

const messageOf = createMessages(TEXTS, 'build')

const HELP: Message = messageOf('build_help', dataDirHelp(16))

const OPTIONS = {
  site: { type: 'string' },
  force: { type: 'boolean' },
  watch: { type: 'boolean' },
  ...DATA_DIR,
} as const

/** Runs `sekisho build`. */
export const runBuild = defineCommand({ name: 'build', help: HELP, options: OPTIONS }, async (read, io) => {
  const { site, force = false, watch = false, 'data-dir': dataDir } = read.values
  const folder = readDataFolder(dataDir, io)
  const found = findSite(io.cwd, site)
  const here = { ...io, cwd: found.dir }
  const build = async (options: { readonly force: boolean; readonly standby?: StandbyBuilds }) => {
    await using _lock = await lockBuild(folder.root)
    return await buildUnlessCurrent({ site: found, ...options, ...openPublication(folder, here) }, here)
  }
  if (!watch) return await build({ force })
  let isForced = force
  return await buildOnEdits(folder, here, async (standby) => {
    const options = { force: isForced, standby }
    isForced = false
    return await build(options)
  })
})

/** Builds at once and after each edit until a signal comes. A build that fails has said why, and the next edit may mend it. */
async function buildOnEdits(
  { root }: DataFolder,
  io: CommandIo,
  build: (standby: StandbyBuilds) => Promise<number>,
): Promise<number> {
  const stop = new AbortController()
  const end = () => stop.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
  using standby = new StandbyBuilds({ siteDir: io.cwd, env: withSettingsFile(io) })
  const onEdit = async () => {
    await explainErrors('build', io, () => build(standby))
    if (stop.signal.aborted) return
    standby.refill()
    io.print(sayTo(io, messageOf('watching', io.cwd)))
  }
  await followEdits(io.cwd, stop.signal, onEdit, (name) => !join(io.cwd, name).startsWith(root + sep))
  return 0
}

/** Source and store of a release, and retention of earlier ones. */
interface Publication {
  readonly folder: DataFolder
  readonly publishing: PublishingStore
  readonly retention: Retention
  /** The operator's grants for other hosts; blocked resources are reported to the writer. */
  readonly grants: readonly Grant[]
}

interface BuildOptions extends Publication {
  readonly site: Site
  readonly force: boolean
  readonly standby?: StandbyBuilds
}

/** Reads from the settings where to publish; throws {@link ReleaseError}. */
export function openPublication(folder: DataFolder, io: CommandIo): Publication {
  const publishing = openPublishingStore(folder, io)
  const problems: Message[] = []
  const env = withSettingsFile(io)
  const retention = readRetention(env, problems)
  const grants = readGrantSetting(env, problems)
  if (problems.length > 0) throw new ReleaseError('build_invalid', problems)
  return { folder, publishing, retention, grants }
}

async function buildUnlessCurrent(options: BuildOptions, io: CommandIo): Promise<number> {
  const { site, folder, force, standby } = options
  const siteDir = site.dir
  const dataDir = folder.root
  const env = withSettingsFile({ env: io.env, cwd: siteDir })
  const source = await lastCommit(siteDir)
  const settings = `${env.SEKISHO_ORIGIN ?? ''} ${env.SEKISHO_LIGHT ?? ''}`
  const fingerprint = await fingerprintInputs({ siteDir, dataDir, settings, commit: source?.commit })
  if (!force && (await isCurrent(options, fingerprint, io))) return 0
  const making = {
    makeBuild: () =>
      buildAll({ siteDir, env, onLine: (line) => io.print(`  ${line}`), ...(standby && { standby }) }, io),
    onPacked: (releaseId: string) => writeBuildRecord(dataDir, { fingerprint, releaseId }),
    source,
    findListed: () => findListed(site),
  }
  try {
    return await packAndPublish(options, making, io)
  } finally {
    await deleteSetAside(siteDir)
  }
}

/** Builds a site: once, or for each of its editions. */
async function buildAll(options: SiteBuildOptions, io: CommandIo): Promise<Builds> {
  const editions = await readEditions(options.siteDir)
  if (editions !== null) {
    // Loaded here: an install that only serves and packs lacks what knows Docusaurus.
    const { buildEditions } = await import('./build-editions.ts')
    return { editions: await buildEditions(options, editions, io) }
  }
  const buildDir = join(options.siteDir, 'build')
  await setAside(options.siteDir, buildDir)
  await buildSite(options)
  return { buildDir }
}

/** Production of a release. */
interface Making {
  /** Resolves to what is to be packed. */
  readonly makeBuild: () => Promise<Builds>
  readonly onPacked?: (releaseId: string) => Promise<void>
  /** The commit that it is made from, where that is known. */
  readonly source?: Awaited<ReturnType<typeof lastCommit>>
  /** An element for the head of every page that lacks it. */
  readonly pageScript?: string
  /** Findings on the site's config; absent for a folder of HTML. */
  readonly findListed?: () => Promise<readonly Finding[]>
}

/** Packs what is made into a release and publishes it. Resolves to the exit code of the command. */
export async function packAndPublish(
  publication: Publication,
  { makeBuild, onPacked, source, pageScript, findListed }: Making,
  io: CommandIo,
): Promise<number> {
  const { folder, publishing, retention } = publication
  const startedMs = io.clock()
  const from = await publishing.store.readPointer()
  const builds = await makeBuild()
  const packedMs = io.clock()
  io.print(sayTo(io, messageOf('packing_release')))
  const beforePublish = publishing.isElsewhere ? {} : { beforePublish: recordPublishing(publication, io) }
  const report = await packRelease({
    ...builds,
    dataDir: folder.root,
    clock: io.clock,
    retention,
    ...(source === undefined ? {} : { source }),
    ...(pageScript === undefined ? {} : { pageScript }),
    ...beforePublish,
    onProgress: progress(io),
  })
  await onPacked?.(report.id)
  if (publishing.isElsewhere && !(await publish(report.id, from, publication, io))) return 1
  await reportChanges(publication, from.id, report.id, io)
  printReport(report, { buildMs: packedMs - startedMs, packMs: io.clock() - packedMs }, io)
  const listed = report.refused.length === 0 ? [] : ((await findListed?.()) ?? [])
  for (const line of describeKeptAway(report.refused, publication.grants, io.env, listed)) io.print(line)
  for (const line of describeLost(report.lost, io.env)) io.print(line)
  const unnamed = [...new Set(report.unnamedHtml)]
  if (unnamed.length > 0)
    io.print(sayTo(io, messageOf('unnamed_html', unnamed.slice(0, MAX_PATHS), unnamed.length - MAX_PATHS)))
  return 0
}

const MAX_PATHS = 10

/** Prints the pages that each edition gains and loses against the release that was served. */
async function reportChanges(
  { folder, publishing: { store } }: Publication,
  servedId: string | null,
  madeId: string,
  io: CommandIo,
): Promise<void> {
  const before = servedId === null ? null : await store.readManifest(servedId).catch(() => null)
  if (before === null || servedId === null) return
  const [then, now] = [readManifest(before, servedId), await loadManifest(releasesDirOf(folder.root), madeId)]
  if (then.editions.length === 1 && now.editions.length === 1) return
  const some = (paths: readonly string[]) => [
    ...paths.slice(0, MAX_PATHS),
    ...(paths.length > MAX_PATHS ? ['…'] : []),
  ]
  for (const { name, gained, lost, widened } of compareEditions(then, now)) {
    if (gained.length + lost.length > 0)
      io.print(
        sayTo(
          io,
          messageOf('edition_changes', name, { gained: some(gained), lost: some(lost) }, [
            gained.length,
            lost.length,
          ]),
        ),
      )
    if (widened.length > 0) io.print(sayTo(io, messageOf('edition_widened', name, some(widened))))
  }
}

/** Records what is about to be served, and where. */
function recordPublishing({ folder, publishing: { store } }: Publication, io: CommandIo) {
  return (release: string) => recordReleaseAct(folder, io, 'release_published', { release, in: store.place })
}

/** Sends the release to the gates' store. False after a concurrent publication. */
async function publish(id: string, from: Pointer, options: Publication, io: CommandIo): Promise<boolean> {
  const { store } = options.publishing
  await recordPublishing(options, io)(id)
  io.print(sayTo(io, messageOf('publishing_to', store.place)))
  const { served, sent } = await publishRelease(
    { releasesDir: releasesDirOf(options.folder.root), id, from },
    store,
  )
  io.print(sayTo(io, messageOf('files_new', sent)))
  if (!served) {
    complainOf('build', messageOf('published_concurrently', id, store.place), io)
    return false
  }
  await pruneStore(store, options.retention, io.clock())
  return true
}

/** Tells if the last build had the same inputs and its release is still readable. */
async function isCurrent(options: BuildOptions, fingerprint: string, io: CommandIo): Promise<boolean> {
  const dataDir = options.folder.root
  const { store } = options.publishing
  const record = await readBuildRecord(dataDir)
  if (record === null || record.fingerprint !== fingerprint) return false
  const manifest = await loadManifest(releasesDirOf(dataDir), record.releaseId).catch(() => null)
  if (manifest === null || !(await store.list()).some(({ id }) => id === record.releaseId)) return false
  const served = await store.readPointer()
  if (served.id === null) {
    await recordPublishing(options, io)(record.releaseId)
    await store.movePointer(record.releaseId, served)
  }
  const files = manifest.editions.reduce((sum, edition) => sum + edition.files.size, 0)
  io.print(sayTo(io, messageOf('build_unchanged', record.releaseId, files)))
  if (served.id !== null && served.id !== record.releaseId) {
    io.print(sayTo(io, messageOf('served_after_rollback', served.id, record.releaseId)))
  }
  return true
}

/** Prints at every quarter of a large release; small ones are packed at once. */
function progress(io: CommandIo): (done: number, total: number) => void {
  let printed = 0
  return (done, total) => {
    const quarter = Math.floor((done / total) * 4)
    if (total < 200 || quarter <= printed) return
    printed = quarter
    io.print(sayTo(io, messageOf('files', done, total)))
  }
}

function printReport(report: PackReport, times: { buildMs: number; packMs: number }, io: CommandIo): void {
  const seconds = (ms: number) => (ms / 1000).toFixed(1)
  const { id, pages, files, compressed } = report
  const [megabytes, built, packed] = [
    (report.bytes / 1e6).toFixed(1),
    seconds(times.buildMs),
    seconds(times.packMs),
  ]
  io.print(
    report.reused
      ? sayTo(io, messageOf('release_unchanged', id))
      : sayTo(io, messageOf('release_published', id)),
  )
  io.print(sayTo(io, messageOf('pages_files_mb', pages, files, megabytes)))
  io.print(sayTo(io, messageOf('built_in_s', built, packed, compressed)))
}

const FORMAT = ['%H', '%an', '%s'].join('%x00')

/** The last commit that touched a folder; undefined where Git knows none. */
async function lastCommit(folder: string): Promise<ReleaseSource | undefined> {
  try {
    const git = await promisify(execFile)('git', ['log', '-1', `--format=${FORMAT}`, '--', '.'], {
      cwd: folder,
    })
    const [commit, author, subject] = git.stdout.trimEnd().split('\0')
    return commit && author !== undefined && subject !== undefined ? { commit, author, subject } : undefined
  } catch {
    return undefined
  }
}
