import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ExplainedError } from '@sekisho/contract/explained-error'
import { createMessages, type Message } from '@sekisho/contract/language'
import { installCommand, LOCK_FILES } from '../../authoring/init/files.ts'
import { type CommandIo, defineCommand, misuse } from '../../command.ts'
import { languageOf, sayTo, sayWithCode } from '../../language.ts'
import { TEXTS } from '../../texts/index.ts'
import { readPortalOrigin, runPublish } from './publish.ts'

const messageOf = createMessages(TEXTS, 'publishing')

const HELP = messageOf('follow_help')

const OPTIONS = {
  to: { type: 'string' },
  branch: { type: 'string', default: 'main' },
  folder: { type: 'string', default: '.' },
  dir: { type: 'string', default: '.sekisho-follow' },
  every: { type: 'string', default: '30' },
  once: { type: 'boolean', default: false },
} as const

/** Limit of one step, after which it is stopped and tried again. */
const STEP_MS = 60 * 60_000
const MAX_PAUSE_MS = 10 * 60_000
/** Output of one step that is kept: its end. */
const MAX_OUTPUT = 64 * 1024
/** SHA-1 or SHA-256 of a commit. */
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/** Settings of ours that a build reads; the others, secrets among them, are not passed to the repository's code. */
const OF_BUILDS = /^SEKISHO_(?:ORIGIN|LANG|SITE_[A-Z_]+)$/

class FollowError extends ExplainedError {
  override readonly name = 'FollowError'
}

interface Followed {
  readonly repository: string
  readonly branch: string
  /** Clone of the branch. */
  readonly clone: string
  /** Folder of the site in it. */
  readonly site: string
  /** Data folder of the builds. */
  readonly data: string
  readonly to: string
}

/** Runs `sekisho follow`: builds a branch whenever it moves, and publishes it to a running portal. */
export const runFollow = defineCommand(
  { name: 'follow', help: HELP, options: OPTIONS, maxPositionals: 1 },
  async (read, io) => {
    const [repository = ''] = read.positionals
    const { to = '', branch, folder, dir, every, once: isOnce } = read.values
    const problem = findProblem({ repository, branch, folder, every, to })
    if (problem !== null) return misuse(io, HELP, problem)
    const clone = resolve(io.cwd, dir, 'repository')
    const followed = { repository, branch, clone, site: join(clone, folder), data: resolve(io.cwd, dir), to }
    const stop = new AbortController()
    const end = () => stop.abort()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
    try {
      if (!isOnce) return await followUntil(stop.signal, followed, Number(every) * 1_000, io)
      await publishTip(followed, null, { io, stop: stop.signal })
      return 0
    } finally {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, end)
    }
  },
)

function findProblem(
  given: Record<'repository' | 'branch' | 'folder' | 'every' | 'to', string>,
): Message | null {
  if (given.repository === '' || given.repository.startsWith('-')) return messageOf('follow_what')
  if (readPortalOrigin(given.to) === null) return messageOf('must_be_https')
  if (!/^[\w./-]+$/.test(given.branch)) return messageOf('follow_branch')
  if (given.folder.split(/[\\/]/).includes('..') || resolve(given.folder) === given.folder)
    return messageOf('follow_folder')
  return /^[1-9]\d{0,4}$/.test(given.every) ? null : messageOf('follow_every')
}

/** Looks at the branch again and again; what fails is said once and tried again, ever more seldom. */
async function followUntil(
  stop: AbortSignal,
  followed: Followed,
  everyMs: number,
  io: CommandIo,
): Promise<number> {
  let published: string | null = null
  let said = ''
  let failures = 0
  while (!stop.aborted) {
    try {
      published = await publishTip(followed, published, { io, stop })
      ;[said, failures] = ['', 0]
    } catch (error) {
      if (stop.aborted) break
      if (!(error instanceof ExplainedError)) throw error
      const text = error.in(languageOf(io.env), sayWithCode)
      if (text !== said) io.complain(`sekisho follow: ${text}`)
      said = text
      failures += 1
    }
    const pauseMs = Math.max(everyMs, Math.min(MAX_PAUSE_MS, failures && everyMs * 2 ** failures))
    await sleep(pauseMs, undefined, { signal: stop }).catch(() => {})
  }
  return 0
}

interface Running {
  readonly io: CommandIo
  readonly stop: AbortSignal
}

