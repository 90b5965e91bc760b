import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Of what all queries show: how much a reader sees without anything marked in it. */
export interface ShownMarks {
  readonly sections: number
  readonly unmarkedSections: number
  readonly results: number
  readonly unmarkedResults: number
}

/** Costs of answering, measured in a process that has done nothing else. */
export interface Serving {
  readonly loadMs: number
  readonly addedRssMb: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** The same of processor time, which a busy machine does not change much. */
  readonly p50CpuMs: number
  readonly p99CpuMs: number
}

/** Asks the queries in a new process, so that load time and memory are those of the engine alone. */
export async function timeInFreshProcess(
  index: string,
  queries: readonly string[],
): Promise<Serving & { found: string[][]; shown: ShownMarks }> {
  const child = fork(fileURLToPath(new URL('./serving-process.ts', import.meta.url)), {
    serialization: 'advanced',
    execArgv: ['--max-semi-space-size=10', '--max-old-space-size=256'], // as the gate's thread
  })
  child.send({ index, queries })
  const [answer] = await Promise.race([once(child, 'message'), failure(child)])
  child.disconnect()
  return answer
}

async function failure(child: ReturnType<typeof fork>): Promise<never> {
  const [code] = await once(child, 'exit')
  throw new Error(`The process that answers queries ended with ${code}`)
}
