import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { PATHS } from '@sekisho/contract/paths'
import { packRelease } from '@sekisho/release/packing'
import { findFreePort } from '@sekisho/server/state/testing'
import { writeFixtureSite } from '../../packages/sekisho/test/support/fixture-site.ts'
import { SECRET, SETTINGS } from '../../packages/sekisho/test/support/serving-gate.ts'

/**
 * Builds the image of `deploy/container` with docker, podman or buildah: `npm run container`. Runs it with a read-only root file system,
 * without rights, on a release, until SIGTERM. `--base IMAGE` replaces the base image, `--image IMAGE` skips the build.
 */
const { base, image = 'localhost/sekisho-trial' } = parseArgs({
  options: { base: { type: 'string' }, image: { type: 'string' } },
}).values
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const ENGINES = ['docker', 'podman', 'buildah'] as const
type Engine = (typeof ENGINES)[number]

const engine = ENGINES.find(isUsable)
if (engine === undefined) {
  console.log(
    `None of ${ENGINES.join(', ')} can be used here; npm run test:long tries the steps of the image without one.`,
  )
} else {
  if (process.argv.every((argument) => !argument.startsWith('--image'))) build(engine)
  process.exitCode = (await tryImage(engine)) ? 0 : 1
}

function isUsable(name: Engine): boolean {
  try {
    execFileSync(name, [name === 'buildah' ? 'images' : 'info'], { stdio: 'pipe' })
    return true
  } catch {
    return false
  }
}

function build(name: Engine): void {
  const options = ['--file', 'deploy/container/Dockerfile', '--network', 'host', '--tag', image]
  const args = base === undefined ? [] : ['--build-arg', `NODE_IMAGE=${base}`]
  console.log(`building with ${name}`)
  execFileSync(name, ['build', ...options, ...args, '.'], { cwd: ROOT, stdio: 'inherit' })
}

/** The command that runs the image on a port of this machine, with a release and a secret mounted into it. */
function commandOf(name: Engine, port: number, folder: string): readonly string[] {
  const { SEKISHO_SECRET: _, ...others } = SETTINGS
  const settings = {
    ...others,
    SEKISHO_SECRET_FILE: '/run/secrets/secret',
    SEKISHO_RELEASES: '/releases',
    SEKISHO_PORT: String(port),
  }
  const env = Object.entries(settings).flatMap(([key, value]) => ['--env', `${key}=${value}`])
  const mounts = [`${folder}/data/releases:/releases:ro`, `${folder}/secret:/run/secrets/secret:ro`]
  const volumes = mounts.flatMap((mount) => ['--volume', mount])
  if (name !== 'buildah') {
    const closed = [
      '--read-only',
      '--tmpfs',
      '/tmp',
      '--cap-drop',
      'ALL',
      '--security-opt',
      'no-new-privileges',
    ]
    return ['run', '--rm', '--network', 'host', ...closed, ...env, ...volumes, image]
  }
  // It runs a command in what it builds, and passes no signal on: so a shell in there sends it.
  const container = containerOf(port)
  execFileSync('buildah', ['from', '--name', container, image])
  const script = `node /app/packages/sekisho/bin/sekisho.mjs serve & until [ -e /stop/now ]; do sleep 0.1; done; kill $!; wait $!`
  const stop = ['--volume', `${folder}/stop:/stop:ro`]
  return ['run', '--user', '65532:65532', ...env, ...volumes, ...stop, container, '--', 'sh', '-c', script]
}

/** The name of buildah's container, until it is removed. */
function containerOf(port: number): string {
  return `sekisho-trial-${port}`
}

async function tryImage(name: Engine): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'sekisho-container-'))
  try {
    await chmod(folder, 0o755)
    await writeFixtureSite(join(folder, 'build'))
    const { id } = await packRelease({
      buildDir: join(folder, 'build'),
      dataDir: join(folder, 'data'),
      clock: Date.now,
    })
    await writeFile(join(folder, 'secret'), SECRET)
    await mkdir(join(folder, 'stop'))
    const port = await findFreePort()
    const child = spawn(name, commandOf(name, port, folder), { stdio: ['ignore', 'inherit', 'inherit'] })
    const ended = once(child, 'exit')
    const ask = async (path: string) =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers: { Accept: 'text/html' } }).then(
        ({ status }) => status,
        () => 0,
      )
    const untilMs = performance.now() + 60_000
    while ((await ask(PATHS.health)) !== 200 && child.exitCode === null && performance.now() < untilMs) {
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    const health = await ask(PATHS.health)
    if (name === 'buildah') await writeFile(join(folder, 'stop', 'now'), '')
    else child.kill('SIGTERM')
    const [code] = await ended
    if (name === 'buildah') execFileSync('buildah', ['rm', containerOf(port)], { stdio: 'ignore' })
    console.log(`  ${health === 200 ? '✔' : '✖'} release ${id} is served: health ${health}`)
    console.log(`  ${code === 0 ? '✔' : '✖'} SIGTERM ends it with ${code}`)
    return health === 200 && code === 0
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
