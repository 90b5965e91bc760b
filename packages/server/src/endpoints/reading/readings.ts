import type { ReleaseFile } from '@sekisho/release'
import type { GateRequest } from '@sekisho/wire'
import type { AuditFields, AuditTrail, ReadingEvent } from '../../audit/index.ts'
import type { RequestContext } from '../../kernel/boundary.ts'
import type { FileResponse, Reader } from '../../kernel/reader.ts'
import { recordRead } from '../../kernel/reader-trail.ts'

/** One request of a reader for a file of the release, and what it was answered with. */
interface FileRequest {
  readonly request: GateRequest
  readonly reader: Reader
  /** Canonical path. */
  readonly path: string
  readonly context: RequestContext
}

/** Types without text: everything else in a release is content until the release says otherwise. */
const NO_CONTENT = /^(?:text\/css|font\/|image\/x-icon|application\/manifest\+json)/
const SCRIPT = 'text/javascript'

/**
 * Records content leaving the gate, one line per page and file. A page's resources have lines only for sessions that did not get the page;
 * files of most pages carry no text. Returns a promise that the response must wait for, if any.
 */
export function createReadings(
  audit: Pick<AuditTrail, 'recordReading' | 'defer'>,
  opened: (reader: Reader, path: string) => void = () => {},
) {
  const known = createRecent()
  let newest = '' // pages are of the newest release, other files may be of one before

  function record(event: ReadingEvent, asked: FileRequest, release: string, more: AuditFields) {
    const { reader, path, context } = asked
    return recordRead(audit, { event, reader, path, context, release, more })
  }

  return (asked: FileRequest, { response, file, release }: FileResponse): Promise<void> | null => {
    if (file === undefined || release === undefined || !response.ok) return null
    const { request, reader, path } = asked
    const { id } = reader.session
    const ahead = isFetchedAhead(request) ? AHEAD : NOTHING
    if (file.delivery === 'page') {
      const written = record('page_read', asked, release, ahead)
      if (release !== newest) known.clear()
      newest = release
      if (ahead === NOTHING) {
        known.add(id, path)
        opened(reader, path)
      }
      return written
    }
    if (request.method === 'HEAD' || NO_CONTENT.test(file.type) || file.partOf?.length === 0) return null
    if (isPart(file) || response.status === 206) {
      const subject = (name: string) => (release === newest ? name : `${release} ${name}`)
      const own = subject(ahead === NOTHING ? path : `ahead ${path}`)
      if (known.has(id, own) || file.partOf?.some((page) => known.has(id, subject(page))))
        return audit.defer()
      known.add(id, own)
    }
    const page = file.partOf === undefined ? NOTHING : { pages: file.partOf }
    const [only, ...others] = file.partOf ?? []
    if (ahead === NOTHING && only !== undefined && others.length === 0) opened(reader, only) // without its HTML, by a link
    return record(file.type.startsWith(SCRIPT) ? 'script_read' : 'file_read', asked, release, {
      ...page,
      ...ahead,
    })
  }
}

const NOTHING: AuditFields = {}
const AHEAD: AuditFields = { purpose: 'prefetch' }

/** Tells if a browser claims to prefetch; the claim marks a line and omits none. */
function isFetchedAhead({ headers }: GateRequest): boolean {
  const purpose = headers.get('sec-purpose') ?? headers.get('purpose')
  return purpose !== null && /\bprefetch\b/i.test(purpose)
}

/** Loaded by pages, or by their scripts: a browser keeps it and asks once, other clients as often as they like. */
function isPart({ type, cache, partOf }: ReleaseFile): boolean {
  return partOf !== undefined || type.startsWith(SCRIPT) || cache === 'immutable'
}

/** Entries of one of two halves; the older half is forgotten when the newer is full. Forgetting costs a line too many. */
const MAX_HALF = 32_768

/** Recent readings of each session: a set for each, since joined keys cost half of a reading. */
function createRecent() {
  let newer = new Map<string, Set<string>>()
  let older = new Map<string, Set<string>>()
  let size = 0
  return {
    has: (session: string, subject: string): boolean =>
      newer.get(session)?.has(subject) === true || older.get(session)?.has(subject) === true,
    add(session: string, subject: string): void {
      if (size >= MAX_HALF) {
        older = newer
        newer = new Map()
        size = 0
      }
      const subjects = newer.get(session) ?? new Set()
      newer.set(session, subjects)
      const before = subjects.size
      size += subjects.add(subject).size - before
    },
    clear(): void {
      newer = new Map()
      older = new Map()
      size = 0
    },
  }
}
