import { hash } from 'node:crypto'
import { encodePath, equivalentPath } from '@sekisho/contract/canonical-path'
import { DEFAULT_HEADERS } from '@sekisho/contract/response-headers'
import type { WireClient } from '../../client/client.ts'
import type { HeaderLine, WireRequest } from '../../client/request.ts'
import { decodeBody, type WireOutcome, type WireResponse } from '../../client/response.ts'
import { createNameFinder } from '../../leaks/names.ts'
import type { OpenedEdition, OpenedRelease } from '../../leaks/protected-release.ts'
import { viewsOf } from '../../leaks/views.ts'
import { createFindingList, describeRequest, type FindingList, type Rule } from '../answers/findings.ts'
import { searchableHeaders } from '../answers/header-forms.ts'
import { createKnownAnswers, ignoredHeaders } from '../answers/known-answers.ts'
import { type Effort, NAVIGATION, type Probe } from '../probing/probes.ts'
import { listTargets, type Targets } from '../probing/targets.ts'
import { createUniformity, type Uniformity } from '../probing/uniformity.ts'

export interface EditionOptions {
  readonly client: WireClient
  readonly host: string
  /** As browsers name it: what a page of the portal says that it is of. */
  readonly origin: string
  /** A proxy may add headers of its own. */
  readonly behindProxy: boolean
  /** The edition whose reader asks. */
  readonly edition: OpenedEdition
  /** The others of the release. */
  readonly others: readonly OpenedEdition[]
  /** Releases that are kept beside it. */
  readonly earlier?: readonly OpenedRelease[]
  /** The Cookie header of a reader of each edition, by its name: the one who asks, and the controls. */
  readonly cookies: ReadonlyMap<string, string>
  /** The Authorization header of an agent of each edition's reader, by its name; absent where there are none to ask with. */
  readonly tokens?: ReadonlyMap<string, string>
  readonly effort: Effort
}

/** One look at an edition from another one, as its phases share it. */
export interface EditionRun {
  readonly options: EditionOptions
  /** Content that only other editions hold. */
  readonly hidden: Pick<OpenedEdition, 'files' | 'redirects'>
  /** The same with decoys of its shape. */
  readonly targets: Targets
  readonly uniformity: Uniformity
  readonly findings: FindingList
  /** Digests of bytes that only other editions hold. */
  readonly isForeign: (digest: string | null) => boolean
  /** Tells if the edition itself has a page of that path or title. */
  readonly isOwnName: (name: string) => boolean
  readonly report: (rule: Rule, request: WireRequest, row: string, detail: string) => void
  /** Asks as a reader of an edition and counts. */
  readonly ask: <One extends { readonly request: WireRequest }>(
    probes: Iterable<One>,
    onOutcome: (probe: One, outcome: WireOutcome) => void,
    connections?: number,
  ) => Promise<void>
  /** Notes an answer to the edition's reader: by its bytes, and among those that nonsense got. */
  readonly take: (probe: Probe, outcome: WireOutcome) => void
  /**
   * A name of what is hidden in the headers or the text of an answer, null when there is none. What the request said itself is an echo, and the
   * text of the edition's own files was looked at where they are stored.
   */
  readonly findName: (request: WireRequest, outcome: WireOutcome) => string | null
  readonly requests: () => number
}

/** The security headers of every response. */
const OWN_LINES = new Set(DEFAULT_HEADERS.map(([name, value]) => `${name.toLowerCase()}: ${value}`))

