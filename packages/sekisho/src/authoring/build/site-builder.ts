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
  throw new ReleaseError('build_failed', [messageOf('site_could_not', outcome)])
}

export interface SiteBuildRun extends SiteBuildOptions {
  readonly signal: AbortSignal
  /** Of the process, as the system counts it. */
  readonly priority?: number
}

export interface SiteBuildEnd {
  /** Null when the site was built, else how its process ended. */
  readonly outcome: string | null
  /** What a writer has to mend so that the site can be built: file, line and remedy. */
  readonly problems: readonly string[]
  /** What was printed about a failure. */
  readonly failure: readonly string[]
}

/** Runs `docusaurus build`, and tells what it says in words that writers know. */
export async function runSiteBuild(run: SiteBuildRun): Promise<SiteBuildEnd> {
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

/** What the plugin's hooks told about pages that a writer has to mend. */
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
 * What a build is run with unless the environment says otherwise (decisions/066). Pages are not parsed once more to drop
 * their quotes: that took a ninth of a build of 1,000 pages for 1.7 % of what is sent. And the bundler's allocator
 * gives memory back at once, without which 5,000 pages held 4 % more at the peak.
 */
const DEFAULTS = { SKIP_HTML_MINIFICATION: 'true', MIMALLOC_PURGE_DELAY: '0' }

/**
 * A site is code, perhaps of a branch nobody has read yet: of the gate's settings and secrets it gets only the address
 * readers use, which feeds and canonical links name.
 */
function siteEnvironment(env: SiteBuildOptions['env']): NodeJS.ProcessEnv {
  const own = Object.entries(env).filter(([name]) => !GATE_SETTING.test(name))
  const path = [dirname(process.execPath), env.PATH].filter(Boolean).join(delimiter)
  // Until the site says its own, as it does once its config is right.
  const language = { SEKISHO_SITE_LANGUAGE: languageOf(env) }
  return { ...DEFAULTS, ...language, ...Object.fromEntries(own), PATH: path }
}
