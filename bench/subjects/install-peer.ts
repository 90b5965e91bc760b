import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeText } from '../corpus/write-docs.ts'
import { CACHE_DIR } from './subject.ts'

/** Installs a peer's packages once (`npmOptions` are lines of an `.npmrc`), outside the repository's own dependencies. Returns the folder with its `node_modules`. */
export function installPeer(
  name: string,
  dependencies: { [name: string]: string },
  npmOptions: readonly string[] = [],
): string {
  const dir = join(CACHE_DIR, 'peers', name)
  const file = join(dir, 'package.json')
  const manifest = JSON.stringify(
    { name: `peer-${name}`, private: true, type: 'module', dependencies },
    null,
    2,
  )
  const isCurrent = existsSync(file) && readFileSync(file, 'utf8') === manifest
  if (isCurrent && existsSync(join(dir, 'node_modules'))) return dir
  writeText(file, manifest)
  writeText(join(dir, '.npmrc'), ['audit=false', 'fund=false', ...npmOptions, ''].join('\n'))
  const { status } = spawnSync('npm', ['install', '--no-package-lock'], { cwd: dir, stdio: 'inherit' })
  if (status !== 0) throw new Error(`npm could not install ${name}: is the registry reachable?`)
  return dir
}
