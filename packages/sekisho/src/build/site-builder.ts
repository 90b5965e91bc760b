import { spawn } from 'node:child_process'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { stripVTControlCharacters } from 'node:util'
import { ReleaseError } from '@sekisho/release'
import { explainFailure } from './explain-failure.ts'

export interface SiteBuildOptions {
  readonly siteDir: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Told every line the build prints. */
  readonly onLine: (line: string) => void
}

/** Node's remarks about its own experiments are nothing a writer can act on. */
const QUIET = ['--disable-warning=ExperimentalWarning']
/** Docusaurus's last line advises to serve the folder as it is, which here nobody should. */
const MISLEADING = /Use `.* serve` command to test your build locally/
/** From here on a build only says, at length, why it fails. */
const FAILURE = /^\s*\[ERROR\]/
/** Where in somebody else's code an error was thrown; writers look for their file and their line. */
const FOREIGN_FRAME = /^\s+at (?:.*[\\/]node_modules[\\/]|.*\(node:|async Promise\.all )/

/** Runs `docusaurus build` of a site on the Node this process runs on. Resolves to the build's folder. */
export async function buildSite({ siteDir, env, onLine }: SiteBuildOptions): Promise<string> {
  await using notes = await mkdtempDisposable(join(tmpdir(), 'sekisho-build-'))
  const problemsFile = join(notes.path, 'problems.jsonl')
  const child = spawn(process.execPath, [...QUIET, findDocusaurus(siteDir), 'build', siteDir], {
    cwd: siteDir,
    env: { ...siteEnvironment(env), SEKISHO_PROBLEMS_FILE: problemsFile },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stop = () => child.kill('SIGTERM')
  process.once('SIGTERM', stop)
  // What a failing build prints is held back until it is known whether it can be said better.
  const held: string[] = []
  const tell = (line: string) => {
    if (MISLEADING.test(line) || FOREIGN_FRAME.test(line)) return
    if (held.length > 0 || FAILURE.test(stripVTControlCharacters(line))) held.push(line)
    else onLine(line)
  }
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', tell)
  const outcome = await new Promise<string | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(code === 0 ? null : `exit code ${code ?? signal}`))
  })
  process.removeListener('SIGTERM', stop)
  const problems = outcome === null ? [] : await readProblems(problemsFile)
  const failures = explainFailure(siteDir, held.map(stripVTControlCharacters))
  const explained = outcome === null ? [] : [...new Set([...problems, ...failures])]
  for (const line of explained.length > 0 ? explained.flatMap((problem) => `✖ ${problem}`.split('\n')) : held)
    onLine(line)
  if (outcome !== null) {
    throw new ReleaseError('build_failed', [
      `the site could not be built (${outcome}); the messages above say why. What is being served has not changed.`,
    ])
  }
  return join(siteDir, 'build')
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
    throw new ReleaseError('build_failed', [
      `Docusaurus is not installed in ${siteDir}: install the site's packages first (npm, pnpm, or Yarn with the node-modules linker)`,
    ])
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
  return { ...DEFAULTS, ...Object.fromEntries(own), PATH: path }
}
