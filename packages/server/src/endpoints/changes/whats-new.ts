import { encodePath } from '@sekisho/contract/canonical-path'
import { ROUTES } from '@sekisho/contract/routes'
import { readReleaseId } from '@sekisho/release'
import type { GateResponse } from '@sekisho/wire'
import { BytesResponse } from '@sekisho/wire'
import { readFormBody } from '../../kernel/json-body.ts'
import { type Html, html } from '../../kernel/pages/html.ts'
import { jsonResponse, problem, tooManyRequests } from '../../kernel/pages/problem.ts'
import { pageLanguage, readerPage } from '../../kernel/pages/reader-page.ts'
import type { Reader, ServedEdition } from '../../kernel/reader.ts'
import { type ReaderHandler, type RouteTable, readerRoute, textRoute } from '../../kernel/route-table.ts'
import { nameOfDay } from '../../kernel/today.ts'
import { accountKey, createRateLimit } from '../../state/limits/index.ts'
import type { Visit, VisitStore } from '../../state/visits/index.ts'
import { TEXTS } from '../../texts/index.ts'
import { atomFeed } from './atom-feed.ts'
import type { PageComparison } from './changes-worker.ts'
import type { PageChange, PageChanges } from './compare-releases.ts'
import type { DiffLine } from './page-diff.ts'
import type { ReleaseChanges } from './release-changes.ts'
import { createVisits } from './visits.ts'

interface WhatsNewOptions {
  readonly origin: URL
  readonly visits: VisitStore
  readonly changes: ReleaseChanges
  /** IANA name of the time zone that days are shown in. */
  readonly timeZone: string
  readonly now: () => number
}

/** Changes of pages since a reader's last visit. */
export interface WhatsNew {
  readonly routes: RouteTable
  /** Section of the account page that leads here. */
  newsSection(reader: Reader): readonly Html[]
  /** News on a page that is opened; null where nothing is recorded of its reader. */
  newsOf(
    reader: Reader,
    path: string,
  ): Promise<{ readonly hasUpdates: boolean; readonly note: Html | null } | null>
}

/** Request limit of an account: a person who opens every comparison passes, a loop is slowed to one in two seconds. */
const REQUESTS = { burst: 60, perSecond: 0.5 } as const

type Texts = (typeof TEXTS)['ja']['whatsNew']

