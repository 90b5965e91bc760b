import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { PACKAGES_DIR, ROOMS, rewriteModule } from './rooms.ts'

/** Files of this repository alone: tests and their shared code. */
const LEFT_OUT = ['*/src/**/*.test.ts', '*/src/**/*.test.tsx', '*/src/**/testing/**']
/** Modules with types of the browser and of Docusaurus. */
const BROWSER = ['docusaurus/src', 'light-pages/src', 'sekisho/src/authoring/docusaurus']

/** Folders that are read while running, beside `src`. */
const DATA = [
  'login/dist',
  'search/NOTICES.txt',
  'search/everyday-words.txt',
  'search/synonyms.txt',
  'verify/threats',
]

/** Compiles every package into `outDir`, module by module, with declarations and source maps, and copies what modules read. */
export async function compileRooms(outDir: string): Promise<void> {
  await rm(outDir, { recursive: true, force: true })
  await runCompiler(outDir, 'tsconfig.json')
  await runCompiler(outDir, 'tsconfig.react.json')
  for (const room of ROOMS) {
    const from = join(PACKAGES_DIR, room, 'src')
    if (room !== 'login') await cp(from, join(outDir, room, 'src'), { recursive: true, filter: isData })
  }
  for (const path of DATA)
    await cp(join(PACKAGES_DIR, path), join(outDir, path), { recursive: true, filter: isVisible })
  for (const file of await readdir(outDir, { recursive: true })) {
    // What was JavaScript already is read as a file and sent to browsers.
    const isSource = file.endsWith('.js') && existsSync(join(PACKAGES_DIR, file))
    if (!/\.(?:js|d\.ts)$/.test(file) || isSource || file.startsWith('login')) continue
    const text = await readFile(join(outDir, file), 'utf8')
    await writeFile(join(outDir, file), rewriteModule(text, file.split(sep).join('/')))
  }
}

const isData = (path: string): boolean => /\.d\.ts$|(?<!\.tsx?)$/.test(path)

/** The login page's build leaves a note of its inputs. */
const isVisible = (path: string): boolean => !basename(path).startsWith('.')

/** One module becomes one module: themes are replaced by file, and workers are files of their own. */
async function runCompiler(outDir: string, base: string): Promise<void> {
  const root = dirname(PACKAGES_DIR)
  const browser = base === 'tsconfig.react.json'
  const folders = browser ? BROWSER : ROOMS.map((room) => `${room}/src`)
  const config = {
    extends: join(root, base),
    compilerOptions: {
      noEmit: false,
      rootDir: PACKAGES_DIR,
      outDir,
      declaration: true,
      sourceMap: true,
      inlineSources: true,
      rewriteRelativeImportExtensions: true,
      target: browser ? 'es2022' : 'es2024',
    },
    include: folders.map((folder) => join(PACKAGES_DIR, folder)),
    exclude: [...(browser ? [] : [...BROWSER, 'login/src']), ...LEFT_OUT].map((path) =>
      join(PACKAGES_DIR, path),
    ),
  }
  const file = join(root, 'node_modules/.cache', `pack-${base}`)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, JSON.stringify(config))
  const compiler = createRequire(import.meta.url).resolve('typescript/package.json')
  await promisify(execFile)(process.execPath, [join(dirname(compiler), 'bin/tsc'), '-p', file]).catch(
    (error: { stdout?: string }) => {
      throw new Error(`the rooms could not be compiled (${relative(root, file)}):\n${error.stdout}`)
    },
  )
}
