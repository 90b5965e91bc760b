import type { WireRequest } from '../client/messages.ts'
import { describeRequest } from './request-line.ts'
import type { Run } from './run.ts'
import { linksOf, type SurfaceEntry, surfaceEntry, surfaceProbes } from './surface.ts'

const NAVIGATION: WireRequest = { method: 'GET', target: '/', headers: [['Accept', 'text/html']] }

/** Lists every address that answers a stranger with something of its own. */
export async function listSurface(run: Run): Promise<SurfaceEntry[]> {
  const { client, reference } = run.options
  const page = await client.exchange(NAVIGATION)
  const links = page.kind === 'answer' ? linksOf(page.answer) : []
  const probes = new Map([...links, ...surfaceProbes(reference)].map((one) => [one.request.target, one]))
  const surface: SurfaceEntry[] = []
  await client.exchangeAll(probes.values(), ({ request, row, manner }, outcome) => {
    const answer = run.take({ request, row, manner }, outcome)
    if (outcome.kind !== 'answer' || run.refusals.has(answer.id)) return
    const entry = surfaceEntry(request.target, outcome.answer, reference)
    surface.push(entry)
    if (entry.kind !== 'unknown') return
    run.findings.add({
      rule: 'not-pinned',
      request: describeRequest(request),
      row,
      detail: `${entry.status} with ${entry.bytes} bytes that this product does not answer by itself`,
    })
  })
  return surface.toSorted((left, right) => (left.path < right.path ? -1 : 1))
}
