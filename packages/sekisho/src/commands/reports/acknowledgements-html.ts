import { createMessages, type Message } from '@sekisho/contract/language'
import { escapeHtml } from '@sekisho/contract/login-document'
import type { Manifest } from '@sekisho/release'
import type { Acknowledgement, AskedPage } from '@sekisho/server/acknowledgements'
import { TEXTS } from '../../texts/index.ts'

const messageOf = createMessages(TEXTS, 'acknowledgements')

/** One line of a report: who acknowledged a page, or has yet to. */
export interface ReportRow {
  readonly page: AskedPage
  readonly email: string
  readonly state: 'done' | 'open' | 'overdue'
  readonly done: Acknowledgement | null
}

/** Prints well on A4; needs no other file. */
const STYLE = `body{font:14px/1.7 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#111;background:#fff}
h1{font-size:1.5rem}h2{font-size:1.1rem;margin:2rem 0 .25rem}p{margin:.25rem 0}
table{border-collapse:collapse;width:100%;margin-top:.5rem}th,td{border:1px solid #888;padding:.25rem .5rem;text-align:left;overflow-wrap:anywhere}
th{background:#eee}tr{break-inside:avoid}.hash{font:11px/1.4 ui-monospace,monospace}@media print{body{margin:0;max-width:none}}`

/** A printable page, in Japanese, of who acknowledged each page and who has yet to. */
export function acknowledgementsHtml(
  rows: readonly ReportRow[],
  { id, site }: Manifest,
  nowMs: number,
): string {
  const say = (message: Message) => escapeHtml(message.in('ja'))
  const sections = [...Map.groupBy(rows, ({ page }) => page)].map(([page, own]) => {
    const lines = own.map(({ email, state, done }) => {
      const at = done === null ? '' : new Date(done.atMs).toLocaleString('ja-JP', { timeZoneName: 'short' })
      const hash = done === null ? '' : `${done.page}`
      return `<tr><td>${escapeHtml(email)}</td><td>${say(messageOf(`state_${state}`))}</td><td>${escapeHtml(at)}</td><td class="hash">${hash}</td></tr>`
    })
    const doneCount = own.filter(({ state }) => state === 'done').length
    const head = (['email', 'state', 'at', 'content'] as const).map(
      (name) => `<th>${say(messageOf(`column_${name}`))}</th>`,
    )
    return `<h2>${escapeHtml(page.title)}</h2>
<p>${escapeHtml(page.path)}${page.owner === null ? '' : ` ・ ${say(messageOf('owner', page.owner))}`}</p>
<p>${escapeHtml(page.version)} ・ ${say(messageOf('due', page.request.due))} ・ ${say(messageOf('counts', doneCount, own.length - doneCount))}</p>
<p>${escapeHtml(page.request.statement ?? '')}</p>
<table><thead><tr>${head.join('')}</tr></thead><tbody>${lines.join('\n')}</tbody></table>`
  })
  const made = new Date(nowMs).toLocaleString('ja-JP', { timeZoneName: 'short' })
  return `<!doctype html>
<html lang="ja"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${say(messageOf('report_title'))}</title><style>${STYLE}</style></head>
<body><h1>${escapeHtml(site.title)} ${say(messageOf('report_title'))}</h1>
<p>${say(messageOf('report_made', made, id))}</p>
${sections.join('\n')}
</body></html>
`
}
