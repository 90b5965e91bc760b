import { GATE_STYLE } from '../pages/gate-style.ts'
import { PREVIEW_ROUTES } from '../requests/routes.ts'
import { TEXTS } from '../texts/index.ts'
import { LANGUAGES } from '../texts/language.ts'

/** Shows every text in all languages: the visitor's is not known yet. */
const [FIRST, ...OTHERS] = LANGUAGES

/** Form of a ticket: sealed bytes in base64url. */
export const TICKET_SHAPE = /^[A-Za-z0-9_-]{80,400}$/

/** Key under which a tab keeps the requested path while its visitor is at the main origin. */
const PATH_KEY = 'sekisho-preview-path'

/**
 * Page of a preview's host without a session: redirects to the main origin or, given a ticket, exchanges it and opens the requested path,
 * which never leaves the tab. The main origin asks for consent, so this page does not.
 */
export const ENTRY_SCRIPT = `(() => {
  const root = document.documentElement
  const post = (path, body) => fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  const fail = (code) => { root.dataset.state = code === 'not_admitted' ? 'refused' : 'failed' }
  const read = async (answer) => answer.status === 204 ? null : answer.json()
  async function begin() {
    root.dataset.state = 'going'
    const answer = await post('${PREVIEW_ROUTES.begin.path}')
    const { location: to, code } = await read(answer)
    if (!answer.ok) return fail(code)
    location.replace(to)
  }
  async function enter(ticket) {
    const kept = new URL(sessionStorage.getItem('${PATH_KEY}') || '/', location.origin)
    const answer = await post('${PREVIEW_ROUTES.enter.path}', JSON.stringify({ ticket }))
    if (!answer.ok) return fail((await read(answer)).code)
    location.replace(kept.origin === location.origin ? kept.href : '/')
  }
  const run = (step) => step.catch(() => fail(''))
  document.getElementById('again').onclick = () => run(begin())
  const { ticket } = root.dataset
  if (ticket) return void run(enter(ticket))
  if (!location.pathname.startsWith('/__gate/'))
    sessionStorage.setItem('${PATH_KEY}', location.pathname + location.search + location.hash)
  run(begin())
})()`

export const ENTRY_STYLE = `${GATE_STYLE}
body{padding-top:15vh}
p[data-for],#again{display:none}
[data-state=going] [data-for=going],[data-state=failed] [data-for=failed],[data-state=refused] [data-for=refused]{display:block}
[data-state=failed] #again,[data-state=refused] #again{display:inline-flex}
`

/**
 * The page's bytes, which only the ticket changes.
 * @param ticket of the shape {@link TICKET_SHAPE}
 */
export function entryDocument(ticket?: string): string {
  return `<!doctype html>
<html lang="${FIRST}" data-state="going"${ticket === undefined ? '' : ` data-ticket="${ticket}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${TEXTS[FIRST].previewEntry.title}</title>
<style>${ENTRY_STYLE}</style>
</head>
<body>
<main>
<h1>${TEXTS[FIRST].previewEntry.title}</h1>
<div role="status">
<p data-for="going">${inAll('going', '<br>')}</p>
<p data-for="failed">${inAll('failed', '<br>')}</p>
<p data-for="refused">${inAll('refused', '<br>')}</p>
</div>
<button class="primary" id="again" type="button">${inAll('again', ' / ')}</button>
<noscript><p>${inAll('noscript', '<br>')}</p></noscript>
</main>
<script>${ENTRY_SCRIPT}</script>
</body>
</html>
`
}

function inAll(name: keyof (typeof TEXTS)[typeof FIRST]['previewEntry'], between: string): string {
  const others = OTHERS.map(
    (language) => `${between}<span lang="${language}">${TEXTS[language].previewEntry[name]}</span>`,
  )
  return TEXTS[FIRST].previewEntry[name] + others.join('')
}

/**
 * Its content policy.
 * @param hashes of {@link ENTRY_SCRIPT} and {@link ENTRY_STYLE}, as in `sha256-…`
 */
export function entryPolicy(hashes: { readonly script: string; readonly style: string }): string {
  return [
    "default-src 'none'",
    `script-src '${hashes.script}'`,
    `style-src '${hashes.style}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
