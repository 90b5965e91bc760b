import { createNodeServer } from '@sekisho/wire'
import { createAgentRoutes } from '../agents/mcp/mcp.ts'
import { createFairSearches } from '../endpoints/search/fair-searches.ts'
import { createSearchRunner } from '../endpoints/search/search-runner.ts'
import { problem } from '../kernel/pages/problem.ts'
import type { Reader, ServedEdition } from '../kernel/reader.ts'
import { createRefusalResponse } from '../kernel/wire-refusals.ts'
import { openReleases } from '../releases/open-releases.ts'
import { readerOf } from './reader.ts'

/** A reader through a client that they let in. */
export function agentOf(served: ServedEdition | null, of: Partial<Reader> = {}): Reader {
  const grant = { id: 'grant-1', client: 'client', name: 'Claude Code' }
  return { ...readerOf(served), via: 'agent', grant, ...of }
}

interface ServedAgents {
  /** The clock advances by a second for each call, so that no limit is met. */
  readonly isUnlimited?: boolean
  /** Edition of the agent's reader. */
  readonly edition?: (one: ServedEdition) => boolean
}

/**
 * Serves `/mcp` on a free port, over the releases of a folder, to an agent that is let in already.
 */
export async function serveAgents(
  releasesDir: string,
  { isUnlimited = false, edition = ({ audiences }) => audiences.length === 0 }: ServedAgents = {},
) {
  await using cleanup = new AsyncDisposableStack()
  const server = createNodeServer({ refusalResponse: createRefusalResponse({ local: true }) })
  const port = await server.listen(0, '127.0.0.1')
  cleanup.defer(() => server.close(1_000))
  const origin = new URL(`http://127.0.0.1:${port}`)
  const releases = await openReleases({ releasesDir })
  const runner = cleanup.adopt(createSearchRunner(), (started) => started.close())
  let nowMs = Date.now()
  const routes = createAgentRoutes({
    timeZone: 'Asia/Tokyo',
    ...{ origin, searches: createFairSearches(runner), digest: (text: string) => text },
    now: isUnlimited ? () => (nowMs += 1_000) : Date.now,
    audit: { recordReading: () => null },
    queryLog: { searched() {} },
    feedbackLog: { keeps: false, write: () => 0, flush: async () => {} },
  })
  server.attach({
    origin,
    async handle(request) {
      const route = routes.get(new URL(request.url).pathname)
      if (route?.access !== 'agent') return problem('not_found')
      const served = (await releases.editions()).find(edition) ?? null
      return route.answer(request, agentOf(served), { clientAddress: '', isReader: true, requestId: 'r' })
    },
  })
  const resources = cleanup.move()
  return { url: new URL('/mcp', origin), [Symbol.asyncDispose]: () => resources.disposeAsync() }
}
