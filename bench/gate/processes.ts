import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { get } from 'node:http'
import { availableParallelism } from 'node:os'

/** A server under measurement. */
export interface Peer extends AsyncDisposable {
  readonly port: number
  readonly startedMs: number
  /** Every process that takes part in its answers. */
  readonly pids: readonly number[]
}

const TASKSET = ['/usr/bin/taskset', '/bin/taskset'].find(existsSync)

/** The command that keeps a program on one core, where the system has one and there is a second for the load. */
export function pinned(core: number, command: readonly string[]): readonly [string, ...string[]] {
  const [program = '', ...args] = command
  if (TASKSET === undefined || availableParallelism() < 2) return [program, ...args]
  return [TASKSET, '-c', String(core), program, ...args]
}

export function start(
  command: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
  log: number | 'ignore' = 'ignore',
): ChildProcess {
  const [program, ...args] = command
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', log, 'inherit'] })
  const end = () => void child.kill('SIGTERM') // a run that fails half way leaves nothing behind
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  return child
}

/** Ends one process that this run started, and waits for it. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** Polls until a response has `status`; resolves to the milliseconds that took. */
export async function untilAnswers(
  port: number,
  path: string,
  headers: Record<string, string>,
  wanted = 200,
): Promise<number> {
  const startedMs = performance.now()
  for (;;) {
    const status = await statusOf(port, path, headers)
    if (status === wanted) return performance.now() - startedMs
    if (performance.now() - startedMs > 60_000)
      throw new Error(`${path} is answered ${status ?? 'by nobody'}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** The status of one GET, or null without a listener. */
function statusOf(port: number, path: string, headers: Record<string, string>): Promise<number | null> {
  return new Promise((resolve) => {
    const request = get({ port, host: '127.0.0.1', path, headers, agent: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? null))
    })
    request.once('error', () => resolve(null))
  })
}

/** Resident megabytes of a process, as the kernel counts them. */
export function residentMb(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}

/** Processor seconds the processes have used so far; the kernel counts hundredths. */
export function processorSeconds(pids: readonly number[]): number {
  let ticks = 0
  for (const pid of pids) {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    ticks += Number(fields[11]) + Number(fields[12])
  }
  return ticks / 100
}