/** Tells readers what has changed in their own edition: page and feed, and the note on changed pages. */
export function createWhatsNew(options: WhatsNewOptions): WhatsNew {
  const { origin, changes, timeZone, now } = options
  const visits = createVisits(options.visits, now)
  const textsOf = (served: ServedEdition | null): Texts => TEXTS[pageLanguage(served?.site ?? null)].whatsNew
  const limit = createRateLimit({ ...REQUESTS, now })
  const dayOf = (ms: number, lang: string) => nameOfDay(ms, lang, timeZone)

  /** Null at a first visit, and where the earlier release is not kept. */
  async function since({ served, session }: Reader, visit: Visit | null): Promise<PageChanges | null> {
    if (served === null || visit === null || visit.isOff) return null
    if (visit.base === served.releaseId) return { pages: [], more: 0 }
    return changes.find(served, { kind: 'since', base: visit.base }, session)
  }

  const newsOf: WhatsNew['newsOf'] = async (reader, path) => {
    const visit = await visits.note(reader)
    if (visit === null || visit.isOff || visit.base === reader.served?.releaseId) return null
    const found = await since(reader, visit)
    if (found === null || found.pages.length === 0) return null
    const own = found.pages.find((page) => page.path === path)
    return { hasUpdates: true, note: own === undefined ? null : noteOf(own, textsOf(reader.served)) }
  }

  /** Refuses an account that asks too often, before anything is compared. */
  const limited =
    (handler: ReaderHandler): ReaderHandler =>
    async (request, reader, context) => {
      const waitSeconds = limit.take(accountKey(reader.account))
      return waitSeconds > 0 ? tooManyRequests(waitSeconds) : handler(request, reader, context)
    }

  const show: ReaderHandler = async (request, reader) => {
    const { served, session } = reader
    if (served === null) return problem('unavailable')
    const path = new URL(request.url).searchParams.get('page')
    if (path !== null) return showPage(reader, served, path)
    const texts = textsOf(served)
    const lang = pageLanguage(served.site)
    const visit = await visits.note(reader)
    const found = await since(reader, visit)
    const log = await changes.find(served, { kind: 'log' }, session)
    const releases = log.map(
      ({ createdAt, ...release }) =>
        html`<h3><time datetime="${createdAt}">${dayOf(Date.parse(createdAt), lang)}</time></h3>\n${listOf(release, texts, false)}`,
    )
    const main = html`${visitSection(visit, found, texts, reader)}<h2>${texts.releases}</h2>
${releases.length === 0 ? html`<p>${texts.none}</p>` : releases}
<p><a href="${ROUTES.changesFeed.path}">${texts.feed}</a></p>`
    return readerPage({ site: served.site, title: texts.title, main })
  }

  function visitSection(
    visit: Visit | null,
    found: PageChanges | null,
    texts: Texts,
    { served }: Reader,
  ): Html {
    if (visit === null) return html`<p>${texts.notHere}</p>\n`
    if (visit.isOff) return html`<p>${texts.isOff}</p>\n${action('on', texts.on)}`
    const lang = pageLanguage(served?.site ?? null)
    const changed =
      found === null
        ? html`<p>${texts.gone}</p>`
        : found.pages.length === 0
          ? html`<p>${texts.none}</p>`
          : listOf(found, texts, true)
    const seen = found === null || found.pages.length > 0 ? action('seen', texts.seen, true) : []
    return html`<h2>${texts.since(dayOf(Date.parse(readReleaseId(visit.base).createdAt), lang))}</h2>
${changed}
<div class="actions">${seen}${action('off', texts.off)}</div>
<p class="quiet">${texts.kept}</p>
`
  }

  async function showPage(reader: Reader, served: ServedEdition, path: string): Promise<GateResponse> {
    if (!served.edition.files.has(path)) return problem('not_found')
    const texts = textsOf(served)
    const visit = await visits.note(reader)
    const base = visit === null || visit.isOff ? null : visit.base
    const found: PageComparison =
      base === null
        ? { kind: 'none' }
        : await changes.find(served, { kind: 'page', base, path }, reader.session)
    const title = found.kind === 'none' ? (served.edition.files.get(path)?.title ?? path) : found.title
    const main = html`${comparison(found, texts)}
<p class="actions"><a class="button" href="${encodePath(path)}">${texts.open}</a><a class="button" href="${ROUTES.whatsNew.path}">${texts.back}</a></p>`
    return readerPage({ site: served.site, title: texts.compareTitle(title), main })
  }

  const act: ReaderHandler = async (request, reader) => {
    const form = await readFormBody(request, ROUTES.whatsNew.maxBodyBytes)
    const chosen = form?.get('action')
    if (reader.viewingAs !== null || reader.served === null) return problem('bad_request')
    if (chosen === 'off') await visits.stop(reader.session)
    else if (chosen === 'seen' || chosen === 'on') await visits.markSeen(reader)
    else return problem('bad_request')
    return new Response(null, { status: 303, headers: { Location: ROUTES.whatsNew.path } })
  }

  const feed: ReaderHandler = async (_request, { served, session }) => {
    if (served === null) return problem('unavailable')
    const log = await changes.find(served, { kind: 'log' }, session)
    const { title: name, isNew, mark } = textsOf(served)
    const kinds = { new: isNew, changed: mark }
    const headers = { 'Content-Type': 'application/atom+xml; charset=utf-8' }
    return new BytesResponse(atomFeed({ served, log, origin, name, kinds }).text, { headers })
  }

  const updates: ReaderHandler = async (_request, reader) => {
    const found = await since(reader, await visits.note(reader))
    const { mark, isNew, note, compare } = textsOf(reader.served)
    const pages = (found?.pages ?? []).map(({ path, kind }) => ({ path: encodePath(path), kind }))
    return jsonResponse({ pages, mark, isNew, note, compare, address: ROUTES.whatsNew.path })
  }

  return {
    routes: new Map([
      readerRoute(ROUTES.whatsNew, { GET: limited(show), HEAD: limited(show), POST: act }),
      textRoute(ROUTES.changesFeed, { GET: limited(feed), HEAD: limited(feed) }),
      readerRoute(ROUTES.updates, { GET: updates, HEAD: updates }),
    ]),
    newsOf,
    newsSection: ({ served }) => {
      const { title } = textsOf(served)
      return [html`<p><a class="button" href="${ROUTES.whatsNew.path}">${title}</a></p>\n`]
    },
  }
}

const compareAddress = (path: string): string =>
  `${ROUTES.whatsNew.path}?${new URLSearchParams({ page: path })}`

const noteOf = ({ path, kind }: PageChange, texts: Texts): Html =>
  html`<span>${kind === 'new' ? texts.isNew : texts.mark}</span> ${texts.note} <a style="color:inherit" href="${compareAddress(path)}">${texts.compare}</a>`

function listOf({ pages, more }: PageChanges, texts: Texts, canCompare: boolean): Html {
  const items = pages.map(({ path, title, kind }) => {
    const tag = html`<span class="tag">${kind === 'new' ? texts.isNew : texts.mark}</span>`
    const link =
      canCompare && kind === 'changed' ? html`<a href="${compareAddress(path)}">${texts.compare}</a>` : []
    return html`<li><div>${tag} <a href="${encodePath(path)}">${title}</a></div>${link}</li>\n`
  })
  const rest = more === 0 ? [] : html`<p class="quiet">${texts.more(String(more))}</p>`
  return html`<ul class="card">${items}</ul>${rest}\n`
}

const action = (name: string, label: string, isPrimary = false): Html =>
  html`<form method="post" action="${ROUTES.whatsNew.path}"><input type="hidden" name="action" value="${name}"><button${isPrimary ? html` class="primary"` : ''}>${label}</button></form>`

function comparison(found: PageComparison, texts: Texts): Html {
  if (found.kind === 'none') return html`<p>${texts.none}</p>`
  if (found.kind !== 'lines') return html`<p>${found.kind === 'new' ? texts.isNew : texts.tooLarge}</p>`
  const remark = found.isPartial ? html`<p class="quiet">${texts.partial}</p>\n` : []
  return html`${remark}<div class="card">${found.lines.map(lineOf)}</div>`
}

function lineOf(line: DiffLine): Html {
  if (line.kind === 'gap') return html`<p class="quiet">…</p>\n`
  const parts = line.parts.map(({ kind, text }) =>
    kind === 'added'
      ? html`<ins>${text}</ins>`
      : kind === 'removed'
        ? html`<del>${text}</del>`
        : html`${text}`,
  )
  return line.kind === 'code' ? html`<pre><code>${parts}</code></pre>\n` : html`<p>${parts}</p>\n`
}
