import { AGENT_ROUTES } from '@sekisho/contract/routes'
import { DEFAULT_EDITION } from '@sekisho/release'
import type { GateResponse } from '@sekisho/wire'
import { html } from '../../kernel/pages/html.ts'
import { pageLanguage, readerPage } from '../../kernel/pages/reader-page.ts'
import type { Reader, ServedEdition } from '../../kernel/reader.ts'
import { TEXTS } from '../texts/index.ts'
import type { AuthorizationRequest, RequestReading } from './authorization-request.ts'
import type { RedirectUri } from './redirect-uris.ts'

interface ConsentPage {
  readonly reader: Reader
  readonly asked: AuthorizationRequest
  /** Says that this page was shown to this reader, for this request. */
  readonly formToken: string
}

/** Asks a reader, without a script, in no frame: who asks, where the answer goes, what is let be done, and as whom. */
export function consentPage({ reader, asked, formToken }: ConsentPage): GateResponse {
  const { client, redirect } = asked
  const { ownEdition } = reader // an agent never views as another one
  const site = reader.served?.site ?? null
  const lang = pageLanguage(site)
  const texts = TEXTS[lang].consentPage
  const name = client.name === '' ? texts.nameless : client.name
  const identity =
    client.vouchedBy === null
      ? texts.self
      : client.vouchedBy === 'operator'
        ? texts.operator
        : client.vouchedBy.host
  const readsAs =
    ownEdition === null || ownEdition.name === DEFAULT_EDITION
      ? []
      : [html` <span class="quiet">(${texts.edition}: ${ownEdition.label})</span>`]
  const target = redirect.isLoopback ? [html`<br><span class="quiet">${texts.local}</span>`] : []
  const main = html`<dl>
<dt>${texts.asks}</dt><dd><strong>${name}</strong>${client.vouchedBy === null && client.name !== '' ? ` ${texts.named}` : ''}</dd>
<dt>${texts.from}</dt><dd>${identity}</dd>
<dt>${texts.returns}</dt><dd>${placeOf(redirect)}${target}</dd>
<dt>${texts.account}</dt><dd>${reader.account.email}${readsAs}</dd>
<dt>${texts.may}</dt><dd>${texts.mayRead}${lang === 'en' ? ' ' : ''}${texts.mayNot}</dd>
</dl>
<p class="alarm">${texts.warning}</p>
<p>${texts.trace}${lang === 'en' ? ' ' : ''}${texts.ends}</p>
<form method="post" action="${AGENT_ROUTES.authorize.path}">
<input type="hidden" name="request" value="${formToken}">
<button class="primary" name="decision" value="allow">${texts.allow}</button><button name="decision" value="deny">${texts.deny}</button></form>`
  return readerPage({ site, title: texts.title, main })
}

/**
 * Sends the browser to the client by itself, or by a link where it first asks before opening a program. Redirects are unsuitable: browsers
 * apply a form's `form-action` to each one, and a client's own redirects are unknown (decisions/207).
 */
export function answerPage(
  served: ServedEdition | null,
  redirect: RedirectUri,
  location: string,
): GateResponse {
  const site = served?.site ?? null
  const texts = TEXTS[pageLanguage(site)].consentPage
  const main = html`<p>${texts.going}</p>
<p class="actions"><a class="button primary" href="${location}">${texts.go}</a></p>
<dl><dt>${texts.returns}</dt><dd>${placeOf(redirect)}</dd></dl>`
  const headers = { Refresh: `0; url=${location}`, 'Referrer-Policy': 'no-referrer' }
  return readerPage({ site, title: texts.goingTitle, main, headers })
}

const placeOf = ({ url, text }: RedirectUri): string => (url.protocol === 'cursor:' ? text : url.host)

/** Explains a refusal to the reader; the client gets no response. */
export function refusalPage(
  served: ServedEdition | null,
  what: Extract<RequestReading, { readonly kind: 'unknown' }>['what'] | 'expired' | 'many',
): GateResponse {
  const site = served?.site ?? null
  const texts = TEXTS[pageLanguage(site)].consentPage
  const main = html`<p>${texts[what]}</p><p class="actions"><a class="button" href="/">${texts.home}</a></p>`
  return readerPage({ site, title: texts.refusedTitle, main, status: 400 })
}
