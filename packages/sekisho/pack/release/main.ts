import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, delimiter, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findUnproven } from './lockfiles.ts'
import { compareVersions, setLockedVersion, setPackageVersion, VERSION } from './versions.ts'

const USAGE = `Usage: npm run release -- VERSION [--out DIR] [--dry-run [--skip-tests]]

Makes a release of the software from the last commit, in clean clones: sets the version, closes the section of the changelog, runs
npm test and npm run test:long, makes the package, its bill of materials and checksums twice and compares them byte for byte, then adds one commit and the
tag vVERSION here. Nothing is pushed or published: .github/workflows/release.yml does that for a pushed tag. A failure changes nothing.
Where the last commit has that tag already, the files are made and compared again, so that a release can be checked.

  --out DIR      a new folder for the files (default: release-files)
  --dry-run      add neither commit nor tag
  --skip-tests   with --dry-run only: a trial of everything else`

const UNRELEASED = '## Unreleased\n'

/** A reason not to make the release; everything else that is thrown is a fault of this program. */
class Refusal extends Error {}

interface Plan {
  readonly root: string
  readonly version: string
  readonly tag: string
  /** Folder the finished files are copied to. */
  readonly out: string
  readonly isTagged: boolean
  readonly isDryRun: boolean
  readonly runsTests: boolean
}

process.umask(0o022) // the modes of files are part of the package
try {
  const plan = await readPlan(process.argv.slice(2))
  await assertReleasable(plan)
  const work = await mkdtemp(join(tmpdir(), 'sekisho-software-'))
  await chmod(work, 0o755) // tests run programs as other accounts
  try {
    await makeRelease(plan, work)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  process.stderr.write(`\nNo release: ${error.message}\n`)
  process.exitCode = 1
}

async function readPlan(args: string[]): Promise<Plan> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      out: { type: 'string', default: 'release-files' },
      'dry-run': { type: 'boolean', default: false },
      'skip-tests': { type: 'boolean', default: false },
    },
  })
  const [version = '', ...surplus] = positionals
  if (!VERSION.test(version) || surplus.length > 0) throw new Refusal(`no version is named\n\n${USAGE}`)
  if (values['skip-tests'] && !values['dry-run']) throw new Refusal('--skip-tests is for --dry-run only')
  const root = process.cwd()
  const tag = `v${version}`
  const isTagged = (await git(root, 'tag', '--points-at', 'HEAD')).split('\n').includes(tag)
  const isDryRun = values['dry-run']
  return {
    root,
    version,
    tag,
    isTagged,
    isDryRun,
    out: resolve(values.out),
    runsTests: !isTagged && !values['skip-tests'],
  }
}

/** Checks all preconditions that need no clone. */
async function assertReleasable({ root, version, tag, isTagged, isDryRun }: Plan): Promise<void> {
  if ((await git(root, 'status', '--porcelain')) !== '')
    throw new Refusal('the tree has changes that are not committed (git status)')
  const lockfiles = (await git(root, 'ls-files', '*package-lock.json')).split('\n').filter(Boolean)
  for (const file of lockfiles) {
    const unproven = findUnproven(await readFile(join(root, file), 'utf8'))
    if (unproven.length > 0)
      throw new Refusal(`${file} has entries without a hash: ${unproven.slice(0, 5).join(', ')}`)
  }
  const { version: current } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  if (isTagged) {
    if (current !== version) throw new Refusal(`${tag} is at a commit of version ${current}`)
    return
  }
  if ((await git(root, 'tag', '--list', tag)) !== '') throw new Refusal(`the tag ${tag} is at another commit`)
  // The very first version is in package.json before it has a tag.
  const isFirst = current === version && (await git(root, 'tag', '--list', 'v*')) === ''
  if (!isFirst && compareVersions(version, current) <= 0)
    throw new Refusal(`${version} does not come after ${current}`)
  const isOnBranch = await git(root, 'symbolic-ref', '--quiet', 'HEAD').catch(() => '')
  if (!isDryRun && isOnBranch === '')
    throw new Refusal('no branch is checked out, so the commit would be lost')
}

async function makeRelease(plan: Plan, work: string): Promise<void> {
  const { root, version, tag, out, isTagged, isDryRun, runsTests } = plan
  const first = join(work, 'first')
  const second = join(work, 'second')
  await clone(root, first)
  if (!isTagged) await commitVersion(plan, first)
  if (runsTests)
    for (const script of ['test', 'test:long'])
      await runNpmIn(first, 'run', script).catch(refuse('the tests failed'))
  await clone(first, second)
  const files = await makeFiles(first, join(work, 'files-1'), version)
  const again = await makeFiles(second, join(work, 'files-2'), version)
  const differing = [...files].filter(([name, hash]) => again.get(name) !== hash).map(([name]) => name)
  if (differing.length > 0) throw new Refusal(`made twice, these differ: ${differing.join(', ')}`)
  await mkdir(out).catch(refuse(`${out} is there already, or cannot be made`))
  await cp(join(work, 'files-1'), out, { recursive: true })
  if (!isTagged && !isDryRun) {
    await git(root, 'fetch', '--quiet', first, 'HEAD')
    await git(root, 'merge', '--quiet', '--ff-only', 'FETCH_HEAD').catch(
      refuse('the branch has moved meanwhile'),
    )
    await git(root, 'tag', '--annotate', tag, '--message', `Sekisho ${version}`)
  }
  for (const [name, hash] of files) process.stdout.write(`${hash}  ${name}\n`)
  process.stdout.write(`Sekisho ${version}: ${files.size} files, the same twice, in ${out}\n`)
  if (isDryRun) process.stdout.write('This was a trial: there is neither a commit nor a tag.\n')
  else if (!isTagged) process.stdout.write(`Publish it with: git push --atomic origin HEAD ${tag}\n`)
}

