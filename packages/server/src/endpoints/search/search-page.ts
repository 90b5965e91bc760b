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
  /** Pages for other words of the operator's model; true where they may be asked for, which is never done unasked. */
  readonly rewritten?: SearchResponse | boolean
  readonly headers?: Readonly<Record<string, string>>
}

type Texts = (typeof TEXTS)[Language]['searchPage']

/** The search as a page that needs no script: a form, and the pages found. */
export function searchPage({ site, q, found, rewritten = false, headers = {} }: SearchPage): GateResponse {
  const texts = TEXTS[pageLanguage(site)].searchPage
  const main = html`<form action="${ROUTES.searchPage.path}" role="search">
<input type="search" name="q" value="${q}" maxlength="${String(MAX_QUERY_CHARS)}" aria-label="${texts.title}" required autofocus>
<button class="primary">${texts.search}</button></form>
${foundPages(found, texts)}
${rewrittenPages(q, found, rewritten, texts)}
<p><a class="button" href="${ROUTES.account.path}">${texts.account}</a></p>`
  const title = q === '' ? texts.title : `${q} - ${texts.title}`
  return readerPage({ site, title, main, headers, status: found === 'unavailable' ? 503 : 200 })
}

function foundPages(found: SearchPage['found'], texts: Texts): Html {
  if (found === null) return html``
  if (found === 'unavailable') return html`<p class="alarm" role="alert">${texts.unavailable}</p>`
  const { results, didYouMean, relaxed } = found
  const meant = didYouMean === null ? html`` : suggestion(didYouMean, texts.didYouMean)
  if (results.length === 0) return html`<p>${texts.none}</p>${meant}`
  return html`${meant}${relaxed ? html`<p>${texts.relaxed}</p>` : html``}${listOf(results, texts)}`
}

function rewrittenPages(
  q: string,
  found: SearchPage['found'],
  rewritten: SearchResponse | boolean,
  texts: Texts,
): Html {
  if (rewritten === false) return html``
  if (rewritten === true) {
    const address = `${ROUTES.searchPage.path}?${new URLSearchParams({ q, rewrite: '1' })}`
    return html`<p><a href="${address}">${texts.rewrite}</a><br><span class="quiet">${texts.rewriteHint}</span></p>`
  }
  const shown = new Set(found === null || found === 'unavailable' ? [] : found.results.map(({ id }) => id))
  const pages = rewritten.results.filter(({ id }) => !shown.has(id))
  if (pages.length === 0) return html`<p>${texts.rewrittenNone}</p>`
  const title = texts.rewritten((rewritten.rewrites ?? []).join(' / '))
  return html`<section aria-label="${title}"><h2>${title}</h2>${listOf(pages, texts)}</section>`
}

function listOf(results: readonly FoundPage[], texts: Texts): Html {
  const items = results.map(({ url, target = url, title, titleMarks, sections, status }) => {
    const parts = sections.map(({ url: address, heading, headingMarks, snippet }) => {
      const link = html`<a href="${address}">${marked(heading, headingMarks)}</a><br>`
      const text = html`${snippet.cutStart ? '… ' : ''}${marked(snippet.text, snippet.marks)}${snippet.cutEnd ? ' …' : ''}`
      return html`<p>${heading === title ? '' : link}${text}</p>` // a page's beginning stands below its title
    })
    return html`<li><a href="${target}">${marked(title, titleMarks)}</a>${statusTags(status, texts)}${parts}</li>\n`
  })
  return html`<ol>${items}</ol>`
}

function statusTags(status: FoundPage['status'], texts: Texts): readonly Html[] {
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
