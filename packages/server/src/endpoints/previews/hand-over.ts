import { hash } from 'node:crypto'
import { PREVIEW_ROUTES, ROUTES } from '@sekisho/contract/routes'
import type { Manifest, Preview } from '@sekisho/release'
import type { GateResponse } from '@sekisho/wire'
import type { SessionCookies } from '../../kernel/client/session-cookies.ts'
import { readFormBody } from '../../kernel/json-body.ts'
import { Html, html } from '../../kernel/pages/html.ts'
import { problem } from '../../kernel/pages/problem.ts'
import { pageLanguage, readerPage, readerPolicy } from '../../kernel/pages/reader-page.ts'
import { type ReaderHandler, type RouteTable, readerRoute } from '../../kernel/route-table.ts'
import type { Identity } from '../../state/sessions/index.ts'
import { TEXTS } from '../../texts/index.ts'
import { NONCE_SHAPE, type PreviewTickets } from './tickets.ts'

/** A preview that is served now. */
export interface LivePreview {
  readonly preview: Preview
  readonly origin: URL
}

interface HandOverOptions {
  readonly cookies: SessionCookies
  readonly tickets: PreviewTickets
  readonly findPreview: (name: string) => LivePreview | null
  /** Tells if a preview's own list of readers includes an account that the portal admits. */
  readonly isPreviewReader: (account: Identity, preview: Preview) => boolean
}

const SUBMIT = 'document.forms[0].submit()'
const SUBMIT_SOURCE = `'sha256-${hash('sha256', SUBMIT, 'base64')}'`

/**
 * Binds the consent page for opening a preview, and the hand-over after it. Consent is required each time: no page, and above all no
 * preview, moves a reader unseen. A preview that excludes the reader does not exist.
 */
export function createHandOverRoutes(options: HandOverOptions): RouteTable {
  const { cookies, tickets, findPreview, isPreviewReader } = options

  function find(account: Identity, fields: URLSearchParams | null) {
    const [to, challenge] = [fields?.get('to') ?? '', fields?.get('challenge') ?? '']
    const found = findPreview(to)
    if (found === null || !NONCE_SHAPE.test(challenge)) return null
    return isPreviewReader(account, found.preview) ? { ...found, challenge } : null
  }

  const show: ReaderHandler = (request, { account, served }) => {
    const site = served?.site ?? null
    const texts = TEXTS[pageLanguage(site)].handOver
    const found = find(account, new URL(request.url).searchParams)
    if (found === null) return unknownPreview(site)
    const { preview, challenge, origin: target } = found
    const main = html`<dl>
<dt>${texts.branch}</dt><dd>${preview.branch}</dd>
<dt>${texts.commit}</dt><dd>${preview.commit.slice(0, 9)}</dd>
<dt>${texts.host}</dt><dd>${target.host}</dd>
<dt>${texts.account}</dt><dd>${account.email}</dd>
</dl>
<p class="alarm">${texts.warning}</p>
<form method="post" action="${ROUTES.handOver.path}">
<input type="hidden" name="to" value="${preview.name}"><input type="hidden" name="challenge" value="${challenge}">
<button class="primary">${texts.open}</button><a class="button" href="/">${texts.back}</a></form>`
    return readerPage({ site, title: `${texts.title}: ${preview.name}`, main })
  }

  const handOver: ReaderHandler = async (request, { account, served }) => {
    const form = await readFormBody(request, ROUTES.handOver.maxBodyBytes)
    const cookie = cookies.readKey(request)
    if (form === null || cookie.kind !== 'present') return problem('bad_request')
    const site = served?.site ?? null
    const found = find(account, form)
    if (found === null) return unknownPreview(site)
    const { host } = found.origin
    const ticket = tickets.issue(cookie.key, { host, challenge: found.challenge })
    return ticketPage(site, `${found.origin.origin}${PREVIEW_ROUTES.arrive.path}`, ticket)
  }

  return new Map([readerRoute(ROUTES.handOver, { GET: show, HEAD: show, POST: handOver })])
}

function unknownPreview(site: Manifest['site'] | null): GateResponse {
  const texts = TEXTS[pageLanguage(site)].handOver
  const main = html`<p>${texts.unknown}</p><p><a class="button" href="/">${texts.back}</a></p>`
  return readerPage({ site, title: texts.title, main, status: 404 })
}

/** The ticket travels in the body of a form: no address, history, log or `Referer` holds it. */
function ticketPage(site: Manifest['site'] | null, action: string, ticket: string): GateResponse {
  const texts = TEXTS[pageLanguage(site)].handOver
  const main = html`<p>${texts.going}</p>
<form method="post" action="${action}"><input type="hidden" name="ticket" value="${ticket}"><button class="primary">${texts.go}</button></form>
<script>${new Html(SUBMIT)}</script>`
  const headers = {
    'Content-Security-Policy': readerPolicy({ scripts: [SUBMIT_SOURCE], formAction: action }),
    'Referrer-Policy': 'strict-origin', // else the form's Origin would be "null"
  }
  return readerPage({ site, title: texts.title, main, headers })
}
