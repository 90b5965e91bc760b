import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isOurs, type Locked, readServed } from './production-tree.ts'
import { PACKAGES_DIR } from './rooms.ts'
import { runNpm } from './run-npm.ts'

/**
 * Prints everything of others that is shipped, with versions, licences and hashes, as a software bill of materials in CycloneDX: what a
 * server runs, and what is in the bundle of the login page.
 */
const LICENSES = join(PACKAGES_DIR, 'login', 'dist', 'license.md')
/** `## @firebase/app - 0.16.2 (Apache-2.0)`, as the bundler writes it of each package it took something from. */
const BUNDLED = /^## (\S+) - (\S+)/gm
const IN_PACKAGES = /^(?:.*\/)?node_modules\//

const { lock, root, paths } = await readServed()
const bundled = findBundled(await readFile(LICENSES, 'utf8').catch(failWithoutLogin), lock.packages)
const served = [...paths].filter((path) => !isOurs(path) && lock.packages[path]?.link !== true)
const entries = Object.fromEntries(
  [...new Set([...served, ...bundled])].sort().map((path) => [path, lock.packages[path] ?? {}]),
)
process.stdout.write(identify(JSON.parse(await describe(entries))))

/** The lockfile's paths of what the bundle holds. */
function findBundled(licenses: string, packages: Readonly<Record<string, Locked>>): string[] {
  return [...licenses.matchAll(BUNDLED)].map(([, name = '', version]) => {
    const path = Object.keys(packages).find(
      (candidate) => candidate.endsWith(`node_modules/${name}`) && packages[candidate]?.version === version,
    )
    if (path === undefined)
      throw new Error(`the login page holds ${name} ${version}, which is not locked: run npm run build`)
    return path
  })
}

/** Takes the serial number and the time from the commit: npm makes both up in each run, and a release is reproducible. */
function identify(sbom: { readonly metadata: object }): string {
  const git = (format: string) =>
    execFileSync('git', ['-C', PACKAGES_DIR, 'log', '-1', `--format=${format}`], { encoding: 'utf8' }).trim()
  const hash = createHash('sha256')
    .update(`sekisho ${root.version} ${git('%H')}`)
    .digest('hex')
  const uuid = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`
  const metadata = { ...sbom.metadata, timestamp: new Date(git('%cI')).toISOString() }
  return `${JSON.stringify({ ...sbom, serialNumber: `urn:uuid:${uuid}`, metadata }, null, 2)}\n`
}

/** npm describes a lockfile of nothing else: each package is one of the product's own, so that none brings more along. */
async function describe(packages: Readonly<Record<string, Locked>>): Promise<string> {
  const own = { name: 'sekisho', version: root.version, license: root.license }
  const flat = new Map<string, Locked & { readonly name: string }>()
  for (const [path, { dependencies: _, optionalDependencies: __, ...alone }] of Object.entries(packages)) {
    const name = path.replace(IN_PACKAGES, '')
    const other = flat.get(name)
    const place = other === undefined || other.version === alone.version ? name : `${name}--${alone.version}`
    flat.set(place, { ...alone, name, optional: undefined, dev: undefined })
  }
  const dependencies = Object.fromEntries(
    [...flat].map(([place, { name, version }]) => [place, `npm:${name}@${version}`]),
  )
  const temporary = await mkdtemp(join(tmpdir(), 'sekisho-sbom-'))
  const folder = join(temporary, 'sekisho') // its name becomes that of the product
  try {
    await mkdir(folder)
    const described = {
      ...own,
      lockfileVersion: 3,
      requires: true,
      packages: {
        '': { ...own, dependencies },
        ...Object.fromEntries([...flat].map(([place, entry]) => [`node_modules/${place}`, entry])),
      },
    }
    await writeFile(join(folder, 'package.json'), JSON.stringify({ ...own, dependencies }))
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify(described))
    const options = ['--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application']
    return await runNpm(['sbom', ...options, '--loglevel=error'], folder)
  } finally {
    await rm(temporary, { recursive: true })
  }
}

function failWithoutLogin(): never {
  process.stderr.write('The login page is not built, whose packages belong to the list: run npm run build.\n')
  process.exit(1)
}
