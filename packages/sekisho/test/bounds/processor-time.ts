import { createContext, Script } from 'node:vm'

/** Four times as many at night, which finds what is quadratic by a sixteenth as much. */
export const HOSTILE_CHARS = process.env.TEST_LONG === undefined ? 16_384 : 65_536
/**
 * Five milliseconds are allowed on an idle core. Beside other tests a core is shared and the same work takes several times as long,
 * while quadratic work on this many characters takes a tenth of a second or more.
 */
const MAX_CPU_MS = 5 * 5
const TRIES = 6
/** Far more than is allowed, as wall-clock time: an exponential pattern would never end. */
const CUT_OFF_MS = 200
/** Of many at a time, nearly all of which take a fraction of a millisecond. */
const CUT_OFF_ALL_MS = 2_000

const context = createContext({})
const script = new Script('work()')

/**
 * Finds the first work that takes {@link MAX_CPU_MS} or more. All run in one thread first, since a thread for each costs 0.6 ms; those that
 * take too long there, or are not reached, run by themselves.
 */
export function findSlow(
  works: readonly (() => unknown)[],
): { readonly at: number; readonly ms: number } | null {
  const together: number[] = []
  ends(() => {
    for (const work of works) {
      const before = process.threadCpuUsage()
      try {
        work()
      } catch {} // a parser may refuse its input
      together.push(msSince(before))
    }
  }, CUT_OFF_ALL_MS)
  for (const [at, work] of works.entries()) {
    if ((together[at] ?? MAX_CPU_MS) < MAX_CPU_MS) continue
    const ms = cpuMsOf(work)
    if (ms >= MAX_CPU_MS) return { at, ms }
  }
  return null
}

/**
 * Processor time of this thread in `work`, in milliseconds: the least of some runs, because a first one compiles and any may collect
 * garbage. Work that was cut off counts as endless.
 */
function cpuMsOf(work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < TRIES && least >= MAX_CPU_MS; run += 1) {
    const before = process.threadCpuUsage()
    if (ends(work, CUT_OFF_MS)) least = Math.min(least, msSince(before))
  }
  return least
}

function msSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

/** Ignores errors of the work: a parser may refuse its input. */
function ends(work: () => unknown, timeout: number): boolean {
  context.work = work
  try {
    script.runInContext(context, { timeout })
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
  }
}
