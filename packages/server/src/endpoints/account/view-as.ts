import { ROUTES } from '@sekisho/contract/routes'
import { editionLabel } from '@sekisho/release'
import type { GateResponse } from '@sekisho/wire'
import type { AuditTrail } from '../../audit/index.ts'
import type { RequestContext } from '../../kernel/boundary.ts'
import { readFormBody } from '../../kernel/json-body.ts'
import { type Html, html } from '../../kernel/pages/html.ts'
import { problem } from '../../kernel/pages/problem.ts'
import { pageLanguage } from '../../kernel/pages/reader-page.ts'
import type { Reader } from '../../kernel/reader.ts'
import { actOf } from '../../kernel/reader-trail.ts'
import { type ReaderHandler, type RouteTable, readerRoute } from '../../kernel/route-table.ts'
import type { Session } from '../../state/sessions/index.ts'
import { TEXTS } from '../../texts/index.ts'

export interface ViewAsOptions {
  /** Cookies by which a browser asks for an edition in a session, and no longer does. */
  readonly views: { begin(session: Session, edition: string): string; end(): string }
  readonly audit: Pick<AuditTrail, 'recordDurably'>
}

/** As a link on the dark ground of a notice. */
const LINK_STYLE =
  'color:#fff;text-decoration:underline;background:none;border:0;padding:0;font:inherit;cursor:pointer'

/** The notice of a reader who views the portal as another edition, with a button that ends it; null for others. */
export function viewNotice({ viewingAs, served }: Reader) {
  if (served === null || viewingAs === null) return null
  const lang = pageLanguage(served.site)
  const texts = TEXTS[lang].viewAs
  const content = html`${texts.viewing(editionLabel(served.edition))}${actionForm('end', null, texts.end, LINK_STYLE)}`
  return { kind: 'view' as const, lang, label: texts.title, content }
}

/** A section of the account page for readers who may view other editions; empty for others. */
export function viewAsSection({ viewable, viewingAs, served }: Reader): readonly Html[] {
  if (viewable.length === 0) return []
  const texts = TEXTS[pageLanguage(served?.site ?? null)].viewAs
  const others = viewable.filter(({ name }) => name !== served?.name)
  const forms = others.map(({ name, label }) => actionForm('begin', name, texts.as(label), ''))
  const end = viewingAs === null ? [] : [actionForm('end', null, texts.end, '')]
  return [
    html`<h2 id="view-as">${texts.title}</h2>
<p class="quiet">${texts.lead}</p>
<div class="actions">${end}${forms}</div>`,
  ]
}

/** Binds the way to view the portal as another edition, and back; each request is judged anew. */
export function createViewAsRoutes({ views, audit }: ViewAsOptions): RouteTable {
  async function send(cookie: string): Promise<GateResponse> {
    return new Response(null, { status: 303, headers: { Location: '/', 'Set-Cookie': cookie } })
  }

  const record = (
    event: 'viewing_as_began' | 'viewing_as_ended',
    reader: Reader,
    edition: string,
    context: RequestContext,
  ) => audit.recordDurably(event, { ...actOf(reader, context), edition })

  const act: ReaderHandler = async (request, reader, context) => {
    const form = await readFormBody(request, ROUTES.viewAs.maxBodyBytes)
    if (form?.get('action') === 'end') {
      const { viewingAs } = reader
      if (viewingAs !== null) await record('viewing_as_ended', reader, viewingAs, context)
      return send(views.end())
    }
    const asked = form?.get('edition') ?? null
    const edition = reader.viewable.find(({ name }) => name === asked)
    if (form?.get('action') !== 'begin' || edition === undefined) return problem('bad_request')
    await record('viewing_as_began', reader, edition.name, context)
    return send(views.begin(reader.session, edition.name))
  }
  return new Map([readerRoute(ROUTES.viewAs, { POST: act })])
}

function actionForm(action: string, edition: string | null, label: string, style: string): Html {
  const named = edition === null ? [] : [html`<input type="hidden" name="edition" value="${edition}">`]
  const button =
    style === '' ? html`<button>${label}</button>` : html`<button style="${style}">${label}</button>`
  return html`<form method="post" action="${ROUTES.viewAs.path}"${style === '' ? [] : [html` style="display:inline"`]}>
<input type="hidden" name="action" value="${action}">${named}${button}</form>`
}
