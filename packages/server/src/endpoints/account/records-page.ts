import { ROUTES } from '@sekisho/contract/routes'
import { type Html, html } from '../../kernel/pages/html.ts'
import { pageLanguage, readerPage } from '../../kernel/pages/reader-page.ts'
import type { Reader } from '../../kernel/reader.ts'
import { type ReaderHandler, type RouteTable, readerRoute } from '../../kernel/route-table.ts'
import { TEXTS } from '../../texts/index.ts'

/** Records that this portal keeps of its readers, and for how long. */
export interface KeptRecords {
  readonly auditKeepMs: number
  readonly searchLogDays: number
  readonly feedbackDays: number
  readonly hasWhatsNew: boolean
  readonly hasReadership: boolean
  readonly hasAnswers: boolean
  readonly hasMail: boolean
}

const DAY_MS = 86_400_000

/** Section of the account page that leads to the page of records. */
export function recordsSection({ served }: Reader): Html {
  const { records } = TEXTS[pageLanguage(served?.site ?? null)].accountPage
  return html`<p><a class="button" href="${ROUTES.records.path}">${records}</a></p>\n`
}

/** Binds the page that tells readers what is recorded of them, why, for how long, and who sees it, by the settings in force. */
export function createRecordsPage(kept: KeptRecords): RouteTable {
  const show: ReaderHandler = (_request, { served }) => {
    const site = served?.site ?? null
    const texts = TEXTS[pageLanguage(site)].records
    const days = (count: number) => texts.days(String(Math.floor(count)))
    const { rows } = texts
    const auditDays = days(kept.auditKeepMs / DAY_MS)
    const shown = [
      [rows.sessions, texts.untilEnd],
      [rows.trail, auditDays],
      ...(kept.hasAnswers ? [[rows.answers, auditDays] as const] : []),
      [rows.acknowledgements, texts.untilRemoved],
      ...(kept.hasWhatsNew ? [[rows.visits, days(400)] as const] : []),
      ...(kept.hasMail ? [[rows.watches, days(400)] as const] : []),
      ...(kept.searchLogDays > 0 ? [[rows.searches, days(kept.searchLogDays)] as const] : []),
      ...(kept.feedbackDays > 0 ? [[rows.feedback, days(kept.feedbackDays)] as const] : []),
      ...(kept.hasReadership ? [[rows.readership, texts.weeks] as const] : []),
    ] as const
    const items = shown.map(
      ([row, keeping]) =>
        html`<li><div><strong>${row.what}</strong><br>${texts.why}: ${row.why}<br>${texts.howLong}: ${keeping}<br>${texts.who}: ${row.who}</div></li>\n`,
    )
    const main = html`<p>${texts.lead}</p>
<ul class="card">${items}</ul>
<p>${texts.ask}</p>
<p><a class="button" href="${ROUTES.account.path}">${texts.back}</a></p>`
    return readerPage({ site, title: texts.title, main })
  }
  return new Map([readerRoute(ROUTES.records, { GET: show, HEAD: show })])
}