/** Publishes the newest commit unless that is the one published last; resolves to it. Throws {@link ExplainedError}. */
async function publishTip(followed: Followed, published: string | null, running: Running): Promise<string> {
  const { repository, branch, clone, site, data, to } = followed
  const { io } = running
  const git = (...args: string[]) => run('git', args, { ...running, cwd: data })
  await mkdir(data, { recursive: true })
  const ref = `refs/heads/${branch}`
  const [tip = ''] = (await git('ls-remote', '--exit-code', '--', repository, ref)).split('\t')
  if (!COMMIT.test(tip)) throw new FollowError(messageOf('follow_failed', 'git ls-remote', tip.slice(0, 80)))
  if (tip === published) return tip
  if (!existsSync(join(clone, '.git')))
    await git('clone', '--quiet', '--single-branch', '--branch', branch, '--', repository, clone)
  await git('-C', clone, 'fetch', '--quiet', '--', repository, ref)
  await git('-C', clone, 'reset', '--quiet', '--hard', tip)
  await git('-C', clone, 'clean', '-fdq')
  if (!existsSync(site)) throw new FollowError(messageOf('follow_no_folder', site))
  io.print(sayTo(io, messageOf('follow_builds', tip.slice(0, 12), branch)))
  await install(followed, running)
  const command = findAbove(site, clone, [join('node_modules', '.bin', 'sekisho')])
  if (command === null) throw new FollowError(messageOf('follow_not_installed', site))
  await run(command, ['build', '--data-dir', data], { ...running, cwd: site, isShown: true })
  const code = await runPublish(['--to', to, '--data-dir', data], { ...io, cwd: data })
  if (code !== 0) throw new FollowError(messageOf('follow_unpublished', tip.slice(0, 12)))
  return tip
}

/** Installs the site's packages where its lock file is another one than at the last time. */
async function install({ clone, site, data }: Followed, running: Running): Promise<void> {
  const file = findAbove(site, clone, LOCK_FILES)
  const cwd = file === null ? site : dirname(file)
  const lock = file === null ? '' : hash('sha256', await readFile(file))
  const note = join(data, 'installed')
  const isThere = existsSync(join(cwd, 'node_modules'))
  if (isThere && (file === null || (await readFile(note, 'utf8').catch(() => '')) === lock)) return
  await run('sh', ['-c', installCommand(file && basename(file))], { ...running, cwd, isShown: true })
  await writeFile(note, lock)
}

/** The first of these files nearest to the site, up to the clone itself: a workspace has them at its root. */
function findAbove(site: string, clone: string, names: readonly string[]): string | null {
  for (let folder = site; folder === clone || folder.startsWith(clone + sep); folder = dirname(folder)) {
    const file = names.map((name) => join(folder, name)).find((path) => existsSync(path))
    if (file !== undefined) return file
  }
  return null
}

/** Runs a program in a process group of its own, which ends with the signal; resolves to the end of its output. */
async function run(
  program: string,
  args: readonly string[],
  { cwd, stop, isShown = false }: Running & { readonly cwd: string; readonly isShown?: boolean },
): Promise<string> {
  const passed = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('SEKISHO_') || OF_BUILDS.test(name),
  )
  const what = [program, args.find((arg) => !arg.startsWith('-')) ?? ''].join(' ')
  if (stop.aborted) throw new FollowError(messageOf('follow_failed', what, ''))
  const child = spawn(program, args, {
    cwd,
    detached: true,
    env: { ...Object.fromEntries(passed), GIT_TERMINAL_PROMPT: '0' },
    stdio: ['ignore', isShown ? 'inherit' : 'pipe', isShown ? 'inherit' : 'pipe'],
  })
  const ended = AbortSignal.any([stop, AbortSignal.timeout(STEP_MS)])
  const kill = () => child.pid !== undefined && process.kill(-child.pid, 'SIGTERM')
  ended.addEventListener('abort', kill, { once: true })
  let output = ''
  let complaints = ''
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    output = (output + text).slice(-MAX_OUTPUT)
  })
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    complaints = (complaints + text).slice(-MAX_OUTPUT)
  })
  try {
    const [code] = await once(child, 'close')
    if (code === 0) return output
  } catch (error) {
    complaints = error instanceof Error ? error.message : String(error)
  } finally {
    ended.removeEventListener('abort', kill)
  }
  throw new FollowError(messageOf('follow_failed', what, (complaints || output).trim().slice(-500)))
}
