import type { GateRequest, GateResponse } from '@sekisho/wire'
import { BytesResponse, PlainHeaders } from '@sekisho/wire'
import { isNavigation } from '../../kernel/client/fetch-metadata.ts'
import { type Html, html } from '../../kernel/pages/html.ts'
import type { FileResponse, Reader } from '../../kernel/reader.ts'

/** A notice on every page of a reader. */
export interface Notice {
  /** By which a page's scripts know it. */
  readonly kind: 'preview' | 'view'
  readonly lang: string
  readonly label: string
  /** Text, and links or one button. */
  readonly content: Html
}

/** The notice that a reader gets with each document; null for none. */
export type NoticeOf = (reader: Reader) => Notice | null

const BOX_STYLE =
  'box-sizing:border-box;width:100%;margin:0;padding:.5rem 1rem;font:14px/1.6 system-ui,sans-serif;overflow-wrap:anywhere;word-break:auto-phrase;text-wrap:pretty;text-align:center'
/** At the lower edge of the window, however high the page's body is: some themes take everything out of it. */
const STYLE = `position:fixed;inset:auto 0 0;z-index:2147483647;background:#5b2b00;color:#fff;${BOX_STYLE}`
/** As high, and in its place at the end of the page, so that no last line is covered. */
const PLACE_STYLE = `visibility:hidden;${BOX_STYLE}`

function boxOf(notices: readonly Notice[]): string {
  const lines = notices.map(
    ({ kind, lang, label, content }) =>
      html`<aside data-sekisho-notice="${kind}" lang="${lang}" aria-label="${label}">${content}</aside>`,
  )
  return html`<div data-sekisho-notices style="${STYLE}">${lines}</div>
<div aria-hidden="true" inert style="${PLACE_STYLE}">${notices.map(({ content }) => html`<div>${content}</div>`)}</div>
`.text
}

/** Answers a request for a file with what its reader is served. */
export type RespondToReader = (request: GateRequest, path: string, reader: Reader) => Promise<FileResponse>

/**
 * Appends the reader's notices to each document opened in a window. Browsers add markup behind a document's end to its body, so no page is
 * parsed and no script is needed. Frames and files that scripts fetch stay as packed.
 */
export function withNotices(respond: RespondToReader, noticesOf: readonly NoticeOf[]): RespondToReader {
  return async (request, path, reader) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const isOfWindow = (request.headers.get('sec-fetch-dest') ?? 'document') === 'document'
    if (!isRead || !isOfWindow || !isNavigation(request)) return respond(request, path, reader)
    const notices = noticesOf.flatMap((noticeOf) => noticeOf(reader) ?? [])
    const plain = notices.length === 0 ? null : await respond(plainRequest(request), path, reader)
    if (plain?.csp.kind !== 'page') return respond(request, path, reader)
    return { ...plain, response: await appendTo(plain.response, Buffer.from(boxOf(notices))) }
  }
}

/** The same question for the whole document, uncompressed. */
export function plainRequest({ url, headers }: GateRequest): GateRequest {
  const plain = PlainHeaders.from([...headers])
  for (const name of ['accept-encoding', 'if-match', 'if-none-match', 'if-range', 'range']) plain.delete(name)
  return { method: 'GET', url, headers: plain, body: null }
}

/** The document is no longer the stored one, so it has no validator. */
export async function appendTo(response: GateResponse, more: Uint8Array): Promise<GateResponse> {
  const body = new Uint8Array(Buffer.concat([await response.bytes(), more]))
  const headers = PlainHeaders.from([...response.headers])
  for (const name of ['etag', 'accept-ranges', 'vary']) headers.delete(name)
  headers.set('content-length', String(body.byteLength))
  return new BytesResponse(body, { status: response.status, headers })
}
