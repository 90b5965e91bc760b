import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { createMessages } from '@sekisho/contract/language'
import { ReleaseError } from '@sekisho/release'
import { languageOf, sayTo } from '../../language.ts'
import { TEXTS } from '../../texts/index.ts'
import { explainFailure } from './explain-failure.ts'
import { createSiteOutput } from './site-output.ts'

const messageOf = createMessages(TEXTS, 'build')

export interface SiteBuildOptions {
  readonly siteDir: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Told every line the build prints. */
  readonly onLine: (line: string) => void
  /** Options of `docusaurus build`, and variables of its environment, besides the usual. */
  readonly options?: readonly string[]
  readonly variables?: Readonly<Record<string, string>>
  /** Processes that stand by for builds of this site. */
  readonly standby?: StandbyBuilds
}

type BuildProcess = ChildProcessByStdio<Writable, Readable, Readable>

/** Starts a process that loads Docusaurus and awaits its command: a fifth of the work of an edit needs not wait for the edit. */
function startProcess({ siteDir, env }: Pick<SiteBuildOptions, 'siteDir' | 'env'>): BuildProcess {
  const script = fileURLToPath(new URL('../docusaurus/site-build-process.ts', import.meta.url))
  return spawn(process.execPath, [...QUIET, script, findDocusaurus(siteDir)], {
    cwd: siteDir,
    env: siteEnvironment(env),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}

/** Build processes that wait for edits. A process builds once, so that no build sees anything of another's. */
export class StandbyBuilds implements Disposable {
  readonly #site: Pick<SiteBuildOptions, 'siteDir' | 'env'>
  #waiting: BuildProcess[] = []
  #taken = 0

  constructor(site: Pick<SiteBuildOptions, 'siteDir' | 'env'>) {
    this.#site = site
  }

  take(): BuildProcess {
    this.#taken += 1
    return this.#waiting.shift() ?? startProcess(this.#site)
  }

  /** Starts as many as have been taken since the last call. */
  refill(): void {
    while (this.#waiting.length < this.#taken) this.#waiting.push(startProcess(this.#site))
    this.#taken = 0
  }

  [Symbol.dispose](): void {
    for (const child of this.#waiting.splice(0)) child.kill()
  }
}

/** Node's remarks about its own experiments are nothing a writer can act on. */
const QUIET = ['--disable-warning=ExperimentalWarning']

/**
 * Runs `docusaurus build` of a site on the Node this process runs on, and tells what it says in words that writers know. Rejects with
 * {@link ReleaseError} when it fails.
 */
export async function buildSite(build: SiteBuildOptions): Promise<void> {
  const { siteDir, env, onLine, options = [], variables = {}, standby } = build
  await using notes = await mkdtempDisposable(join(tmpdir(), 'sekisho-build-'))
  const problemsFile = join(notes.path, 'problems.jsonl')
  const child = standby?.take() ?? startProcess(build)
  const stop = () => void child.kill()
  process.once('SIGTERM', stop)
  const order = {
    args: ['build', siteDir, ...options],
    cwd: siteDir,
    variables: { ...siteEnvironment(env), ...variables, SEKISHO_PROBLEMS_FILE: problemsFile },
  }
  child.stdin.on('error', () => undefined) // of a process that has ended, which is told below
  child.stdin.end(JSON.stringify(order))
  // What a failing build prints is held back until it is known whether it can be said better.
  const held: string[] = []
  const output = createSiteOutput({ siteDir, env: { ...env, ...variables }, onLine, held })
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', output.hear)
  const outcome = await new Promise<string | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, name) => resolve(code === 0 ? null : `exit code ${code ?? name}`))
  })
  process.removeListener('SIGTERM', stop)
  output.end()
  if (outcome === null) return
  const explained = explainFailure(siteDir, held.map(stripVTControlCharacters), { ...env, ...variables })
  const failures = explained.map((text) => sayTo(build, text))
  const problems = [...new Set([...(await readProblems(problemsFile)), ...failures])]
  for (const line of problems.length > 0 ? problems.flatMap((problem) => `✖ ${problem}`.split('\n')) : held)
    onLine(line)
  throw new ReleaseError('build_failed', [messageOf('site_build_failed', outcome)])
}

/** Problems of pages that the plugin's hooks reported for the writer. */
async function readProblems(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => (line === '' ? [] : [String(JSON.parse(line))]))
}

/** The command line of the Docusaurus that a site has installed. */
export function findDocusaurus(siteDir: string): string {
  try {
    const core = createRequire(join(siteDir, 'package.json')).resolve('@docusaurus/core/package.json')
    return join(dirname(core), 'bin', 'docusaurus.mjs')
  } catch {
    throw new ReleaseError('build_failed', [messageOf('not_installed', siteDir)])
  }
}

const GATE_SETTING = /^(?:SEKISHO_(?!(?:ORIGIN|LIGHT)$)|FIREBASE_|GOOGLE_)/

/**
 * Defaults of a build's environment (decisions/066). Reparsing pages to drop quotes took a ninth of a 1,000-page build for 1.7 % of sent
 * bytes. An allocator that returns memory at once takes page faults for an eighth of an edit's processor time.
 */
const DEFAULTS = { SKIP_HTML_MINIFICATION: 'true', MIMALLOC_PURGE_DELAY: '1000' }

/**
 * Environment of a site's build, whose code may be unreviewed: of the gate's settings and secrets only the readers' address, for feeds and
 * canonical links. Light pages can be turned off, as their own error says.
 */
function siteEnvironment(env: SiteBuildOptions['env']): NodeJS.ProcessEnv {
  const own = Object.entries(env).filter(([name]) => !GATE_SETTING.test(name))
  const path = [dirname(process.execPath), env.PATH].filter(Boolean).join(delimiter)
  const language = { SEKISHO_TERMINAL_LANGUAGE: languageOf(env) }
  return { ...DEFAULTS, ...language, ...Object.fromEntries(own), PATH: path }
}
