import { BytesResponse } from '../http/bytes-response.ts'
import { encodePath } from '../http/canonical-path.ts'
import type { GateRequest } from '../http/gate-request.ts'
import type { GateResponse } from '../http/gate-response.ts'
import { splitTarget } from './request-path.ts'

/**
 * Sends a reader to another path of this portal, with the query of the request. `Location` is always a path, so
 * no header can turn it into another site.
 */
export function redirectTo(target: string, request: GateRequest): GateResponse {
  const { path, fragment } = splitTarget(target)
  const { search } = new URL(request.url)
  const url = new URL('http://path.invalid/')
  url.hash = fragment
  const location = encodePath(path) + search + url.hash
  return new BytesResponse(null, {
    status: 308,
    headers: { Location: location, 'Content-Length': '0', 'Cache-Control': 'private, no-store' },
  })
}
