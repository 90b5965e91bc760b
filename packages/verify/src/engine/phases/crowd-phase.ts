import { navigationTo } from '../probing/probes.ts'
import type { Run } from '../probing/run.ts'

const ROW = 'many at once'
/** Number of simultaneous requests: above what a gate handles unlimited, mostly below an operator's proxy limit. */
const CROWD = 256
const CROWD_BEHIND_PROXY = 64
const ROUNDS = 4

/** Asks for a few files on many connections at the same moment, so that a check that gives up under load shows. */
export async function askTogether(run: Run): Promise<void> {
  const { targets, uniformity, options } = run
  const { client, behindProxy } = options
  const crowd = Array.from({ length: behindProxy ? CROWD_BEHIND_PROXY : CROWD }, (_, index) => index)
  for (let round = 0; round < ROUNDS; round += 1) {
    const probes = crowd.flatMap((index) => {
      const target = targets.sample[(index + round) % targets.sample.length]
      return target === undefined
        ? []
        : [{ ...navigationTo(target), row: ROW, group: `${ROW} / ${target.shape}` }]
    })
    await client.exchangeTogether(probes, (probe, outcome) =>
      uniformity.note(probe, run.take(probe, outcome)),
    )
  }
}
