import { join } from 'node:path'
import { createMessages } from '@sekisho/contract/language'
import type { EditionBuild } from '@sekisho/release/packing'
import type { CommandIo } from '../../command.ts'
import { sayTo } from '../../language.ts'
import { TEXTS } from '../../texts/index.ts'
import { findMovingCategories } from '../editions/category-addresses.ts'
import { divideSite } from '../editions/check-whole.ts'
import { takePagesOf, useOwnCaches } from '../editions/edition-caches.ts'
import { EDITIONS_FILE, labelsIn, type SiteEditions } from '../editions/read-editions.ts'
import { shareIndexes } from '../editions/share-indexes.ts'
import { listSiteFiles } from '../editions/site-files.ts'
import { openStage, STAGED_CONFIG, stageSite } from '../editions/stage-site.ts'
import { setAside } from './earlier-builds.ts'
import { buildSite, type SiteBuildOptions } from './site-builder.ts'

const messageOf = createMessages(TEXTS, 'build')
const siteMessageOf = createMessages(TEXTS, 'site')

/** Folder of builds below the site; of the unrestricted build where sites have only one. */
const EVERYBODYS_BUILD = 'build'
const BUILDS = '.cache/editions'

/**
 * Builds each edition from a folder of its files alone, one after another in the same place: build caches then see the second edition as an
 * edit of the first. Rejects with `ReleaseError` for a site that cannot be divided.
 */
export async function buildEditions(
  options: SiteBuildOptions,
  editions: SiteEditions,
  io: CommandIo,
): Promise<readonly EditionBuild[]> {
  const { siteDir } = options
  const files = await listSiteFiles(siteDir, editions)
  const { held: divided, unnamed } = divideSite(editions, files)
  if (unnamed.length > 0) io.print(sayTo(io, siteMessageOf('unnamed_files', unnamed, EDITIONS_FILE)))
  for (const moving of findMovingCategories(files, divided)) io.print(`⚠ ${sayTo(io, moving)}`)
  const stage = await openStage(siteDir)
  const builds: EditionBuild[] = []
  const beganAtMs = Date.now()
  for (const { name, audiences } of editions.editions) {
    const held = divided.get(name) ?? new Set()
    const pages = files.filter((file) => file.isMarkdown && held.has(file.name)).length
    io.print(sayTo(io, messageOf('edition_markdown_files', name, pages)))
    await stageSite(stage, siteDir, { files, held, audiences, labels: editions.labels })
    await useOwnCaches(stage, siteDir, name)
    const before = builds.at(-1)?.name
    if (before !== undefined) await takePagesOf(siteDir, before, name, beganAtMs)
    const buildDir = join(siteDir, audiences.length === 0 ? EVERYBODYS_BUILD : `${BUILDS}/${name}`)
    await setAside(siteDir, buildDir)
    await buildSite({
      ...options,
      siteDir: stage.siteDir,
      options: ['--config', STAGED_CONFIG, '--out-dir', buildDir],
      variables: stage.git,
    })
    builds.push({ name, audiences, ...labelsIn(editions, { name, audiences }), buildDir })
  }
  return shareIndexes(builds)
}
