import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { appendFile, cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { listReleaseIds } from '@sekisho/release'
import { buildSite, readProcessorSeconds } from '../subjects/build-site.ts'
import { createDocusaurusSubject } from '../subjects/docusaurus.ts'
import { CACHE_DIR } from '../subjects/subject.ts'
import { type Benchmark, OURS } from './benchmark.ts'

const SEKISHO = fileURLToPath(new URL('../../packages/sekisho/bin/sekisho.mjs', import.meta.url))
const EDIT = '\n編集の計測のために加えた一文です。\n'

/** Publishing through a running gate, which serves the site as it was before one page was edited. */
export const publish: Benchmark = {
  name: 'publish',
  async run({ size }) {
    const { data, ids } = await buildTwice(size)
    const [after = '', before = ''] = ids
    const root = join(CACHE_DIR, 'publish', String(size))
    rmSync(root, { recursive: true, force: true })
    await mkdir(join(root, 'releases'), { recursive: true })
    await cp(join(data, 'releases', before), join(root, 'releases', before), { recursive: true })
    await writeFile(join(root, 'releases', 'current'), `${before}\n`)
    const { gate, origin } = await serve(root)
    try {
      const token = await createToken(root)
      const startedAt = readProcessorSeconds(gate.pid ?? 0)
      const { mb, s, servedAfter } = await send(after, { origin, data, token })
      const processorSeconds = readProcessorSeconds(gate.pid ?? 0) - startedAt
      const values = {
        'sent KB': mb * 1_000,
        s,
        's from the last byte until it is served': servedAfter,
        'gate, processor s': processorSeconds,
      }
      const about =
        'One page was edited; sekisho publish sends it to a gate on this machine that serves the rest.'
      return {
        name: `publish, ${size} pages`,
        about,
        ours: OURS,
        rows: [{ subject: OURS, values }],
        problems: [],
      }
    } finally {
      gate.kill()
      await once(gate, 'exit')
    }
  },
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

/** Starts a gate, and finds its address in what it prints. */
async function serve(root: string): Promise<{ gate: ChildProcess; origin: string }> {
  const env = { ...process.env, SEKISHO_DATA_DIR: root, SEKISHO_PORT: '0' }
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
