import type { OwnSession } from '@sekisho/contract/own-sessions'
import { ROUTES } from '@sekisho/contract/routes'
import { DEFAULT_EDITION } from '@sekisho/release'
import type { Session } from '@sekisho/state/sessions'
import type { GateResponse } from '@sekisho/wire'
import { type AccessPolicy, groupsOf } from '../../access/policy.ts'
import type { PolicySource } from '../../access/policy-source.ts'
import { isFromHere } from '../../frame/fetch-metadata.ts'
import { type Html, html } from '../../frame/html.ts'
import { readFormBody } from '../../frame/json-body.ts'
import { problem } from '../../frame/problem.ts'
import { pageLanguage, readerPage } from '../../frame/reader-page.ts'
import { type ReaderHandler, type RouteTable, readerRoute } from '../../frame/route-table.ts'
import type { Releases, ServedEdition } from '../../releases/open-releases.ts'
import type { OwnSessions } from './own-sessions.ts'

export interface AccountPageOptions {
  readonly origin: URL
  readonly releases: Pick<Releases, 'current'>
  /** By whose clock times are shown, as an IANA name. */
  readonly timeZone: string
  readonly policy: PolicySource
}

const TEXTS = {
  ja: {
    title: 'アカウント',
    groups: 'グループ',
    edition: '読んでいるエディション',
    unknownGroups:
      '所属するグループの一部を認証サービスから受け取れなかったため、グループなしとして扱っています。読めるはずのページがないときは、管理者に連絡してください。',
    sessions: 'ログイン中の端末',
    thisOne: 'この端末',
    unknownDevice: '名前の分からないブラウザー',
    lastSeen: '最終利用',
    end: 'この端末をログアウトさせる',
    signOut: 'ログアウト',
    signOutAll: 'すべての端末でログアウト',
    search: '検索',
  },
  en: {
    title: 'Account',
    groups: 'Groups',
    edition: 'Edition that you read',
    unknownGroups:
      'The identity service did not tell all of your groups, so you are treated as being in none of them. If a page you should be able to read is missing, please ask your administrator.',
    sessions: 'Where you are signed in',
    thisOne: 'this device',
    unknownDevice: 'a browser that did not say its name',
    lastSeen: 'last used',
    end: 'Sign this device out',
    signOut: 'Sign out',
    signOutAll: 'Sign out everywhere',
    search: 'Search',
  },
} as const

/** Binds the page that shows readers who they are and where they are signed in, and signs them out; it needs no script. */
export function createAccountRoutes(
  { origin, releases, timeZone, policy }: AccountPageOptions,
  own: OwnSessions,
): RouteTable {
  const show: ReaderHandler = async (_request, _context, session) => {
    const served = await releases.current(session)
    const site = served?.site ?? null
    const lang = pageLanguage(site)
    const texts = TEXTS[lang]
    const items = (await own.list(session)).map((one) => sessionItem(one, lang, timeZone))
    const main = html`<div class="card"><strong>${session.name ?? session.email}</strong><br><span class="quiet">${session.email}</span>${groupLines(policy(), session, lang)}${editionLine(served, lang)}</div>
<div class="actions">${actionForm('sign-out', texts.signOut, { isPrimary: true })}${actionForm('sign-out-everywhere', texts.signOutAll)}</div>
<h2>${texts.sessions}</h2>
<ul class="card">${items}</ul>
<p><a class="button" href="${ROUTES.searchPage.path}">${texts.search}</a></p>`
    return readerPage({ site, title: texts.title, main })
  }

  const act: ReaderHandler = async (request, context, session) => {
    if (!isFromHere(request, origin)) return problem('bad_origin')
    const form = await readFormBody(request, ROUTES.account.maxBodyBytes)
    const action = form?.get('action')
    if (action === 'sign-out') return seeOther('/', await own.signOut('one')(request, context))
    if (action === 'sign-out-everywhere') return seeOther('/', await own.signOut('account')(request, context))
    const id = form?.get('id') ?? null
    if (action !== 'end' || id === null) return problem('bad_request')
    return seeOther(ROUTES.account.path, await own.endOne(session, id, context))
  }

  return new Map([readerRoute(ROUTES.account, { GET: show, HEAD: show, POST: act })])
}

/** Which groups of the policy the reader is in, and whether some are not known. */
function groupLines(policy: AccessPolicy, session: Session, lang: keyof typeof TEXTS): readonly Html[] {
  const texts = TEXTS[lang]
  const names = [...groupsOf(policy, session)].join(', ')
  return [
    ...(names === '' ? [] : [html`<br><span class="quiet">${texts.groups}: ${names}</span>`]),
    ...(session.vouched.hasAllGroups ? [] : [html`<br>${texts.unknownGroups}`]),
  ]
}

/** Which edition the reader gets; nothing on a site that does not tell its readers apart. */
function editionLine(served: ServedEdition | null, lang: keyof typeof TEXTS): readonly Html[] {
  const name = served?.edition.name ?? DEFAULT_EDITION
  return name === DEFAULT_EDITION
    ? []
    : [html`<br><span class="quiet">${TEXTS[lang].edition}: ${name}</span>`]
}

/** Redirects the browser to a page after its request was carried out; what was refused is answered as it is. */
function seeOther(location: string, done: GateResponse): GateResponse {
  if (done.status !== 204) return done
  const headers = new Headers([...done.headers])
  headers.set('location', location)
  return new Response(null, { status: 303, headers })
}

function sessionItem(one: OwnSession, lang: keyof typeof TEXTS, timeZone: string): Html {
  const texts = TEXTS[lang]
  const where = [one.device === '' ? texts.unknownDevice : one.device, one.place ?? ''].filter(
    (it) => it !== '',
  )
  const seen = new Date(one.lastSeenAtMs)
  const day = seen.toLocaleString(lang, {
    ...{ year: 'numeric', month: 'long', day: 'numeric', hour: '2-digit', minute: '2-digit' },
    ...{ timeZone, timeZoneName: 'short' },
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
