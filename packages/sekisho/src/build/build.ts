import type { DataFolder } from '@sekisho/gate'
import { loadManifest, movePointer, ReleaseError, readPointer, releasesDirOf } from '@sekisho/release'
import { type PackReport, packRelease } from '@sekisho/release/packing'
import {
  type CommandIo,
  DATA_DIR,
  dataDirHelp,
  type RunCommand,
  readDataFolder,
  readOptions,
  recordAct,
} from '../command.ts'
import { findSite, SiteError } from '../site/find-site.ts'
import { withSettingsFile } from '../site/settings-file.ts'
import { fingerprintInputs } from './build-fingerprint.ts'
import { lockBuild } from './build-lock.ts'
import { readBuildRecord, writeBuildRecord } from './build-record.ts'
import { buildSite } from './site-builder.ts'

const HELP = `Usage: sekisho build [--site DIR] [--data-dir DIR] [--force]

Builds the site, packs the result into a release and publishes it. A running gate takes it up within a second.
When nothing has changed since the last build, nothing is built and the pointer stays where it is.

  --site DIR      the Docusaurus site (default: the one this folder belongs to, or the only one below it)
${dataDirHelp(16)}
  --force         build and publish even if nothing has changed
  --help          show this text`

const OPTIONS = {
  site: { type: 'string' },
  force: { type: 'boolean' },
  ...DATA_DIR,
} as const

/** Runs `sekisho build`. */
export const runBuild: RunCommand = async (args, io) => {
  const read = readOptions(args, io, { help: HELP, options: OPTIONS })
  if (!read.ok) return read.exitCode
  const { site, force = false, 'data-dir': dataDir } = read.values
  const folder = readDataFolder(dataDir, io)
  try {
    const { dir } = findSite(io.cwd, site)
    await using _lock = await lockBuild(folder.root)
    return await buildUnlessCurrent({ siteDir: dir, folder, force }, io)
  } catch (error) {
    if (!(error instanceof ReleaseError || error instanceof SiteError)) throw error
    io.complain(`sekisho build: ${error.message}`)
    return 1
  }
}

interface BuildOptions {
  readonly siteDir: string
  readonly folder: DataFolder
  readonly force: boolean
}

async function buildUnlessCurrent({ siteDir, folder, force }: BuildOptions, io: CommandIo): Promise<number> {
  const dataDir = folder.root
  const startedMs = io.clock()
  const env = withSettingsFile({ env: io.env, cwd: siteDir })
  const fingerprint = await fingerprintInputs(siteDir, dataDir, env.SEKISHO_ORIGIN ?? '')
  if (!force && (await isCurrent(folder, fingerprint, io))) return 0

  const buildDir = await buildSite({ siteDir, env, onLine: (line) => io.print(`  ${line}`) })
  const packedMs = io.clock()
  io.print('Packing the release')
  const beforePublish = (release: string) => recordAct(folder, io, 'release_published', { release })
  const options = { buildDir, dataDir, clock: io.clock, onProgress: progress(io) }
  const report = await packRelease({ ...options, beforePublish })
  await writeBuildRecord(dataDir, { fingerprint, releaseId: report.id })
  printReport(report, { buildMs: packedMs - startedMs, packMs: io.clock() - packedMs }, io)
  return 0
}

/** Whether the last build was made from the same inputs and its release is still whole enough to be read. */
async function isCurrent(folder: DataFolder, fingerprint: string, io: CommandIo): Promise<boolean> {
  const dataDir = folder.root
  const record = await readBuildRecord(dataDir)
  if (record === null || record.fingerprint !== fingerprint) return false
  const releasesDir = releasesDirOf(dataDir)
  const manifest = await loadManifest(releasesDir, record.releaseId).catch(() => null)
  if (manifest === null) return false
  const served = await readPointer(releasesDir).catch(() => null)
  if (served === null) {
    await recordAct(folder, io, 'release_published', { release: record.releaseId })
    await movePointer(releasesDir, record.releaseId)
  }
  const files = manifest.editions.reduce((sum, edition) => sum + edition.files.size, 0)
  io.print(`Nothing has changed: release ${record.releaseId} (${files} files) is up to date.`)
  if (served !== null && served !== record.releaseId) {
    io.print(
      `Served is ${served}, because somebody rolled back. To serve the newest: sekisho releases rollback ${record.releaseId}`,
    )
  }
  return true
}

/** Prints at every quarter of a large release; a small one is packed before anybody wonders. */
function progress(io: CommandIo): (done: number, total: number) => void {
  let printed = 0
  return (done, total) => {
    const quarter = Math.floor((done / total) * 4)
    if (total < 200 || quarter <= printed) return
    printed = quarter
    io.print(`  ${done} of ${total} files`)
  }
}

function printReport(report: PackReport, times: { buildMs: number; packMs: number }, io: CommandIo): void {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  const state = report.reused ? 'has the same content and is served again' : 'is published'
  io.print(`Release ${report.id} ${state}.`)
  io.print(`  ${report.pages} pages, ${report.files} files, ${(report.bytes / 1e6).toFixed(1)} MB`)
  io.print(
    `  built in ${seconds(times.buildMs)}, packed in ${seconds(times.packMs)} (${report.compressed} newly compressed)`,
  )
}
