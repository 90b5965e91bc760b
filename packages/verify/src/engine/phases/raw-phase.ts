import { fillTemplate } from '../../catalogue/template.ts'
import { RAW_ROWS, type RawRow } from '../../catalogue/threats.ts'
import type { WireOutcome } from '../../client/response.ts'
import { describeRequest } from '../answers/findings.ts'
import { mannerOfBytes } from '../answers/proxy-answers.ts'
import { navigationTo } from '../probing/probes.ts'
import type { Run } from '../probing/run.ts'
import type { Target, Targets } from '../probing/targets.ts'

/** Most of a row's time is waiting for an answer that must not come. */
const LANES = 12

/** Sends what no library would send: broken framing, two Hosts, bytes behind the end of a request. */
export async function askRawBytes(run: Run): Promise<void> {
  const jobs = rawTargets(run.targets).flatMap((target) => RAW_ROWS.map((row) => ({ target, row })))
  const next = jobs[Symbol.iterator]()
  const lane = async () => {
    for (const { row, target } of next) await askRow(run, row, target)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

async function askRow(run: Run, row: RawRow, target: Target): Promise<void> {
  const bytes = Buffer.from(fillTemplate(row.bytes, target), 'latin1')
  const request = { method: 'RAW', target: bytes.toString('latin1'), headers: [] }
  const title = `${row.threat} ${row.name}`
  const outcomes = await run.options.client.exchangeBytes(bytes, row.maxAnswers + 1)
  for (const [index, outcome] of outcomes.entries()) {
    if (index > 0 && isSilence(outcome)) continue
    const manner = mannerOfBytes(request.target, index, target.host)
    const probe = { request, group: `${title} ${index}`, row: title, manner, target }
    run.uniformity.note(probe, run.take(probe, outcome))
    if (index < row.maxAnswers || outcome.kind !== 'response' || run.options.behindProxy) continue
    run.findings.add({
      rule: 'second-answer',
      request: describeRequest(request),
      row: title,
      detail: `answer ${index + 1}: bytes behind one request were read as another`,
    })
  }
  if (run.options.behindProxy) await askAfterwards(run, title, target)
}

/**
 * Asks for the next client after a request that a proxy may have framed differently. Two answers alone harm only the sender; the next
 * client must still get the ordinary response.
 */
async function askAfterwards(run: Run, title: string, target: Target): Promise<void> {
  const probe = { ...navigationTo(target), row: `${title}, then another client` }
  run.uniformity.note(probe, run.take(probe, await run.options.client.exchange(probe.request)))
}

/** Hostile framing does not depend on the path: one file and one decoy of the same shape are enough. */
function rawTargets({ files, decoys }: Targets): Target[] {
  const file = files.find((one) => decoys.some((decoy) => decoy.shape === one.shape))
  const decoy = decoys.find((one) => one.shape === file?.shape)
  return [file, decoy].filter((one) => one !== undefined)
}

function isSilence(outcome: WireOutcome): boolean {
  return outcome.kind !== 'response' && outcome.bytes.length === 0
}
