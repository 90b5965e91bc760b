import { releaseTiming } from '@sekisho/contract/response-headers'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import type { AuditTrail } from '../../audit/index.ts'
import type { RequestContext } from '../../kernel/boundary.ts'
import { problem } from '../../kernel/pages/problem.ts'
import type { Visit } from '../../kernel/route-table.ts'
import type { ContentPolicy } from '../../releases/content-policy.ts'
import type { Releases } from '../../releases/open-releases.ts'
import { createReadings } from './readings.ts'

export interface ServeOptions {
  readonly releases: Pick<Releases, 'respond'>
  readonly contentPolicy: ContentPolicy
  readonly audit: Pick<AuditTrail, 'recordReading' | 'holdBack'>
}

/** Serves readers the files of the release: what they may run says the content policy, that they read it the trail. */
export function createServe({ releases, contentPolicy, audit }: ServeOptions) {
  const recordReading = createReadings(audit)
  return async (
    request: GateRequest,
    path: string,
    session: Visit,
    { requestId }: RequestContext,
    textOnly: boolean,
  ): Promise<GateResponse> => {
    const served = await releases.respond(request, path, session)
    if (textOnly && holdsMoreThanText(served.response)) return problem('not_found') // and no line of a reading
    const { response, csp, release } = served
    const policy = contentPolicy(csp)
    if (policy !== null) response.headers.set('content-security-policy', policy)
    if (csp.kind === 'page') response.headers.set('x-frame-options', 'SAMEORIGIN')
    if (csp.kind === 'page' && release !== undefined)
      response.headers.set('server-timing', releaseTiming(release))
    await recordReading({ request, session, path: served.path ?? path, requestId }, served)
    return response
  }
}

/** Whether content is anything but the text of a page. */
function holdsMoreThanText({ status, headers }: GateResponse): boolean {
  return status < 300 && headers.get('content-type')?.startsWith('text/markdown') !== true
}
