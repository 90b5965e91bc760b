import { DEGRADED, HEALTHY, ROUTES } from '@sekisho/contract/routes'
import type { Handler } from '../../kernel/boundary.ts'
import type { PartState } from '../../kernel/monitoring/health.ts'
import { jsonResponse, problem } from '../../kernel/pages/problem.ts'
import { openRoute, type RouteTable } from '../../kernel/route-table.ts'

/** Binds what load balancers ask (may readers come?) and what supervisors ask (is it alive?): one word, and nothing of the parts. */
export function createHealthRoutes(health: () => PartState | Promise<PartState>): RouteTable {
  const tell: Handler = async () => {
    const status = await health()
    return status === 'failed' ? problem('unavailable') : jsonResponse(status === 'ok' ? HEALTHY : DEGRADED)
  }
  const live: Handler = async () => jsonResponse(HEALTHY)
  return new Map([
    openRoute(ROUTES.health, { GET: tell, HEAD: tell }),
    openRoute(ROUTES.live, { GET: live, HEAD: live }),
  ])
}
