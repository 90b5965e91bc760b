import { ASKED_TIMING, releaseTiming, UPDATES_TIMING } from '@sekisho/contract/response-headers'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import type { AuditTrail } from '../../audit/index.ts'
import type { RequestContext } from '../../kernel/boundary.ts'
import { problem } from '../../kernel/pages/problem.ts'
import type { FileResponse, Reader } from '../../kernel/reader.ts'
import type { ContentPolicy } from '../../releases/content-policy.ts'
import { type NoticeOf, withNotices } from './notices.ts'
import { type PageNotesOptions, withPageNotes } from './page-notes.ts'
import { createReadings } from './readings.ts'

export interface ServeOptions {
  readonly contentPolicy: ContentPolicy
  readonly audit: Pick<AuditTrail, 'recordReading' | 'defer'>
  /** Notices that end each page. */
  readonly notices: readonly NoticeOf[]
  /** Notes that end the pages whose metadata asks for them. */
  readonly pageNotes: PageNotesOptions
  /** Told of pages that readers open, and of addresses that do not exist; absent where neither is counted. */
  readonly counts?: {
    opened(reader: Reader, path: string): void
    missing(reader: Reader, path: string): void
  }
}

/** Serves readers the files of their edition, with the content security policy of each, and records what they read. */
export function createServe({ contentPolicy, audit, notices, pageNotes, counts }: ServeOptions) {
  const recordReading = createReadings(audit, counts?.opened)
  const respond = withPageNotes(withNotices(answerFrom, notices), pageNotes)
  return async (
    request: GateRequest,
    path: string,
    reader: Reader,
    context: RequestContext,
  ): Promise<GateResponse> => {
    const served = await respond(request, path, reader)
    const { response, csp, release, hasUpdates, openItems = 0 } = served
    const policy = contentPolicy(csp)
    if (policy !== null) response.headers.set('content-security-policy', policy)
    if (csp.kind === 'page') response.headers.set('x-frame-options', 'SAMEORIGIN')
    if (csp.kind === 'page' && release !== undefined)
      response.headers.set(
        'server-timing',
        [
          releaseTiming(release),
          ...(hasUpdates === true ? [UPDATES_TIMING] : []),
          ...(openItems > 0 ? [`${ASKED_TIMING};desc="${openItems}"`] : []),
        ].join(', '),
      )
    if (response.status === 404 && request.headers.get('sec-fetch-dest') === 'document')
      counts?.missing(reader, path)
    await recordReading({ request, reader, path: served.path ?? path, context }, served)
    return response
  }
}

/** A token reads nothing but the text of pages. */
async function answerFrom(request: GateRequest, path: string, reader: Reader): Promise<FileResponse> {
  const response = reader.served?.respond(request, path, reader.via === 'session' ? 'all' : 'text')
  return response ?? { response: problem('unavailable'), csp: { kind: 'bare' } }
}
