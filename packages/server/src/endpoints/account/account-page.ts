import type { Language } from '@sekisho/contract/language'
import type { OwnSession } from '@sekisho/contract/own-sessions'
import { ROUTES } from '@sekisho/contract/routes'
import { DEFAULT_EDITION, editionLabel } from '@sekisho/release'
import type { GateResponse } from '@sekisho/wire'
import { readFormBody } from '../../kernel/json-body.ts'
import { type Html, html } from '../../kernel/pages/html.ts'
import { problem } from '../../kernel/pages/problem.ts'
import { pageLanguage, readerPage } from '../../kernel/pages/reader-page.ts'
import type { Reader } from '../../kernel/reader.ts'
import { type ReaderHandler, type RouteTable, readerRoute } from '../../kernel/route-table.ts'
import { TEXTS } from '../../texts/index.ts'
import type { OwnAgents } from './own-agents.ts'
import type { OwnSessions } from './own-sessions.ts'

export interface AccountPageOptions {
  /** By whose clock times are shown, as an IANA name. */
  readonly timeZone: string
  /** Tasks that the reader still has, before everything else. */
  readonly openItems: (reader: Reader) => Promise<readonly Html[]>
  /** Further sections of the page. */
  readonly sections: (reader: Reader) => Promise<readonly Html[]>
  /** Null where agents are turned off, and on the hosts of previews. */
  readonly ownAgents: OwnAgents | null
}

/** Binds the page that shows readers who they are and where they are signed in, and signs them out; it needs no script. */
export function createAccountRoutes(
  { timeZone, openItems, sections, ownAgents }: AccountPageOptions,
  own: OwnSessions,
): RouteTable {
  const show: ReaderHandler = async (_request, reader) => {
    const { account, session, served } = reader
    const site = served?.site ?? null
    const lang = pageLanguage(site)
    const texts = TEXTS[lang].accountPage
    const items = (await own.list(session)).map((one) => sessionItem(one, lang, timeZone))
    const main = html`<div class="card"><strong>${account.name ?? account.email}</strong><br><span class="quiet">${account.email}</span>${groupLines(reader, lang)}${editionLine(reader, lang)}</div>
<div class="actions">${actionForm('sign-out', texts.signOut, { isPrimary: true })}${actionForm('sign-out-everywhere', texts.signOutAll)}</div>
${await openItems(reader)}<h2>${texts.sessions}</h2>
<ul class="card">${items}</ul>
${ownAgents === null ? [] : await ownAgents.section(account, lang, timeZone)}${await sections(reader)}<p><a class="button" href="${ROUTES.searchPage.path}">${texts.search}</a></p>`
    return readerPage({ site, title: texts.title, main })
  }

  const act: ReaderHandler = async (request, reader, context) => {
    const form = await readFormBody(request, ROUTES.account.maxBodyBytes)
    const action = form?.get('action')
    if (action === 'sign-out') return leave(await own.signOut(request, context, 'one'))
    if (action === 'sign-out-everywhere') return leave(await own.signOut(request, context, 'account'))
    const id = form?.get('id') ?? null
    if (ownAgents !== null && action === 'make-token')
      return ownAgents.makeToken(request, form?.get('name') ?? '', form?.get('days') ?? '', reader, context)
    if (ownAgents !== null && action === 'end-agent' && id !== null)
      return seeOther(ROUTES.account.path, await ownAgents.end(reader, id, context))
    if (action !== 'end' || id === null) return problem('bad_request')
    return seeOther(ROUTES.account.path, await own.endOne(reader, id, context))
  }

  return new Map([readerRoute(ROUTES.account, { GET: show, HEAD: show, POST: act })])
}

/** The reader's groups, by the labels of the site, and a remark if some are unknown. */
function groupLines({ groups, account }: Reader, lang: Language): readonly Html[] {
  const texts = TEXTS[lang].accountPage
  const names = [...groups.values()].join(', ')
  return [
    ...(names === '' ? [] : [html`<br><span class="quiet">${texts.groups}: ${names}</span>`]),
    ...(account.vouched.hasAllGroups ? [] : [html`<br>${texts.unknownGroups}`]),
  ]
}

/** The reader's edition; empty for a site without editions. */
function editionLine({ served }: Reader, lang: Language): readonly Html[] {
  return served === null || served.name === DEFAULT_EDITION
    ? []
    : [
        html`<br><span class="quiet">${TEXTS[lang].accountPage.edition}: ${editionLabel(served.edition)}</span>`,
      ]
}

/**
 * Sends a browser that was signed out to the portal, or to the provider to end its session there: by `Refresh`, because a form of ours leads to
 * no other site.
 */
function leave(done: GateResponse): GateResponse {
  const location = done.headers.get('location')
  if (location === null) return seeOther('/', done)
  const headers = new Headers([...done.headers])
  headers.delete('location')
  headers.set('refresh', `0; url=${location}`)
  return new Response(null, { status: 200, headers })
}

/** Redirects the browser to a page after its request was carried out; what was refused is answered as it is. */
function seeOther(location: string, done: GateResponse): GateResponse {
  if (done.status !== 204) return done
  const headers = new Headers([...done.headers])
  headers.set('location', location)
  return new Response(null, { status: 303, headers })
}

function sessionItem(one: OwnSession, lang: Language, timeZone: string): Html {
  const texts = TEXTS[lang].accountPage
  const where = [one.device === '' ? texts.unknownDevice : one.device, one.place ?? ''].filter(
    (it) => it !== '',
  )
  const seen = new Date(one.lastSeenAtMs)
  const day = seen.toLocaleString(lang, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  })
  const end = one.isThisOne
    ? html`<span class="tag">${texts.thisOne}</span>`
    : actionForm('end', texts.end, { id: one.id })
  return html`<li><div>${where.join(', ')}<br>
<span class="quiet">${texts.lastSeen}: <time datetime="${seen.toISOString()}">${day}</time></span></div>
${end}</li>`
}

function actionForm(
  action: string,
  label: string,
  { id, isPrimary = false }: { readonly id?: string; readonly isPrimary?: boolean } = {},
): Html {
  const named = id === undefined ? [] : [html`<input type="hidden" name="id" value="${id}">`]
  const button = isPrimary ? html`<button class="primary">${label}</button>` : html`<button>${label}</button>`
  return html`<form method="post" action="${ROUTES.account.path}">
<input type="hidden" name="action" value="${action}">${named}${button}</form>`
}
