import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { appendFile, cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { listReleaseIds } from '@sekisho/release'
import { buildSite, readProcessorSeconds } from '../subjects/build-site.ts'
import { createDocusaurusSubject } from '../subjects/docusaurus.ts'
import { CACHE_DIR } from '../subjects/subject.ts'
import { type Benchmark, OURS } from './benchmark.ts'
import { type BreakingLine, startBreakingLine } from './breaking-line.ts'

const SEKISHO = fileURLToPath(new URL('../../packages/sekisho/bin/sekisho.mjs', import.meta.url))
const EDIT = '\n編集の計測のために加えた一文です。\n'

/** After so many bytes a line breaks, with whatever is on its way. */
const CUT_AFTER_BYTES = 4_000_000

/** Publishing through a running gate: one edit of what it serves, and a whole site to a gate that serves nothing, also over lines that break. */
export const publish: Benchmark = {
  name: 'publish',
  async run({ size }) {
    const { data, ids } = await buildTwice(size)
    const [after = '', before = ''] = ids
    const row = (subject: string, values: Measured) => ({ subject, values: { ...values } })
    const edit = await measure(await copyOf(before, { data, size }), after, { data })
    const whole = await measure(emptyFolder(size), before, { data })
    const broken = await measure(emptyFolder(size), before, { data, isLineBreaking: true })
    return [
      {
        name: `publish, ${size} pages`,
        about:
          'One page was edited; sekisho publish sends it to a gate on this machine that serves the rest.',
        ours: OURS,
        rows: [row(OURS, edit)],
        problems: [],
      },
      {
        name: `first publication, ${size} pages`,
        about: `The whole site is sent to a gate that serves nothing; once over lines that break after ${CUT_AFTER_BYTES / 1e6} MB each.`,
        ours: OURS,
        rows: [row(OURS, whole), row('over lines that break', broken)],
        problems: [],
      },
    ]
  },
}

interface Measured {
  readonly 'sent KB': number
  readonly s: number
  readonly 's from the last byte until it is served': number
  readonly 'gate, processor s': number
  readonly 'gate, peak MB': number
}

interface Measuring {
  readonly data: string
  readonly isLineBreaking?: boolean
}

/** Publishes a release to a gate of its own. */
async function measure(
  root: string,
  id: string,
  { data, isLineBreaking = false }: Measuring,
): Promise<Measured> {
  await using line = isLineBreaking ? await startBreakingLine(CUT_AFTER_BYTES) : null
  const { gate, origin } = await serve(root, line)
  try {
    const pid = gate.pid ?? 0
    const token = await createToken(root)
    const startedAt = readProcessorSeconds(pid)
    const { mb, s, servedAfter } = await send(id, { origin, data, token })
    return {
      'sent KB': mb * 1_000,
      s,
      's from the last byte until it is served': servedAfter,
      'gate, processor s': readProcessorSeconds(pid) - startedAt,
      'gate, peak MB': readPeakMb(pid),
    }
  } finally {
    gate.kill()
    await once(gate, 'exit')
  }
}

/** A data folder that serves one release. */
async function copyOf(id: string, { data, size }: { data: string; size: number }): Promise<string> {
  const root = emptyFolder(size)
  await mkdir(join(root, 'releases'), { recursive: true })
  await cp(join(data, 'releases', id), join(root, 'releases', id), { recursive: true })
  await writeFile(join(root, 'releases', 'current'), `${id}\n`)
  return root
}

function emptyFolder(size: number): string {
  const root = join(CACHE_DIR, 'publish', String(size))
  rmSync(root, { recursive: true, force: true })
  return root
}

/** Most memory that a process held (VmHWM, proc_pid_status(5); 0 where there is none). */
function readPeakMb(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024
  } catch {
    return 0
  }
}

const run = promisify(execFile)
const sekisho = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  run(process.execPath, [SEKISHO, ...args, '--lang', 'en'], { env: { ...process.env, ...env } })

/** The newest two releases of the site, which differ by one edit. */
async function buildTwice(size: number) {
  const site = await createDocusaurusSubject(OURS, 'release').prepare(size)
  const data = join(site.dir, '.sekisho')
  const releases = join(data, 'releases')
  while ((await listReleaseIds(releases)).length < 2) {
    await appendFile(site.source, EDIT)
    await buildSite(site)
  }
  return { data, ids: await listReleaseIds(releases) }
}

/** Starts a gate, behind a line where there is one, and finds its address in what it prints. */
async function serve(
  root: string,
  line: BreakingLine | null,
): Promise<{ gate: ChildProcess; origin: string }> {
  const port = line === null ? '0' : String(line.toPort)
  const at = line === null ? {} : { SEKISHO_ORIGIN: `http://localhost:${line.port}` }
  const env = { ...process.env, SEKISHO_DATA_DIR: root, SEKISHO_PORT: port, ...at }
  const gate = spawn(process.execPath, [SEKISHO, 'serve', '--local', '--lang', 'en'], { env })
  let output = ''
  const origin = await new Promise<string>((resolve, reject) => {
    gate.once('exit', (code) => reject(new Error(`the gate ended with ${code}:\n${output}`)))
    for (const stream of [gate.stdout, gate.stderr]) {
      stream.on('data', (text) => {
        output += text
        const [, address] = /is ready: (http:\S+)/.exec(output) ?? []
        if (address !== undefined) resolve(address)
      })
    }
  })
  gate.removeAllListeners('exit')
  return { gate, origin }
}

async function createToken(root: string): Promise<string> {
  const made = await sekisho(['tokens', 'create', '--name', 'bench', '--expires', '1d', '--data-dir', root])
  return made.stdout.split('\n')[0] ?? ''
}

async function send(id: string, { origin, data, token }: { origin: string; data: string; token: string }) {
  await sekisho(['releases', 'rollback', id, '--data-dir', data])
  const to = ['publish', '--to', origin, '--data-dir', data]
  const { stdout } = await sekisho(to, { SEKISHO_PUBLISH_TOKEN: token })
  const [, mb, s, after] = /sent ([\d.]+) MB in ([\d.]+) s; served ([\d.]+) s after/.exec(stdout) ?? []
  if (after === undefined) throw new Error(stdout)
  return { mb: Number(mb), s: Number(s), servedAfter: Number(after) }
}
