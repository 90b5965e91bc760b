import { encodePath } from '@sekisho/contract/canonical-path'
import { splitTarget } from '@sekisho/release'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import { BytesResponse } from '@sekisho/wire'

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
