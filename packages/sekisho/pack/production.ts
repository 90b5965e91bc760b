import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { writeProductionTree } from './production-tree.ts'
import { PACKAGES_DIR } from './rooms.ts'
import { runNpm } from './run-npm.ts'

/** Installs what a server runs into an empty folder. Arguments after it go to `npm ci`, as `--omit=optional` where Node is there already. */
const [folder, ...options] = process.argv.slice(2)
const target = folder === undefined ? null : resolve(folder)
if (target === null || existsSync(target)) {
  process.stderr.write('Usage: npm run production -- NEW-FOLDER [options of npm ci]\n')
  process.exitCode = 2
} else if (!existsSync(join(PACKAGES_DIR, 'login', 'dist', 'login.json'))) {
  process.stderr.write('The login page is not built yet: run npm run build, or npm run production.\n')
  process.exitCode = 1
} else {
  await writeProductionTree(target)
  await runNpm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...options], target)
  process.stdout.write(`Installed in ${target}: start packages/sekisho/bin/sekisho.mjs serve\n`)
}
