import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeProductionTree } from './production-tree.ts'
import { runNpm } from './run-npm.ts'

/**
 * Prints everything that is shipped, with versions, licences and hashes, as a software bill of materials in CycloneDX: what a
 * server runs, and what the bundle of the login page was made of.
 */
const LOGIN_BUNDLE = ['firebase', 'preact']

const temporary = await mkdtemp(join(tmpdir(), 'sekisho-sbom-'))
try {
  const folder = join(temporary, 'sekisho') // its name becomes that of the product
  await writeProductionTree(folder, LOGIN_BUNDLE)
  const options = [
    '--package-lock-only',
    '--sbom-format=cyclonedx',
    '--sbom-type=application',
    '--loglevel=error',
  ]
  process.stdout.write(await runNpm(['sbom', ...options], folder))
} finally {
  await rm(temporary, { recursive: true })
}
