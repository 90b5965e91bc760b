import { cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { compileRooms } from './compile.ts'
import { COPIED, describePackage } from './package-json.ts'
import { PACKAGES_DIR } from './rooms.ts'
import { runNpm } from './run-npm.ts'

const ROOT = dirname(PACKAGES_DIR)
const OWN = join(PACKAGES_DIR, 'sekisho')

/** Makes the package that users install: `sekisho-VERSION.tgz` in a folder (default: the package's own `dist`). */
const target = resolve(process.argv[2] ?? join(OWN, 'dist'))
const folder = join(ROOT, 'node_modules', '.cache', 'sekisho-package')
await rm(folder, { recursive: true, force: true })
await compileRooms(join(folder, 'dist'))
await cp(join(OWN, 'bin'), join(folder, 'bin'), {
  recursive: true,
  filter: (file) => !/(?:sekisho|pinned-node)\.mjs$/.test(file),
})
const description = describePackage()
await writeFile(join(folder, 'package.json'), `${JSON.stringify(description, null, 2)}\n`)
for (const name of COPIED) await cp(join(ROOT, name), join(folder, name), { recursive: true })
await cp(join(OWN, 'README.md'), join(folder, 'README.md'))
await writeFile(join(folder, 'NOTICES.md'), await readNotices())
await mkdir(target, { recursive: true })
await runNpm(['pack', folder, '--pack-destination', target, '--loglevel=error'])
const tarball = join(target, `sekisho-${description.version}.tgz`)
const { size } = await stat(tarball)
process.stdout.write(`${relative(process.cwd(), tarball)} (${(size / 1e6).toFixed(1)} MB)\n`)

/** Notices of third-party work in the package: the login page's bundle, and the indexer's dictionaries. */
async function readNotices(): Promise<string> {
  const login = await readFile(join(PACKAGES_DIR, 'login/dist/license.md'), 'utf8')
  const search = await readFile(join(PACKAGES_DIR, 'search/NOTICES.txt'), 'utf8')
  return `# The login page\n\n${login}\n\n# Search indexes\n\n${search}`
}
