import { ROUTES } from '@sekisho/contract/routes'
import { editionLabel } from '@sekisho/release'
import type { GateResponse } from '@sekisho/wire'
import { viewableEditions } from '../../access/choose-edition.ts'
import type { PolicySource } from '../../access/policy-source.ts'
import type { Views } from '../../access/views.ts'
import type { AuditTrail } from '../../audit/index.ts'
import { type RequestContext, whereOf } from '../../kernel/boundary.ts'
import { isFromHere } from '../../kernel/client/fetch-metadata.ts'
import { readFormBody } from '../../kernel/json-body.ts'
import { type Html, html } from '../../kernel/pages/html.ts'
import { problem } from '../../kernel/pages/problem.ts'
import { pageLanguage } from '../../kernel/pages/reader-page.ts'
import { type ReaderHandler, type RouteTable, readerRoute, type Visit } from '../../kernel/route-table.ts'
import type { Releases, ServedEdition } from '../../releases/open-releases.ts'
import { whoOf } from '../../state/sessions/index.ts'
import { TEXTS } from '../../texts/index.ts'

export interface ViewAsOptions {
  readonly origin: URL
  readonly policy: PolicySource
  readonly views: Views
  readonly releases: Pick<Releases, 'current'>
  readonly audit: Pick<AuditTrail, 'recordDurably'>
}

/** As a link on the dark ground of a notice. */
const LINK_STYLE =
  'color:#fff;text-decoration:underline;background:none;border:0;padding:0;font:inherit;cursor:pointer'

/** The edition that is served because its reader asked to look at it; null where they get their own. */
export function viewedEdition({ viewingAs }: Visit, served: ServedEdition | null): string | null {
  const name = served?.edition.name ?? null
  return viewingAs === undefined || viewingAs !== name ? null : name
}

/** Tells whoever looks at another edition which one, with a button that ends it. */
export function viewNotice(session: Visit, served: ServedEdition | null) {
  if (served === null || viewedEdition(session, served) === null) return null
  const lang = pageLanguage(served.site)
  const texts = TEXTS[lang].viewAs
  const content = html`${texts.viewing(editionLabel(served.edition))}${actionForm('end', null, texts.end, LINK_STYLE)}`
  return { kind: 'view' as const, lang, label: texts.title, content }
}

/** A section of the account page, for whoever may look at other editions; nothing for everybody else. */
export function viewAsSection(
  { policy }: Pick<ViewAsOptions, 'policy'>,
  session: Visit,
  served: ServedEdition | null,
): readonly Html[] {
  const viewable = viewableEditions(policy(), served?.siblings ?? [], session)
  if (viewable.length === 0) return []
  const texts = TEXTS[pageLanguage(served?.site ?? null)].viewAs
  const viewed = viewedEdition(session, served)
  const others = viewable.filter(({ name }) => name !== served?.edition.name)
  const forms = others.map((one) => actionForm('begin', one.name, texts.as(editionLabel(one)), ''))
  const end = viewed === null ? [] : [actionForm('end', null, texts.end, '')]
  return [
    html`<h2 id="view-as">${texts.title}</h2>
<p class="quiet">${texts.lead}</p>
<div class="actions">${end}${forms}</div>`,
  ]
}

/** Binds the way to look at the portal as another edition, and back. What is looked at is judged at each request, by the policy in force. */
export function createViewAsRoutes(options: ViewAsOptions): RouteTable {
  const { origin, policy, views, releases, audit } = options

  async function send(cookie: string): Promise<GateResponse> {
    return new Response(null, { status: 303, headers: { Location: '/', 'Set-Cookie': cookie } })
  }

  const record = (
    event: 'viewing_as_began' | 'viewing_as_ended',
    visit: Visit,
    edition: string,
    context: RequestContext,
  ) => audit.recordDurably(event, { ...whoOf(visit), edition, ...whereOf(context) })

  const act: ReaderHandler = async (request, context, session) => {
    if (!isFromHere(request, origin)) return problem('bad_origin')
    const form = await readFormBody(request, ROUTES.viewAs.maxBodyBytes)
    const served = await releases.current(session)
    if (form?.get('action') === 'end') {
      const viewed = viewedEdition(session, served)
      if (viewed !== null) await record('viewing_as_ended', session, viewed, context)
      return send(views.end())
    }
    const asked = form?.get('edition') ?? null
    const edition = viewableEditions(policy(), served?.siblings ?? [], session).find(
      ({ name }) => name === asked,
    )
    if (form?.get('action') !== 'begin' || edition === undefined) return problem('bad_request')
    await record('viewing_as_began', session, edition.name, context)
    return send(views.begin(session, edition.name))
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
