import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { packRelease } from '@sekisho/release/packing'
import { writeSiteBuild } from './site-build.ts'

/** A packed release of the measured site in a data folder of its own, and the build it was made of. */
interface BenchRelease {
  readonly dataDir: string
  readonly buildDir: string
}

/** Packs the release of `pages` pages once; later runs use what is there. */
export async function packBenchRelease(cacheDir: string, pages: number): Promise<BenchRelease> {
  const root = join(cacheDir, `gate-${pages}`)
  const release = { dataDir: join(root, 'data'), buildDir: join(root, 'build') }
  if (existsSync(join(release.dataDir, 'releases', 'current'))) return release
  rmSync(root, { recursive: true, force: true })
  writeSiteBuild(release.buildDir, pages)
  await packRelease({ ...release, clock: Date.now, retention: { keepMs: 0, maxReleases: 1 } })
  rmSync(join(release.dataDir, 'cache'), { recursive: true, force: true })
  return release
}