/** Commits the version everywhere it is written, and the changelog with its section. */
async function commitVersion({ root, version }: Plan, folder: string): Promise<void> {
  const edit = async (file: string, change: (text: string) => string) => {
    const path = join(folder, file)
    await writeFile(path, change(await readFile(path, 'utf8')))
  }
  const day = new Date().toISOString().slice(0, 10)
  await edit('CHANGELOG.md', (text) => {
    const closed = closeSection(text, version, day)
    if (closed === null) throw new Refusal('CHANGELOG.md has no notes below "## Unreleased"')
    return closed
  })
  const { version: current } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const manifests = (await git(folder, 'ls-files', 'package.json', '*/package.json')).split('\n')
  const ours = await Promise.all(
    manifests.map(async (file) => {
      const { version: own } = JSON.parse(await readFile(join(folder, file), 'utf8'))
      return own === current ? [file] : []
    }),
  )
  for (const file of ours.flat()) await edit(file, (text) => setPackageVersion(text, version))
  await edit('package-lock.json', (text) => setLockedVersion(text, version))
  const named = await git(folder, 'grep', '--name-only', '--fixed-strings', `sekisho-${current}.tgz`).catch(
    () => '',
  )
  for (const file of named.split('\n').filter(Boolean))
    await edit(file, (text) => text.replaceAll(`sekisho-${current}.tgz`, `sekisho-${version}.tgz`))
  const [name, email] = await Promise.all(
    ['user.name', 'user.email'].map((key) => git(root, 'config', key).catch(refuse(`git knows no ${key}`))),
  )
  const author = ['-c', `user.name=${name}`, '-c', `user.email=${email}`]
  await git(folder, ...author, 'commit', '--quiet', '--all', '--message', `chore(release): ${version}`)
}

/** Makes a release's files in a clone; resolves to their SHA-256 hashes by name. */
async function makeFiles(folder: string, out: string, version: string): Promise<ReadonlyMap<string, string>> {
  await runNpmIn(folder, 'run', 'pack', '--', out).catch(refuse('the package could not be made'))
  const sbom = await runNpmIn(folder, 'run', '--silent', 'sbom').catch(refuse('the bill of materials failed'))
  await writeFile(join(out, `sekisho-${version}.cdx.json`), sbom)
  const notes = sectionOf(await readFile(join(folder, 'CHANGELOG.md'), 'utf8'), version)
  await writeFile(join(out, 'NOTES.md'), `${notes ?? ''}\n`)
  const names = (await readdir(out)).sort()
  const hashes = new Map<string, string>()
  for (const name of names)
    hashes.set(
      name,
      createHash('sha256')
        .update(await readFile(join(out, name)))
        .digest('hex'),
    )
  const sums = [...hashes].map(([name, hash]) => `${hash}  ${name}\n`).join('')
  await writeFile(join(out, 'SHA256SUMS'), sums)
  return hashes
}

function clone(from: string, to: string): Promise<string> {
  return git(from, 'clone', '--quiet', '--no-tags', from, to)
}

function git(folder: string, ...args: string[]): Promise<string> {
  return run('git', ['-C', folder, ...args], { stdio: ['ignore', 'pipe', 'pipe'] }).then((text) =>
    text.trim(),
  )
}

/** Runs npm in a clone, with nothing of this installation on PATH; only `--silent` output is captured. */
function runNpmIn(cwd: string, ...args: string[]): Promise<string> {
  const script = process.env.npm_execpath ?? ''
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => basename(folder) !== '.bin')
  const env = { ...process.env, PATH: path.join(delimiter) }
  const output = args.includes('--silent') ? 'pipe' : 'inherit'
  const options = { cwd, env, stdio: ['ignore', output, 'inherit'] } as const
  return script === '' ? run('npm', args, options) : run(process.execPath, [script, ...args], options)
}

/** Runs a program; resolves to its output, rejects where it fails. */
async function run(command: string, args: readonly string[], options: object): Promise<string> {
  const child = spawn(command, args, options)
  const chunks: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
  let complaint = ''
  child.stderr?.on('data', (chunk) => (complaint += chunk))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}: ${complaint}`)
  return Buffer.concat(chunks).toString()
}

function refuse(reason: string): (error: unknown) => never {
  return (error) => {
    throw new Refusal(reason, { cause: error })
  }
}

/**
 * Moves the notes of `## Unreleased` to a version's section.
 * @returns null where there are no notes
 */
function closeSection(changelog: string, version: string, day: string): string | null {
  if (sectionOf(changelog, 'Unreleased') === null) return null
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n## ${version} (${day})\n`)
}

/** Notes below the heading of a version; null if there are none. */
function sectionOf(changelog: string, version: string): string | null {
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find((text) => text.split(/[ \n]/, 1)[0] === version)
  const notes = section?.slice(section.indexOf('\n')).trim()
  return notes ? notes : null
}
