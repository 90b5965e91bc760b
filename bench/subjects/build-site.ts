import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Site } from './subject.ts'

/** What a build took. */
export interface BuildCost {
  seconds: number
  /** Processor time of the build and the programs it started: on a shared machine steadier than the clock (Linux; 0 elsewhere). */
  processorSeconds: number
  /** Most memory the build and the programs it started held at once (Linux; 0 elsewhere). */
  peakMb: number
}

/** Removes whatever earlier builds of a site left, so that the next one is cold. */
export function forgetBuilds({ dir, outDir, caches }: Site): void {
  for (const folder of [outDir, ...caches.map((cache) => join(dir, cache))])
    rmSync(folder, { recursive: true, force: true })
}

/** Builds a site in a process of its own, removing what an earlier build left to be served. */
export async function buildSite(site: Site, env: { [name: string]: string } = {}): Promise<BuildCost> {
  rmSync(site.outDir, { recursive: true, force: true })
  const [program, ...args] = site.command
  const startedAt = performance.now()
  const output: string[] = []
  const child = spawn(program, args, {
    cwd: site.dir,
    env: { ...process.env, NODE_ENV: 'production', ...site.env, ...env },
  })
  child.stdout.on('data', (text) => output.push(String(text)))
  child.stderr.on('data', (text) => output.push(String(text)))
  const cost = { peakMb: 0, processorSeconds: 0 }
  const watch = setInterval(() => {
    const tree = child.pid === undefined ? [] : listTree(child.pid)
    cost.peakMb = Math.max(cost.peakMb, sum(tree.map(readResidentMb)))
    cost.processorSeconds = Math.max(cost.processorSeconds, sum(tree.map(readProcessorSeconds)))
  }, 200)
  const code = await new Promise((resolve) => child.on('close', resolve))
  clearInterval(watch)
  if (code !== 0 || !existsSync(site.outDir))
    throw new Error(`${site.command.join(' ')} failed:\n${output.join('').slice(-2000)}`)
  return { seconds: (performance.now() - startedAt) / 1000, ...cost }
}

/** A process and all that it has started, as far as they are running. */
function listTree(pid: number): number[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
    return [pid, ...children.flatMap(listTree)]
  } catch {
    return []
  }
}

function readResidentMb(pid: number): number {
  try {
    return (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096) / 2 ** 20
  } catch {
    return 0
  }
}

/** Its own time and that of children that have ended: fields 14 to 17 of proc(5), in hundredths of a second. */
function readProcessorSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return sum(fields.slice(11, 15).map(Number)) / 100
  } catch {
    return 0
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
