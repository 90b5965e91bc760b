import type { Preview } from '@sekisho/release'
import type { Session } from '@sekisho/state/sessions'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import { BytesResponse, PlainHeaders } from '@sekisho/wire'
import { isNavigation } from '../../frame/fetch-metadata.ts'
import { html } from '../../frame/html.ts'
import { pageLanguage } from '../../frame/reader-page.ts'
import type { Served } from '../../releases/file-response.ts'
import type { ReadReleases, ServedEdition } from '../../releases/open-releases.ts'

const BOX_STYLE =
  'box-sizing:border-box;width:100%;margin:0;padding:.5rem 1rem;font:14px/1.6 system-ui,sans-serif;overflow-wrap:anywhere;text-align:center'
/** At the lower edge of the window, however high the page's body is: some themes take everything out of it. */
const STYLE = `position:fixed;inset:auto 0 0;z-index:2147483647;background:#5b2b00;color:#fff;${BOX_STYLE}`
/** As high, and in its place at the end of the page, so that no last line is covered. */
const PLACE_STYLE = `visibility:hidden;${BOX_STYLE}`
const LINK_STYLE = 'color:#fff;text-decoration:underline'

export interface BannerOptions {
  readonly preview: Preview
  readonly portal: URL
  /** By whose calendar a preview ends, as an IANA name. */
  readonly timeZone: string
}

/** Which preview a page is of, in the language of its site. */
export function bannerOf(
  { branch, commit, expiresAtMs, name }: Preview,
  { portal, timeZone }: Pick<BannerOptions, 'portal' | 'timeZone'>,
  site: ServedEdition['site'] | null,
): string {
  const lang = pageLanguage(site)
  const day = new Date(expiresAtMs).toLocaleDateString(lang, { month: 'long', day: 'numeric', timeZone })
  const short = commit.slice(0, 9)
  const [label, text, back] =
    lang === 'ja'
      ? [
          'プレビュー',
          `プレビュー ${name}（ブランチ ${branch}、コミット ${short}、${day}まで）。`,
          'ポータルへ',
        ]
      : ['Preview', `Preview ${name} (branch ${branch}, commit ${short}, until ${day}). `, 'To the portal']
  return html`<aside lang="${lang}" aria-label="${label}" data-sekisho-preview style="${STYLE}">${text}<a href="${portal.origin}/" style="${LINK_STYLE}">${back}</a></aside>
<div aria-hidden="true" style="${PLACE_STYLE}">${text}${back}</div>
`.text
}

/**
 * The releases of a preview as its readers see them: each document that a browser opens in a window ends with the banner. Behind the
 * end of a document a browser still adds to its body, so nothing of the page is read, and no script is needed. What scripts fetch and
 * frames show, and every file that is no page, stays as it was packed.
 */
export function withBanner(releases: ReadReleases, { preview, ...told }: BannerOptions): ReadReleases {
  async function answerPage(request: GateRequest, path: string, session: Session): Promise<Served> {
    const served = await releases.respond(plainRequest(request), path, session)
    if (served.csp.kind !== 'page') return releases.respond(request, path, session)
    const banner = Buffer.from(bannerOf(preview, told, (await releases.current(session))?.site ?? null))
    return { ...served, response: await append(served.response, banner) }
  }
  return {
    ...releases,
    respond(request, path, session) {
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      const isOfWindow = (request.headers.get('sec-fetch-dest') ?? 'document') === 'document'
      return isRead && isOfWindow && isNavigation(request)
        ? answerPage(request, path, session)
        : releases.respond(request, path, session)
    },
  }
}

/** The same question for the whole document, uncompressed. */
function plainRequest({ url, headers }: GateRequest): GateRequest {
  const plain = PlainHeaders.from([...headers])
  for (const name of ['accept-encoding', 'if-match', 'if-none-match', 'if-range', 'range']) plain.delete(name)
  return { method: 'GET', url, headers: plain, body: null }
}

/** The document is no longer the stored one, so it has no validator. */
async function append(response: GateResponse, more: Uint8Array): Promise<GateResponse> {
  const body = new Uint8Array(Buffer.concat([await response.bytes(), more]))
  const headers = PlainHeaders.from([...response.headers])
  for (const name of ['etag', 'accept-ranges', 'vary']) headers.delete(name)
  headers.set('content-length', String(body.byteLength))
  return new BytesResponse(body, { status: response.status, headers })
}
