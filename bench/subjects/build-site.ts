import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import type { Site } from './subject.ts'

/** What a build took. */
export interface BuildCost {
  seconds: number
  /** Most memory the build and the programs it started held at once. */
  peakMb: number
}

/** Builds a site in a process of its own, removing what an earlier build left. */
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
  let peakMb = 0
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, child.pid === undefined ? 0 : readResidentMb(child.pid))
  }, 200)
  const code = await new Promise((resolve) => child.on('close', resolve))
  clearInterval(watch)
  if (code !== 0 || !existsSync(site.outDir))
    throw new Error(`${site.command.join(' ')} failed:\n${output.join('').slice(-2000)}`)
  return { seconds: (performance.now() - startedAt) / 1000, peakMb }
}

/** Resident memory of a process and its children (Linux; 0 elsewhere). */
function readResidentMb(pid: number): number {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
    return children.reduce((sum, child) => sum + readResidentMb(child), (pages * 4096) / 2 ** 20)
  } catch {
    return 0
  }
}
