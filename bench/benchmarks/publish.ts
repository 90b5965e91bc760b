import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { listReleaseIds } from '@sekisho/release'
import { buildSite } from '../subjects/build-site.ts'
import { createDocusaurusSubject } from '../subjects/docusaurus.ts'
import { CACHE_DIR } from '../subjects/subject.ts'
import { type Benchmark, OURS } from './benchmark.ts'

const SEKISHO = fileURLToPath(new URL('../../packages/sekisho/bin/sekisho.mjs', import.meta.url))
const EDIT = '\n編集の計測のために加えた一文です。\n'

/** Publishing through a running gate: a whole site, then the same after one page was edited. */
export const publish: Benchmark = {
  name: 'publish',
  async run({ size }) {
    const { data, ids } = await buildTwice(size)
    const [after = '', before = ''] = ids
    const root = join(CACHE_DIR, 'publish', String(size))
    rmSync(root, { recursive: true, force: true })
    await mkdir(root, { recursive: true })
    const { gate, origin } = await serve(root)
    try {
      const token = await createToken(root)
      const whole = await send(before, { origin, data, token })
      const edit = await send(after, { origin, data, token })
      const rows = [{ subject: OURS, values: { ...named('whole site', whole), ...named('one edit', edit) } }]
      const about =
        'What sekisho publish sent to a gate on this machine, and how long after the last byte it was served.'
      return { name: `publish, ${size} pages`, about, ours: OURS, rows, problems: [] }
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
    await buildSite(site)
    await appendFile(site.source, EDIT)
  }
  return { data, ids: await listReleaseIds(releases) }
}

/** Starts a gate without a release, and finds its address in what it prints. */
async function serve(root: string) {
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
  return { mb: Number(mb), s: Number(s), after: Number(after) }
}

function named(what: string, { mb, s, after }: { mb: number; s: number; after: number }) {
  return { [`${what}, MB`]: mb, [`${what}, s`]: s, [`${what}, s after the last byte`]: after }
}
