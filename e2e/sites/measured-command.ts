import { type ChildProcess, spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'

/** A command's output and duration, and the peak memory of it and its children (0 where /proc is missing). */
export interface CommandResult {
  readonly output: string
  readonly ms: number
  readonly peakBytes: number
}

const SAMPLE_MS = 250

/** Runs a command to its end. Rejects with all it printed when it fails. */
export async function runMeasured(
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<CommandResult> {
  const startedMs = performance.now()
  const child = start(args, cwd, env)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
  let peakBytes = 0
  const sampler = setInterval(async () => {
    peakBytes = Math.max(peakBytes, await memoryOf(child.pid ?? 0))
  }, SAMPLE_MS)
  const code = await new Promise((resolve) => child.once('close', resolve))
  clearInterval(sampler)
  if (code !== 0) throw new Error(`${args.slice(1).join(' ')} ended with ${code}:\n${output}`)
  return { output, ms: performance.now() - startedMs, peakBytes }
}

/** Starts a server and waits until it prints what it is to print. */
export async function startServer(
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  isReady: RegExp,
): Promise<AsyncDisposable> {
  const child = start(args, cwd, env)
  let output = ''
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk
      if (isReady.test(output)) resolve()
    }
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', read)
    child.once('exit', (code) => reject(new Error(`it ended with ${code}:\n${output}`)))
  })
  return {
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
    },
  }
}

function start([script = '', ...args]: readonly string[], cwd: string, env: NodeJS.ProcessEnv): ChildProcess {
  const { PATH, HOME, TMPDIR } = process.env
  return spawn(process.execPath, [script, ...args], { cwd, env: { PATH, HOME, TMPDIR, CI: 'true', ...env } })
}

/** Resident bytes of a process and all below it. */
async function memoryOf(root: number): Promise<number> {
  const names = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const processes = await Promise.all(
    names.map(async (pid) => {
      const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
      return { pid: Number(pid), parent: Number(fields[1]), bytes: Number(fields[21] ?? 0) * 4096 }
    }),
  )
  const below = (pid: number): number =>
    processes
      .filter(({ parent }) => parent === pid)
      .reduce((sum, child) => sum + child.bytes + below(child.pid), 0)
  return (processes.find(({ pid }) => pid === root)?.bytes ?? 0) + below(root)
}
