import { type ChildProcess, spawn } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SEKISHO = path.join(ROOT, 'packages', 'sekisho', 'bin', 'sekisho.mjs')
const START_LIMIT_MS = 120_000

/** The built product, running on a port of its own with sessions of its own. */
export interface Product {
  readonly origin: string
  readonly dataDir: string
  /** Everything the product printed so far. */
  output(): string
  stop(signal?: NodeJS.Signals): Promise<void>
  /** Ends the process and keeps what it stored, for a start with `continues`. */
  pause(): Promise<void>
}

/** Differences from a plain `sekisho serve --local`. */
interface ProductOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  /** Publishes another release into the data folder than the one `npm test` has built. */
  readonly publish?: (dataDir: string) => Promise<void>
  /** A product that was paused: the new one has its address and its data. */
  readonly continues?: Product
}

/** Starts the release that `npm test` has built, with a copy of its data so that tests share nothing. */
export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  const { continues } = options
  const dataDir = continues?.dataDir ?? (await mkdtemp(path.join(tmpdir(), 'sekisho-e2e-')))
  if (continues === undefined) await (options.publish ?? copyRelease)(dataDir)
  const port = continues === undefined ? await findFreePort() : Number(new URL(continues.origin).port)
  const origin = `http://localhost:${port}`
  const env = { ...process.env, PORT: String(port), SEKISHO_DATA_DIR: dataDir, ...options.env }
  const child = spawn(process.execPath, [SEKISHO, 'serve', ...(options.args ?? ['--local'])], {
    cwd: ROOT,
    env,
  })
  const chunks: string[] = []
  child.stdout.on('data', (chunk) => chunks.push(String(chunk)))
  child.stderr.on('data', (chunk) => chunks.push(String(chunk)))
  await waitUntilHealthy(origin, child, () => chunks.join(''))
  return {
    origin,
    dataDir,
    output: () => chunks.join(''),
    async stop(signal = 'SIGTERM') {
      await endProcess(child, signal)
      await rm(dataDir, { recursive: true, force: true })
    },
    pause: () => endProcess(child, 'SIGTERM'),
  }
}

async function copyRelease(dataDir: string): Promise<void> {
  await cp(path.join(ROOT, '.sekisho', 'releases'), path.join(dataDir, 'releases'), { recursive: true })
}

/** Asks the system for a free port. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        address !== null && typeof address === 'object' ? resolve(address.port) : reject(address),
      )
    })
  })
}

async function waitUntilHealthy(origin: string, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`The product ended before it was up:\n${output()}`)
    const response = await fetch(`${origin}/__gate/health`).catch(() => null)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  child.kill('SIGKILL')
  throw new Error(`The product was not up within ${START_LIMIT_MS} ms:\n${output()}`)
}

function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill(signal)
  })
}
