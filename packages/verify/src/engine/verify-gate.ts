import type { Finding } from './findings.ts'
import { isPlainRow, planProbes } from './probes.ts'
import { askRawBytes } from './raw-phase.ts'
import { createRun, type Run, type VerifyOptions } from './run.ts'
import type { SurfaceEntry } from './surface.ts'
import { listSurface } from './surface-phase.ts'

/** What verify found out. The gate is closed when `findings` is empty. */
export interface VerifyReport {
  readonly findings: readonly Finding[]
  readonly surface: readonly SurfaceEntry[]
  readonly files: number
  readonly requests: number
  /** How many different things the gate said in all. */
  readonly differentAnswers: number
}

/** Asks a gate, without a session, for everything of a release in every way, and holds each answer against it. */
export async function verifyGate(options: VerifyOptions): Promise<VerifyReport> {
  const run = createRun(options)
  await askTables(run)
  run.enter('raw bytes')
  await askRawBytes(run)
  run.enter('surface')
  const surface = await listSurface(run)
  run.enter('comparing')
  run.finish()
  return { findings: run.findings.all(), surface, files: options.release.files.size, ...run.totals() }
}

async function askTables(run: Run): Promise<void> {
  const { client, effort } = run.options
  await client.exchangeAll(planProbes(run.targets, effort), (probe, outcome) => {
    const answer = run.take(probe.request, probe.row, outcome)
    run.uniformity.note(probe, answer)
    if (!probe.target.exists && isPlainRow(probe.row)) run.refusals.add(answer.id)
  })
}