export function createEditionRun(options: EditionOptions): EditionRun {
  const { client, host, edition, others } = options
  const findings = createFindingList()
  const book = createKnownAnswers(ignoredHeaders(options.behindProxy))
  const uniformity = createUniformity()
  const hidden = hiddenFrom(edition, others)
  const isOwn = (path: string) => edition.files.has(path) || edition.redirects.has(path)
  const ownDigests = new Set(digestsOf(edition))
  const foreign = new Set(others.flatMap(digestsOf).filter((digest) => !ownDigests.has(digest)))
  const ownNames = new Set([...edition.files].flatMap(([path, { title }]) => [path, ...formsOfTitle(title)]))
  const names = createNameFinder({ ...edition, ...hidden }, (name) => ownNames.has(name))
  let requests = 0
  const isForeign = (digest: string | null) => digest !== null && foreign.has(digest)
  const report: EditionRun['report'] = (rule, request, row, detail) =>
    findings.add({ rule, request: describeRequest(request), row, detail })

  return {
    options,
    hidden,
    findings,
    uniformity,
    isForeign,
    report,
    targets: listTargets({ ...hidden, locales: edition.locales }, host, isOwn),
    isOwnName: (name) => ownNames.has(name),
    ask: (probes, onOutcome, connections) =>
      client.exchangeAll(
        probes,
        (probe, outcome) => {
          requests += 1
          onOutcome(probe, outcome)
        },
        connections,
      ),
    take(probe, outcome) {
      uniformity.note(probe, book.identify(withoutEcho(probe.request, outcome)).answer)
      if (isForeign(digestOf(outcome)))
        report('other-edition', probe.request, probe.row, 'the bytes of another edition')
    },
    findName({ target }, outcome) {
      if (outcome.kind !== 'response') return null
      const { response } = outcome
      const own = ownDigests.has(digestOf(outcome) ?? '')
      const body = own ? [] : viewsOf(decodeBody(response) ?? response.body)
      const said = `${target} ${decodeURIComponent(target)}`
      for (const view of [...viewsOf(headerBytes(response)), ...body]) {
        const name = names.find(view, said)
        if (name !== null) return name.text
      }
      return null
    },
    requests: () => requests,
  }
}

/** The answer with a redirect to the canonical spelling of what was asked for as nothing but that: it says no more than the request. */
function withoutEcho({ target }: WireRequest, outcome: WireOutcome): WireOutcome {
  if (outcome.kind !== 'response' || outcome.response.status !== 308) return outcome
  const url = URL.parse(target, 'http://release.invalid')
  const path = url === null ? null : equivalentPath(url.href)
  if (url === null || path === null || encodePath(path) === url.pathname) return outcome
  const canonical = encodePath(path) + url.search
  const headers = outcome.response.headers.map(
    ([name, value]): HeaderLine =>
      name.toLowerCase() === 'location' && value === canonical ? [name, 'canonical'] : [name, value],
  )
  return { ...outcome, response: { ...outcome.response, headers } }
}

const headerBytes = ({ headers, interim }: WireResponse) =>
  Buffer.from(searchableHeaders([...headers, ...interim], OWN_LINES))

/** A page as a reader of that edition opens it. */
export function openAs(
  { cookies }: Pick<EditionOptions, 'cookies'>,
  name: string,
  path: string,
): WireRequest {
  return withLine({ method: 'GET', target: encodePath(path), headers: NAVIGATION }, cookieLine(cookies, name))
}

export const cookieLine = (cookies: EditionOptions['cookies'], name: string): HeaderLine => [
  'Cookie',
  cookies.get(name) ?? '',
]

export const withLine = (request: WireRequest, line: HeaderLine): WireRequest => ({
  ...request,
  headers: [...request.headers, line],
})

/** SHA-256 of a body, its content coding undone; null where there is none. */
export function digestOf(outcome: WireOutcome): string | null {
  if (outcome.kind !== 'response' || outcome.response.body.length === 0) return null
  const body = decodeBody(outcome.response)
  return body === null ? null : hash('sha256', body)
}

const digestsOf = ({ files }: OpenedEdition) => [...files.values()].map(({ sha256 }) => sha256)
/** A title as pages have it, and without the site's part. */
export const formsOfTitle = (title: string | undefined) =>
  title === undefined ? [] : [title, title.split(' | ')[0] ?? title]

function hiddenFrom(edition: OpenedEdition, others: readonly OpenedEdition[]) {
  const isHidden = ([path]: readonly [string, unknown]) =>
    !edition.files.has(path) && !edition.redirects.has(path)
  return {
    files: new Map(others.flatMap(({ files }) => [...files].filter(isHidden))),
    redirects: new Map(others.flatMap(({ redirects }) => [...redirects].filter(isHidden))),
  }
}
