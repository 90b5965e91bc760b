import { createContext, Script } from 'node:vm'

export const HOSTILE_CHARS = 65_536
/**
 * Five milliseconds are allowed on an idle core. Beside other tests a core is shared and the same work takes several times as long,
 * while quadratic work on this many characters takes seconds.
 */
export const MAX_CPU_MS = 5 * 5
const TRIES = 6
/** Far more than is allowed, as wall-clock time: an exponential pattern would never end. */
const CUT_OFF_MS = 200

const context = createContext({})
const script = new Script('work()')

/**
 * Processor time of this thread in `work`, in milliseconds: the least of some runs, because a first one compiles and any may collect
 * garbage. Work that was cut off counts as endless.
 */
export function cpuMsOf(work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < TRIES && least >= MAX_CPU_MS; run += 1) {
    const before = process.threadCpuUsage()
    if (!ends(work)) continue
    const { user, system } = process.threadCpuUsage(before)
    least = Math.min(least, (user + system) / 1_000)
  }
  return least
}

/** Ignores errors of the work: a parser may refuse its input. */
function ends(work: () => unknown): boolean {
  context.work = work
  try {
    script.runInContext(context, { timeout: CUT_OFF_MS })
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
  }
}
