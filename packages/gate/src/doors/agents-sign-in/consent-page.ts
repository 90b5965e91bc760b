import { AGENT_ROUTES } from '@sekisho/contract/routes'
import { DEFAULT_EDITION } from '@sekisho/release'
import type { Session } from '@sekisho/state/sessions'
import type { GateResponse } from '@sekisho/wire'
import { formTarget } from '../../access/redirect-uris.ts'
import { html } from '../../frame/pages/html.ts'
import { PAGE_POLICY, pageLanguage, readerPage } from '../../frame/pages/reader-page.ts'
import type { ServedEdition } from '../../releases/open-releases.ts'
import { TEXTS } from '../../texts/index.ts'
import type { AuthorizationRequest, RequestReading } from './authorization-request.ts'

export interface ConsentPage {
  readonly served: ServedEdition | null
  readonly session: Session
  readonly asked: AuthorizationRequest
  /** Says that this page was shown to this reader, for this request. */
  readonly formToken: string
}

/** Asks a reader, without a script, in no frame: who asks, where the answer goes, what is let be done, and as whom. */
export function consentPage({ served, session, asked, formToken }: ConsentPage): GateResponse {
  const { client, redirect } = asked
  const site = served?.site ?? null
  const lang = pageLanguage(site)
  const texts = TEXTS[lang].consentPage
  const name = client.name === '' ? texts.nameless : client.name
  const identity =
    client.vouchedBy === null
      ? texts.self
      : client.vouchedBy === 'operator'
        ? texts.operator
        : client.vouchedBy.host
  const edition = served?.edition.name ?? DEFAULT_EDITION
  const readsAs =
    edition === DEFAULT_EDITION ? [] : [html` <span class="quiet">(${texts.edition}: ${edition})</span>`]
  const target = redirect.isLoopback ? [html`<br><span class="quiet">${texts.local}</span>`] : []
  const main = html`<dl>
<dt>${texts.asks}</dt><dd><strong>${name}</strong>${client.vouchedBy === null && client.name !== '' ? ` ${texts.named}` : ''}</dd>
<dt>${texts.from}</dt><dd>${identity}</dd>
<dt>${texts.returns}</dt><dd>${redirect.url.protocol === 'cursor:' ? redirect.text : redirect.url.host}${target}</dd>
<dt>${texts.account}</dt><dd>${session.email}${readsAs}</dd>
<dt>${texts.may}</dt><dd>${texts.mayRead}${lang === 'en' ? ' ' : ''}${texts.mayNot}</dd>
</dl>
<p class="alarm">${texts.warning}</p>
<p>${texts.trace}${lang === 'en' ? ' ' : ''}${texts.ends}</p>
<form method="post" action="${AGENT_ROUTES.authorize.path}">
<input type="hidden" name="request" value="${formToken}">
<button class="primary" name="decision" value="allow">${texts.allow}</button><button name="decision" value="deny">${texts.deny}</button></form>`
  // Browsers hold a form to this policy where its answer redirects as well.
  const policy = PAGE_POLICY.replace("form-action 'self'", `form-action 'self' ${formTarget(redirect)}`)
  return readerPage({ site, title: texts.title, main, headers: { 'Content-Security-Policy': policy } })
}

/** Tells a reader why nothing is asked; no answer goes to anybody. */
export function refusalPage(
  served: ServedEdition | null,
  what: Extract<RequestReading, { readonly kind: 'unknown' }>['what'] | 'expired',
): GateResponse {
  const site = served?.site ?? null
  const texts = TEXTS[pageLanguage(site)].consentPage
  const main = html`<p>${texts[what]}</p><p class="actions"><a class="button" href="/">${texts.home}</a></p>`
  return readerPage({ site, title: texts.refusedTitle, main, status: 400 })
}
