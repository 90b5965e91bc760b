import { createNodeServer } from '@sekisho/wire'
import { createAgentRoutes } from '../agents/mcp/mcp.ts'
import { createFairSearches } from '../endpoints/search/fair-searches.ts'
import { createSearchRunner } from '../endpoints/search/search-runner.ts'
import { problem } from '../kernel/pages/problem.ts'
import type { Agent } from '../kernel/route-table.ts'
import { createRefusalResponse } from '../kernel/wire-refusals.ts'
import { type ChooseEdition, openReleases } from '../releases/open-releases.ts'
import { everybodysEdition, READER } from './reader.ts'

/** A client that a reader let in. */
export const AGENT: Agent = {
  session: READER,
  ...{ grantId: 'grant-1', clientId: 'client', clientName: 'Claude Code', kind: 'grant' },
}

interface ServedAgents {
  /** Whether the clock goes on by a second for each call, so that no limit is met. */
  readonly isUnlimited?: boolean
  /** Which edition the agent's reader has. */
  readonly edition?: ChooseEdition
}

/**
 * Serves `/mcp` on a free port, over the releases of a folder, to an agent that is let in already.
 */
export async function serveAgents(
  releasesDir: string,
  { isUnlimited = false, edition = everybodysEdition }: ServedAgents = {},
) {
  await using cleanup = new AsyncDisposableStack()
  const server = createNodeServer({ refusalResponse: createRefusalResponse({ local: true }) })
  const port = await server.listen(0, '127.0.0.1')
  cleanup.defer(() => server.close(1_000))
  const origin = new URL(`http://127.0.0.1:${port}`)
  const releases = await openReleases({ releasesDir, choose: edition })
  const runner = cleanup.adopt(createSearchRunner(), (started) => started.close())
  let nowMs = Date.now()
  const routes = createAgentRoutes({
    ...{ origin, releases, searches: createFairSearches(runner), digest: (text: string) => text },
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
      return route.answer(request, { clientAddress: '', isReader: true, requestId: 'r' }, AGENT)
    },
  })
  const resources = cleanup.move()
  return { url: new URL('/mcp', origin), [Symbol.asyncDispose]: () => resources.disposeAsync() }
}
