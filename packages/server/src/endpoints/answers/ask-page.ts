import type { Language } from '@sekisho/contract/language'
import type { ProblemCode } from '@sekisho/contract/problems'
import { ROUTES } from '@sekisho/contract/routes'
import { MAX_QUERY_CHARS } from '@sekisho/contract/search-response'
import type { Manifest } from '@sekisho/release'
import type { AnswerEnd, AnswerEvent, AnswerSource } from '../../answers/answer.ts'
import { type Html, html } from '../../kernel/pages/html.ts'
import { pageLanguage, readerPageHtml, readerPolicy } from '../../kernel/pages/reader-page.ts'
import { TEXTS } from '../../texts/index.ts'

/** A question that was not begun. */
interface RefusedQuestion {
  readonly refused: ProblemCode
  readonly waitSeconds: number
}

interface AskPage {
  readonly site: Manifest['site'] | null
  readonly question: string
  /** Path of the page that the question is about; empty if none. */
  readonly page: string
  /** The question is asked as soon as the page opens: its reader asked it, not a link of another site. */
  readonly startsAtOnce?: boolean
}

type Texts = (typeof TEXTS)[Language]['ask']

/** End of the answer's place. Questions are escaped, so they cannot hold it. */
const PLACE = '</section>'
const POLICY = readerPolicy({ scripts: ["'self'"] })

/** The page that asks, cut at the place of the answer; with scripts, the panel takes the place of the form. */
export function askPage({
  site,
  question,
  page,
  startsAtOnce = false,
}: AskPage): readonly [
  start: { readonly text: string; readonly headers: Readonly<Record<string, string>> },
  end: string,
] {
  const texts = TEXTS[pageLanguage(site)].ask
  const main = html`<form action="${ROUTES.ask.path}" method="post" data-ask data-page="${page}"${startsAtOnce ? html` data-start` : ''}>
<p><textarea name="question" rows="3" maxlength="${String(MAX_QUERY_CHARS)}" aria-label="${texts.question}" required autofocus>${question}</textarea></p>
<input type="hidden" name="page" value="${page}">
<p><button class="primary">${texts.ask}</button></p>
<p class="quiet">${texts.sent}</p></form>
<section aria-live="polite" data-answer></section>
<p><a class="button" href="${ROUTES.searchPage.path}">${texts.search}</a></p>
<script type="module" src="${ROUTES.askScript.path}"></script>`
  const text = readerPageHtml({ site, title: texts.title, main })
  const at = text.lastIndexOf(PLACE)
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': POLICY }
  return [{ text: text.slice(0, at), headers }, text.slice(at)]
}

/** Renders the events of one answer as HTML, in the order in which they come; nothing that the model wrote is markup. */
export function createAnswerHtml(site: Manifest['site'] | null, clockTime: (waitSeconds: number) => string) {
  const texts = TEXTS[pageLanguage(site)].ask
  let sources: readonly AnswerSource[] = []
  const cited = new Set<number>()
  return (event: AnswerEvent | RefusedQuestion): Html => {
    if ('refused' in event)
      return html`<p class="alarm" role="alert">${refusalText(texts, event, clockTime)}</p>`
    if (event.event === 'sources') {
      sources = event.sources
      return html``
    }
    if (event.event === 'end')
      return endOf(
        event,
        sources.filter(({ n }) => cited.has(n)),
        texts,
      )
    for (const n of event.cites) cited.add(n)
    const links = sources
      .filter(({ n }) => event.cites.includes(n))
      .map(({ n, url }) => html`\u00a0<a href="${url}">[${String(n)}]</a>`)
    if (event.kind === 'code') return html`<pre><code>${event.text}</code></pre><p>${links}</p>\n`
    const text = html`${withCode(event.text)}${links}`
    return event.kind === 'item' ? html`<ul><li>${text}</li></ul>\n` : html`<p>${text}</p>\n`
  }
}

/** Text between backticks is code. */
const withCode = (text: string): readonly Html[] =>
  text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))

function endOf({ outcome, dropped, nearest }: AnswerEnd, cited: readonly AnswerSource[], texts: Texts): Html {
  const list = cited.map(({ n, url, title, heading, updated }) => {
    const name = heading === title ? title : `${title} > ${heading}`
    return html`<li value="${String(n)}"><a href="${url}">${name}</a>${updated === '' ? '' : texts.updated(updated)}</li>\n`
  })
  const pages = nearest.map(({ url, title }) => html`<li><a href="${url}">${title}</a></li>\n`)
  const shown = cited.length > 0 ? html`<h2>${texts.sources}</h2><ol>${list}</ol>` : html``
  const left = dropped > 0 ? html`<p class="quiet">${texts.dropped(String(dropped))}</p>` : html``
  if (outcome === 'answered') return html`${left}${shown}`
  const said = outcome === 'not_found' ? texts.notFound : texts.failures[outcome]
  const others = pages.length > 0 ? html`<h2>${texts.nearest}</h2><ul>${pages}</ul>` : html``
  return html`<p role="alert">${said}</p>${left}${shown}${outcome === 'not_found' ? others : html``}`
}

function refusalText(
  texts: Texts,
  { refused, waitSeconds }: RefusedQuestion,
  clockTime: (waitSeconds: number) => string,
): string {
  const reason = Object.hasOwn(texts.refusals, refused)
    ? texts.refusals[refused as keyof Texts['refusals']]
    : texts.failures.broken
  return `${reason} ${texts.again(clockTime(waitSeconds))}`
}

/** Texts of the panel's script, by language; `%…%` stands for what the script knows. */
export function scriptTexts(): Readonly<Record<Language, object>> {
  const fill = (texts: Texts) => ({
    ...texts,
    updated: texts.updated('%day%'),
    dropped: texts.dropped('%count%'),
    again: texts.again('%time%'),
  })
  return { ja: fill(TEXTS.ja.ask), en: fill(TEXTS.en.ask) }
}
