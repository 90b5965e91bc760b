import { spawn } from 'node:child_process'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { setPriority, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
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
}

/** Node's remarks about its own experiments are nothing a writer can act on. */
const QUIET = ['--disable-warning=ExperimentalWarning']

/** Runs `docusaurus build` of a site on the Node this process runs on. Rejects with {@link ReleaseError} when it fails. */
export async function buildSite(options: SiteBuildOptions): Promise<void> {
  const { onLine } = options
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  process.once('SIGTERM', stop)
  const { outcome, problems, failure } = await runSiteBuild({ ...options, signal: stopping.signal })
  process.removeListener('SIGTERM', stop)
  if (outcome === null) return
  for (const line of problems.length > 0
    ? problems.flatMap((problem) => `✖ ${problem}`.split('\n'))
    : failure)
    onLine(line)
  throw new ReleaseError('build_failed', [messageOf('site_build_failed', outcome)])
}

interface SiteBuildRun extends SiteBuildOptions {
  readonly signal: AbortSignal
  /** Of the process, as the system counts it. */
  readonly priority?: number
}

interface SiteBuildEnd {
  /** Null when the site was built, else how its process ended. */
  readonly outcome: string | null
  /** Corrections that the site needs before it can be built: file, line and remedy. */
  readonly problems: readonly string[]
  /** Output about a failure. */
  readonly failure: readonly string[]
}

/** Runs `docusaurus build`, and tells what it says in words that writers know. */
async function runSiteBuild(run: SiteBuildRun): Promise<SiteBuildEnd> {
  const { siteDir, env, onLine, signal, options = [], variables = {}, priority = 0 } = run
  await using notes = await mkdtempDisposable(join(tmpdir(), 'sekisho-build-'))
  const problemsFile = join(notes.path, 'problems.jsonl')
  const child = spawn(process.execPath, [...QUIET, findDocusaurus(siteDir), 'build', siteDir, ...options], {
    cwd: siteDir,
    env: { ...siteEnvironment(env), ...variables, SEKISHO_PROBLEMS_FILE: problemsFile },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  })
  if (priority !== 0 && child.pid !== undefined) setPriority(child.pid, priority)
  // What a failing build prints is held back until it is known whether it can be said better.
  const held: string[] = []
  const output = createSiteOutput({ siteDir, env, onLine, held })
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', output.hear)
  const outcome = await new Promise<string | null>((resolve, reject) => {
    child.once('error', (error) => (signal.aborted ? undefined : reject(error)))
    child.once('close', (code, name) => resolve(code === 0 ? null : `exit code ${code ?? name}`))
  })
  output.end()
  if (outcome === null) return { outcome, problems: [], failure: [] }
  const failures = explainFailure(siteDir, held.map(stripVTControlCharacters)).map((text) => sayTo(run, text))
  const problems = [...new Set([...(await readProblems(problemsFile)), ...failures])]
  return { outcome, problems, failure: held }
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

const GATE_SETTING = /^(?:SEKISHO_(?!ORIGIN$)|FIREBASE_|GOOGLE_)/

/**
 * Defaults of a build's environment (decisions/066). Reparsing pages to drop quotes took a ninth of a 1,000-page build for 1.7 % of sent
 * bytes. The allocator returns memory at once; otherwise 5,000 pages peaked 4 % higher.
 */
const DEFAULTS = { SKIP_HTML_MINIFICATION: 'true', MIMALLOC_PURGE_DELAY: '0' }

/**
 * Environment of a site's build, whose code may be unreviewed: of the gate's settings and secrets only the readers' address, for feeds and
 * canonical links.
 */
function siteEnvironment(env: SiteBuildOptions['env']): NodeJS.ProcessEnv {
  const own = Object.entries(env).filter(([name]) => !GATE_SETTING.test(name))
  const path = [dirname(process.execPath), env.PATH].filter(Boolean).join(delimiter)
  const language = { SEKISHO_TERMINAL_LANGUAGE: languageOf(env) }
  return { ...DEFAULTS, ...language, ...Object.fromEntries(own), PATH: path }
}
