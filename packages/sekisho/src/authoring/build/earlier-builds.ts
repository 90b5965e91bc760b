import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Below the site: moving costs nothing on one disk. */
const EARLIER_BUILDS = '.cache/earlier-builds'

/**
 * Moves an earlier build aside without deleting it. For a minute after deletions ext4 skips their inodes one by one at each creation
 * (`recently_deleted` in its ialloc.c): a quarter of the processor time of editing two editions (decisions/185).
 */
export async function setAside(siteDir: string, buildDir: string): Promise<void> {
  if (!existsSync(buildDir)) return
  const place = join(siteDir, EARLIER_BUILDS)
  await mkdir(place, { recursive: true })
  // On a disk of its own it stays: Docusaurus empties it before it writes.
  await rename(buildDir, join(place, randomUUID())).catch(() => undefined)
}

/** Deletes what was set aside, once nothing more is written; also by a build that did not come to its end. */
export async function deleteSetAside(siteDir: string): Promise<void> {
  await rm(join(siteDir, EARLIER_BUILDS), { recursive: true, force: true })
}
