import type { Language } from '@sekisho/contract/language'
import { ROUTES } from '@sekisho/contract/routes'
import {
  type FoundPage,
  MAX_QUERY_CHARS,
  type MarkedRange,
  type SearchResponse,
} from '@sekisho/contract/search-response'
import type { Manifest } from '@sekisho/release'
import type { GateResponse } from '@sekisho/wire'
import { type Html, html } from '../../kernel/pages/html.ts'
import { pageLanguage, readerPage } from '../../kernel/pages/reader-page.ts'
import { TEXTS } from '../../texts/index.ts'

/** State of the results page: no query yet, a response, or no index. */
export interface SearchPage {
  readonly site: Manifest['site'] | null
  readonly q: string
  readonly found: SearchResponse | 'unavailable' | null
  readonly headers?: Readonly<Record<string, string>>
}

/** The search as a page that needs no script: a form, and the pages found. */
export function searchPage({ site, q, found, headers = {} }: SearchPage): GateResponse {
  const texts = TEXTS[pageLanguage(site)].searchPage
  const main = html`<form action="${ROUTES.searchPage.path}" role="search">
<input type="search" name="q" value="${q}" maxlength="${String(MAX_QUERY_CHARS)}" aria-label="${texts.title}" required autofocus>
<button class="primary">${texts.search}</button></form>
${foundPages(found, texts)}
<p><a class="button" href="${ROUTES.account.path}">${texts.account}</a></p>`
  const title = q === '' ? texts.title : `${q} - ${texts.title}`
  return readerPage({ site, title, main, headers, status: found === 'unavailable' ? 503 : 200 })
}

function foundPages(found: SearchPage['found'], texts: (typeof TEXTS)[Language]['searchPage']): Html {
  if (found === null) return html``
  if (found === 'unavailable') return html`<p class="alarm" role="alert">${texts.unavailable}</p>`
  const { results, didYouMean, relaxed } = found
  const meant = didYouMean === null ? html`` : suggestion(didYouMean, texts.didYouMean)
  if (results.length === 0) return html`<p>${texts.none}</p>${meant}`
  const items = results.map(({ url, target = url, title, titleMarks, sections, status }) => {
    const parts = sections.map(({ url: address, heading, headingMarks, snippet }) => {
      const link = html`<a href="${address}">${marked(heading, headingMarks)}</a><br>`
      const text = html`${snippet.cutStart ? '… ' : ''}${marked(snippet.text, snippet.marks)}${snippet.cutEnd ? ' …' : ''}`
      return html`<p>${heading === title ? '' : link}${text}</p>` // a page's beginning stands below its title
    })
    return html`<li><a href="${target}">${marked(title, titleMarks)}</a>${statusTags(status, texts)}${parts}</li>\n`
  })
  return html`${meant}${relaxed ? html`<p>${texts.relaxed}</p>` : html``}<ol>${items}</ol>`
}

function statusTags(
  status: FoundPage['status'],
  texts: (typeof TEXTS)[Language]['searchPage'],
): readonly Html[] {
  const { obsolete, review_overdue, owner } = status ?? {}
  return [
    ...(obsolete === true ? [html` <span class="tag">${texts.obsolete}</span>`] : []),
    ...(review_overdue === true ? [html` <span class="tag">${texts.overdue}</span>`] : []),
    ...(owner === undefined ? [] : [html` <span class="quiet">${owner}</span>`]),
  ]
}

function suggestion(query: string, label: string): Html {
  const address = `${ROUTES.searchPage.path}?${new URLSearchParams({ q: query })}`
  return html`<p>${label}<a href="${address}">${query}</a></p>`
}

function marked(text: string, marks: readonly MarkedRange[]): Html {
  let end = 0
  const parts = marks.flatMap(([from, to]) => {
    const before = text.slice(end, from)
    end = to
    return [html`${before}`, html`<mark>${text.slice(from, to)}</mark>`]
  })
  return html`${parts}${text.slice(end)}`
}
