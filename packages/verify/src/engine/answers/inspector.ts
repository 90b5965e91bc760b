import type { WireRequest } from '../../client/request.ts'
import { decodeBody } from '../../client/response.ts'
import { createNameFinder } from '../../leaks/names.ts'
import { type ProtectedRelease, protectedTexts, shownTexts } from '../../leaks/protected-release.ts'
import type { PublicText } from '../../leaks/public-text.ts'
import { createSuspects } from '../../leaks/suspects.ts'
import { viewsOf } from '../../leaks/views.ts'
import { describeRequest, type FindingList } from './findings.ts'
import { searchableHeaders } from './header-forms.ts'
import type { Standing } from './judge.ts'
import type { KnownAnswer } from './known-answers.ts'

/** The request behind a response, and the known standing of the response. */
interface Drawn {
  readonly request: WireRequest
  readonly row: string
  readonly standing: Standing
}

/** Searches what was sent for anything of the release. Each different answer is handed in once. */
interface Inspector {
  readonly inspect: (answer: KnownAnswer, by: Drawn) => void
  /** Holds what waits against the release; to be called once at the end. */
  readonly finish: () => void
}

interface InspectorOptions {
  readonly release: ProtectedRelease
  readonly publicText: PublicText
  readonly isPublicName: (name: string) => boolean
  readonly findings: FindingList
  readonly headerLines: ReadonlySet<string>
}

/** Windows held at a time: about 100 MB. A gate that holds stays below a thousand. */
const MAX_WAITING_WINDOWS = 2_000_000
/** After so many leaks the gate is known to be open; more would only take time. */
const ENOUGH_LEAKS = 200

export function createInspector(options: InspectorOptions): Inspector {
  const { release, publicText, findings } = options
  const names = createNameFinder(release, options.isPublicName)
  const suspects = createSuspects(publicText)
  // Scripts of the identity service share idioms with any other script, so they are held against prose alone.
  const foreign = createSuspects(publicText)
  const asked = new Map<number, Drawn>()
  let leaks = 0

  function compare(): void {
    const runs = [...suspects.compare(protectedTexts(release)), ...foreign.compare(shownTexts(release))]
    for (const run of runs) {
      const by = asked.get(run.sample)
      if (by === undefined) continue
      leaks += 1
      findings.add({
        rule: 'protected-text',
        request: describeRequest(by.request),
        row: by.row,
        detail: `${run.where} holds "${run.excerpt}"`,
      })
    }
    asked.clear()
  }

  return {
    finish: compare,
    inspect(answer, by) {
      if (leaks >= ENOUGH_LEAKS) return
      const { request, row, standing } = by
      const body = bodyOf(answer)
      if (body === null) {
        findings.add({
          rule: 'unreadable',
          request: describeRequest(request),
          row,
          detail: 'the body is not in the content coding its header names',
        })
      }
      asked.set(answer.id, by)
      let waiting = 0
      for (const view of [...viewsOf(headersOf(answer, options)), ...viewsOf(body ?? Buffer.alloc(0))]) {
        waiting = (standing === 'identity' ? foreign : suspects).add(answer.id, view)
        const name = names.find(publicText.residue(view), decodedTarget(request))
        if (name === null) continue
        leaks += 1
        findings.add({
          rule: name.kind === 'title' ? 'page-title' : 'file-name',
          request: describeRequest(request),
          row,
          detail: `"${name.text}"`,
        })
      }
      if (waiting > MAX_WAITING_WINDOWS) compare()
    },
  }
}

function headersOf({ outcome }: KnownAnswer, { headerLines }: InspectorOptions): Buffer {
  if (outcome.kind !== 'response') return Buffer.alloc(0)
  const { headers, interim } = outcome.response
  return Buffer.from(searchableHeaders([...headers, ...interim], headerLines), 'latin1')
}

function bodyOf(answer: KnownAnswer): Buffer | null {
  return answer.outcome.kind === 'response' ? decodeBody(answer.outcome.response) : answer.outcome.bytes
}

/** The request's target as sent and percent-decoded, to tell an echo from a disclosure. */
function decodedTarget(request: WireRequest): string {
  const sent = request.headers.map(([, value]) => value).join(' ')
  const text = `${request.target} ${sent}`
  const decoded = Buffer.from(
    text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
  return `${text} ${decoded.toString('utf8')}`
}
