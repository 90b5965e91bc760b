import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { CACHE_DIR, type Site } from './subject.ts'

/** Cost of a build. */
interface BuildCost {
  seconds: number
  /** Processor time of the build and the programs it started: on a shared machine steadier than the clock (Linux; 0 elsewhere). */
  processorSeconds: number
  /**
   * Most memory the build and the programs it started held at once, with what two of them share counted once
   * (proportional set size, proc_pid_smaps_rollup(5); Linux, 0 elsewhere).
   */
  peakMb: number
  /** The same as a sum of resident sizes, which counts shared memory once for each program. */
  peakResidentMb: number
}

/** Takes away whatever earlier builds of a site left, so that the next one is cold. */
export function forgetBuilds({ dir, outDir, caches }: Site): void {
  for (const folder of [outDir, ...caches.map((cache) => join(dir, cache))]) setAside(folder)
}

const ASIDE = join(CACHE_DIR, 'set-aside')

/**
 * Moved, not deleted: for some minutes ext4 passes over the places of deleted files one by one whenever a file is made
 * (`recently_deleted` in its ialloc.c), which cost a build of 1,000 pages 7 % of its processor time, and more the
 * more files it writes.
 */
function setAside(folder: string): void {
  if (!existsSync(folder)) return
  mkdirSync(ASIDE, { recursive: true })
  renameSync(folder, join(ASIDE, randomUUID()))
}

/** Deletes what was set aside, when nothing is measured any more. A run within the next minutes is slower for it. */
export function deleteSetAside(): void {
  rmSync(ASIDE, { recursive: true, force: true })
}

/** Builds a site in a process of its own, without what an earlier build left to be served. */
export async function buildSite(site: Site, env: { [name: string]: string } = {}): Promise<BuildCost> {
  setAside(site.outDir)
  const [program, ...args] = site.command
  const startedAt = performance.now()
  const output: string[] = []
  const child = spawn(program, args, {
    cwd: site.dir,
    env: { ...process.env, NODE_ENV: 'production', ...site.env, ...env },
  })
  child.stdout.on('data', (text) => output.push(String(text)))
  child.stderr.on('data', (text) => output.push(String(text)))
  const cost = { peakMb: 0, peakResidentMb: 0, processorSeconds: 0 }
  const tree = () => (child.pid === undefined ? [] : listTree(child.pid))
  const watchTime = setInterval(() => {
    cost.processorSeconds = Math.max(cost.processorSeconds, sum(tree().map(readProcessorSeconds)))
  }, 200)
  // Seldom: the kernel walks all of a process's memory to answer.
  const watchMemory = setInterval(() => {
    const sizes = tree().map(readMemory)
    cost.peakMb = Math.max(cost.peakMb, sum(sizes.map(({ proportional }) => proportional)))
    cost.peakResidentMb = Math.max(cost.peakResidentMb, sum(sizes.map(({ resident }) => resident)))
  }, 1000)
  const code = await new Promise((resolve) => child.on('close', resolve))
  clearInterval(watchTime)
  clearInterval(watchMemory)
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

/** Memory of one process in MB. */
function readMemory(pid: number): { proportional: number; resident: number } {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    const read = (name: string) => Number(new RegExp(`^${name}: +(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) / 1024
    return { proportional: read('Pss'), resident: read('Rss') }
  } catch {
    return { proportional: 0, resident: 0 }
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
