import { createHash, hash } from 'node:crypto'
import { readdir, readFile, readlink, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LOCK_FILES } from '../init/files.ts'

/** Made by builds and installs, so never an input of one. */
const GENERATED = new Set(['node_modules', 'build', 'dist', 'coverage'])
const TEST = /\.test\.tsx?$/
/** Larger files (videos) are told apart by size and time, so that asking stays quick. */
const MAX_HASHED_BYTES = 1024 * 1024
const PARALLEL = 16

/** Our packages that have a say in what a build or a release holds. */
const TOOLS = [
  import.meta.resolve('@sekisho/docusaurus/package.json'),
  import.meta.resolve('@sekisho/light-pages/package.json'),
  import.meta.resolve('@sekisho/search/package.json'),
  import.meta.resolve('@sekisho/release/package.json'),
  import.meta.resolve('@sekisho/contract/package.json'),
].map((file) => dirname(fileURLToPath(file)))

/** Place of a build's inputs, and inputs that are no files. */
interface BuildInputs {
  readonly siteDir: string
  readonly dataDir: string
  readonly settings: string
  /** The site's last commit, if it has a history. */
  readonly commit: string | undefined
}

/**
 * One hash over all inputs of a release: the site's files and last commit (pages show git dates), plugin, indexer, packer, lock files, Node
 * version, settings. Equal hashes need no build. The data folder is excluded, even inside the site.
 */
export async function fingerprintInputs({
  siteDir,
  dataDir,
  settings,
  commit,
}: BuildInputs): Promise<string> {
  const digest = createHash('sha256')
  digest.update(`${process.version} ${commit ?? 'no history'} ${settings}\n`)
  for (const folder of [siteDir, ...TOOLS]) {
    for (const line of await fingerprintFolder(folder, dataDir)) digest.update(line)
    digest.update('\n')
  }
  for (const name of LOCK_FILES) {
    const lock = await findUpwards(siteDir, name)
    if (lock !== null) digest.update(await readFile(lock))
  }
  return digest.digest('hex')
}

async function fingerprintFolder(folder: string, dataDir: string): Promise<string[]> {
  const files = await listInputs(folder, dataDir)
  const lines: string[] = []
  const queue = files.values()
  const work = async () => {
    for (const file of queue)
      lines.push(`${JSON.stringify(relative(folder, file))} ${await fingerprintFile(file)}\n`)
  }
  await Promise.all(Array.from({ length: PARALLEL }, work))
  return lines.sort()
}

async function listInputs(folder: string, dataDir: string): Promise<string[]> {
  const files: string[] = []
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.name.startsWith('.') || GENERATED.has(entry.name) || TEST.test(entry.name)) continue
    const file = join(folder, entry.name)
    if (file === dataDir) continue
    if (entry.isDirectory()) files.push(...(await listInputs(file, dataDir)))
    else files.push(file)
  }
  return files
}

async function fingerprintFile(file: string): Promise<string> {
  const { size, mtimeMs } = await stat(file).catch(() => ({ size: -1, mtimeMs: 0 }))
  if (size < 0) return `-> ${await readlink(file)}`
  return size > MAX_HASHED_BYTES ? `${size} ${mtimeMs}` : hash('sha256', await readFile(file))
}

async function findUpwards(folder: string, name: string): Promise<string | null> {
  const file = join(folder, name)
  if (await stat(file).catch(() => null)) return file
  return dirname(folder) === folder ? null : findUpwards(dirname(folder), name)
}
