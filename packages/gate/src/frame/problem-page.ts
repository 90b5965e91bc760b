import { GATE_STYLE } from '@sekisho/contract/gate-style'
import type { ProblemCode } from '@sekisho/contract/problems'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import { BytesResponse } from '@sekisho/wire'
import { Html, html } from './html.ts'
import { ProblemResponse } from './problem.ts'
import { PAGE_POLICY } from './reader-page.ts'

interface Explanation {
  readonly ja: readonly [title: string, advice: string]
  readonly en: string
}

const AGAIN = 'しばらく待ってから、もう一度開いてください。'

/** What a person is told who opened an address and was answered with a problem; what is not named here is a fault of ours. */
const EXPLANATIONS: Partial<Record<ProblemCode, Explanation>> = {
  bad_request: {
    ja: ['このアドレスは開けません', 'アドレスが正しいか確認してください。'],
    en: 'This address cannot be opened. Please check it.',
  },
  bad_origin: {
    ja: ['この操作は受け付けられません', '元のページを開き直してから、もう一度お試しください。'],
    en: 'This was not sent from a page of this site. Please open the page again.',
  },
  cross_site: {
    ja: ['ほかのサイトからは表示できません', 'アドレスをブラウザーで直接開いてください。'],
    en: 'Other sites cannot show this page. Please open it directly.',
  },
  not_found: {
    ja: ['ページが見つかりません', 'アドレスが正しいか確認してください。'],
    en: 'There is no such page.',
  },
  method_not_allowed: {
    ja: ['この操作は受け付けられません', '元のページを開き直してから、もう一度お試しください。'],
    en: 'This cannot be done here. Please open the page again.',
  },
  too_large: {
    ja: ['送信した内容が大きすぎます', '内容を減らして、もう一度お試しください。'],
    en: 'What was sent is too large.',
  },
  too_many_requests: {
    ja: ['アクセスが多すぎます', AGAIN],
    en: 'Too many requests. Please wait a moment and try again.',
  },
  identity_unavailable: {
    ja: ['認証サービスが応答しません', AGAIN],
    en: 'The identity service does not answer. Please wait a moment and try again.',
  },
  unavailable: {
    ja: ['いまは表示できません', AGAIN],
    en: 'This is not available now. Please wait a moment and try again.',
  },
}

const FAULT: Explanation = {
  ja: [
    'サーバーで問題が起きました',
    'もう一度開いても表示されないときは、下の番号を管理者に伝えてください。',
  ],
  en: 'Something went wrong on the server. If it happens again, tell an administrator the number below.',
}

/**
 * The same problem as a page, for a reader who opened an address in a window, and for anybody when it is the gate that failed. What
 * strangers are refused with stays as it is; so does what scripts ask for.
 */
export function showToPeople(
  request: GateRequest,
  { isReader }: { readonly isReader: boolean },
  response: GateResponse,
): GateResponse {
  const isOpened = request.headers.get('sec-fetch-mode') === 'navigate'
  const isShown = response instanceof ProblemResponse && (isReader || response.status >= 500)
  return isOpened && isShown ? problemPage(response) : response
}

function problemPage({ document, status, headers }: ProblemResponse): GateResponse {
  const { ja, en } = EXPLANATIONS[document.code] ?? FAULT
  const [title, advice] = ja
  const number =
    document.requestId === undefined ? [] : [html`<p class="quiet"><code>${document.requestId}</code></p>`]
  const { text } = html`<!doctype html>
<html lang="ja">
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
<p class="quiet" lang="en">${en}</p>
${number}
<p class="actions"><a class="button primary" href="">もう一度開く <span lang="en">/ Try again</span></a><a class="button" href="/">トップページへ <span lang="en">/ Home</span></a></p>
</main>
</body>
</html>
`
  const body = new Uint8Array(Buffer.from(text))
  const shown = new BytesResponse(body, { status, headers })
  shown.headers.set('Content-Type', 'text/html; charset=utf-8')
  shown.headers.set('Content-Length', String(body.byteLength))
  shown.headers.set('Content-Security-Policy', PAGE_POLICY)
  return shown
}
