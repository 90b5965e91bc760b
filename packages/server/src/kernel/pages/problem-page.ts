import { GATE_STYLE } from '@sekisho/contract/gate-style'
import { LANGUAGES, type Language } from '@sekisho/contract/language'
import type { ProblemCode } from '@sekisho/contract/problems'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import { BytesResponse } from '@sekisho/wire'
import { isNavigation } from '../client/fetch-metadata.ts'
import { TEXTS } from '../texts/index.ts'
import { Html, html } from './html.ts'
import { ProblemResponse } from './problem.ts'
import { PAGE_POLICY } from './reader-page.ts'

/** Shows every text: the client's language is unknown. The first is large, the others stand below it. */
const [FIRST, ...OTHERS] = LANGUAGES

/** Title and advice of a problem for a person; codes without a text are faults of ours. */
function explain(code: ProblemCode, language: Language): readonly [title: string, advice: string] {
  const texts: Partial<Record<ProblemCode, readonly [title: string, advice: string]>> =
    TEXTS[language].problemPage.problems
  return texts[code] ?? TEXTS[language].problemPage.fault
}

/**
 * Renders the problem as a page for a reader's navigation, and for all clients when the gate failed. Refusals of strangers stay as they
 * are, and so do responses to scripts.
 */
export function showToPeople(
  request: GateRequest,
  { isReader }: { readonly isReader: boolean },
  response: GateResponse,
): GateResponse {
  const mode = request.headers.get('sec-fetch-mode') // absent where a browser is older, or the origin plain http
  const isOpened = mode === null ? isNavigation(request) : mode === 'navigate'
  const isShown = response instanceof ProblemResponse && (isReader || response.status >= 500)
  return isOpened && isShown ? problemPage(response) : response
}

function problemPage({ document, status, headers }: ProblemResponse): GateResponse {
  const [title, advice] = explain(document.code, FIRST)
  const others = OTHERS.map((language) => {
    return html`<p class="quiet" lang="${language}">${explain(document.code, language).join('. ')}</p>`
  })
  const inAll = (name: 'again' | 'home') => [
    html`${TEXTS[FIRST].problemPage[name]}`,
    ...OTHERS.map(
      (language) => html` <span lang="${language}">/ ${TEXTS[language].problemPage[name]}</span>`,
    ),
  ]
  const number =
    document.requestId === undefined ? [] : [html`<p class="quiet"><code>${document.requestId}</code></p>`]
  const { text } = html`<!doctype html>
<html lang="${FIRST}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${new Html(GATE_STYLE)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${advice}</p>
${others}
${number}
<p class="actions"><a class="button primary" href="">${inAll('again')}</a><a class="button" href="/">${inAll('home')}</a></p>
</main>
</body>
</html>
`
  headers.delete('Content-Length')
  const shown = new BytesResponse(text, { status, headers })
  shown.headers.set('Content-Type', 'text/html; charset=utf-8')
  shown.headers.set('Content-Security-Policy', PAGE_POLICY)
  return shown
}
