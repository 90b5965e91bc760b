import { DEGRADED, HEALTHY, ROUTES } from '@sekisho/contract/routes'
import type { Handler } from '@sekisho/frame/boundary'
import { jsonResponse, problem } from '@sekisho/frame/problem'
import { openRoute, type RouteTable } from '@sekisho/frame/route-table'
import type { PartState } from '@sekisho/observability/health'

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
