import { encodePath } from '@sekisho/contract/canonical-path'
import { ROUTES } from '@sekisho/contract/routes'
import type { GateResponse } from '@sekisho/wire'
import type { AuditTrail } from '../../audit/index.ts'
import { createFairSemaphore } from '../../kernel/fair-semaphore.ts'
import { type Html, html } from '../../kernel/pages/html.ts'
import { problem, tooManyRequests } from '../../kernel/pages/problem.ts'
import { pageLanguage, readerPage } from '../../kernel/pages/reader-page.ts'
import type { Reader, ServedEdition } from '../../kernel/reader.ts'
import { recordRead } from '../../kernel/reader-trail.ts'
import { type ReaderHandler, type RouteTable, readerRoute } from '../../kernel/route-table.ts'
import { createToday, nameOfDay } from '../../kernel/today.ts'
import type { FindGaps } from '../../releases/search-gaps.ts'
import {
  type AcknowledgementStore,
  type AskedPage,
  listAskedPages,
} from '../../state/acknowledgements/index.ts'
import { accountKey, createRateLimit } from '../../state/limits/index.ts'
import { type PageWeek, type ReadershipStore, readReadership, weekOf } from '../../state/readership/index.ts'
import { TEXTS } from '../../texts/index.ts'

interface OwnedPagesOptions {
  /** Null where readers of pages are not counted. */
  readonly readership: Pick<ReadershipStore, 'ofPages' | 'firstWeek'> | null
  readonly acknowledgements: Pick<AcknowledgementStore, 'compare' | 'list'>
  /** Addresses of those who are asked, by the version that their edition holds; null where the policy does not name them one by one. */
  readonly asked: (path: string) => Promise<ReadonlyMap<string, readonly string[] | null>>
  readonly audit: Pick<AuditTrail, 'recordReading'>
  readonly findGaps: FindGaps
  /** IANA name of the time zone that weeks are of. */
  readonly timeZone: string
  readonly now: () => number
}

/** Page of a reader about the pages that they own. */
export interface OwnedPages {
  readonly routes: RouteTable
  /** Section of the account page that leads there; nothing for a reader who owns no page. */
  ownedSection(reader: Reader): readonly Html[]
}

/** Pages that are shown; an owner of more has the report of operators. */
const MAX_PAGES = 200
const CHART_WEEKS = 13
const GAP_DAYS = 30
const REQUESTS = { burst: 30, perSecond: 0.2 } as const

type Texts = (typeof TEXTS)['ja']['owned']

/** Persons who have acknowledged a page, and who have not, that are named; `sekisho acknowledgements list` has all. */
const MAX_NAMED = 100

/** Shows owners who has acknowledged their pages; and, without names, how many read them, unread pages, and what was looked for in vain. */
export function createOwnedPages(options: OwnedPagesOptions): OwnedPages {
  const { readership, acknowledgements, findGaps, audit, timeZone, now } = options
  const today = createToday({ now, timeZone })
  const limit = createRateLimit({ ...REQUESTS, now })
  const inTurn = createFairSemaphore(1) // a page compares up to 200 lists of people

  const show: ReaderHandler = async (_request, reader, context) => {
    const { served } = reader
    const waitSeconds = limit.take(accountKey(reader.account))
    if (waitSeconds > 0) return tooManyRequests(waitSeconds)
    if (served === null) return problem('unavailable')
    const owned = listOwned(reader, served)
    const asked = listAsked(served, owned)
    const pages = asked.map(({ path }) => path)
    const path = ROUTES.owned.path
    if (pages.length > 0)
      await recordRead(audit, {
        event: 'page_read',
        reader,
        path,
        context,
        more: { acknowledgements: pages },
      })
    return inTurn(accountKey(reader.account), () => showPages(served, owned, asked))
  }

  async function showPages(
    served: ServedEdition,
    owned: readonly string[],
    asked: readonly AskedPage[],
  ): Promise<GateResponse> {
    const texts = TEXTS[pageLanguage(served.site)].owned
    const items: Html[] = []
    for (const page of asked) items.push(await askedItem(served, page))
    const main = html`<p class="quiet">${texts.lead}</p>
${items.length === 0 ? [] : html`<h2>${texts.acknowledgements}</h2>\n<ul class="card">${items}</ul>`}
${readership === null ? [] : await readerSections(readership, served, owned)}
<p><a class="button" href="${ROUTES.account.path}">${texts.back}</a></p>`
    return readerPage({ site: served.site, title: texts.title, main })
  }

  /** Names of those who have acknowledged the version of their edition, and of those who have yet to. */
  async function askedItem({ site }: ServedEdition, { path, title, request }: AskedPage): Promise<Html> {
    const lang = pageLanguage(site)
    const texts = TEXTS[lang].owned
    const dayOf = (ms: number) => nameOfDay(ms, lang, timeZone)
    let [count, isKnown] = [0, true]
    const done: string[] = []
    let missing: readonly string[] = []
    for (const [version, people] of await options.asked(path)) {
      const compared = await acknowledgements.compare({ path, version }, people ?? [])
      count += compared.done
      isKnown &&= people !== null
      missing = [...missing, ...compared.missing]
      const listed = await acknowledgements.list({ path, version, issuer: '', sub: '' }, MAX_NAMED)
      const own = listed.filter((one) => one.path === path && one.version === version)
      done.push(...own.map(({ email, atMs }) => `${email} (${dayOf(atMs)})`))
    }
    const isOverdue = request.due < today() && (!isKnown || missing.length > 0)
    const tag = isOverdue ? html` <span class="tag">${texts.overdue}</span>` : []
    const counts = isKnown ? texts.counts(String(count), String(missing.length)) : texts.done(String(count))
    const due = texts.due(dayOf(Date.parse(`${request.due}T12:00Z`)))
    const late = isKnown
      ? namesOf(texts.missing, missing, missing.length, texts)
      : html`<p class="quiet">${texts.unnamed}</p>`
    return html`<li><div><a href="${encodePath(path)}">${title}</a>${tag}<br>
<span class="quiet">${due}<br>${counts}</span>${late}${namesOf(texts.acknowledged, done, count, texts)}</div></li>\n`
  }

  async function readerSections(
    store: NonNullable<typeof readership>,
    served: ServedEdition,
    owned: readonly string[],
  ): Promise<Html> {
    const lang = pageLanguage(served.site)
    const texts = TEXTS[lang].owned
    const { weeks, unread } = await readReadership(store, owned, today())
    const isUnread = new Set(unread ?? [])
    const titleOf = (path: string) => served.edition.files.get(path)?.title ?? path
    const nameOf = (week: string) => nameOfDay(Date.parse(`${week}T12:00Z`), lang, timeZone)
    const items = owned.slice(0, MAX_PAGES).map((path) => {
      const chart = weekChart(weeks.get(path) ?? [], weekOf(today(), -CHART_WEEKS), texts, nameOf)
      const tag = isUnread.has(path) ? html` <span class="tag">${texts.unread}</span>` : []
      return html`<li><div><a href="${encodePath(path)}">${titleOf(path)}</a>${tag}</div>${chart}</li>\n`
    })
    const isOwned = new Set(owned)
    const gapItems = (await findGaps(served, GAP_DAYS)).flatMap(({ q, times, page }) =>
      page === null || !isOwned.has(page)
        ? []
        : html`<li><div>${q}<br><span class="quiet">${texts.nearest}: <a href="${encodePath(page)}">${titleOf(page)}</a></span></div>${texts.times(String(times))}</li>\n`,
    )
    return html`<h2>${texts.readers}</h2>
<p class="quiet">${texts.counted}</p>
${items.length === 0 ? html`<p>${texts.none}</p>` : html`<ul class="card">${items}</ul>`}
<h2>${texts.gaps}</h2>
${gapItems.length === 0 ? html`<p>${texts.noGaps}</p>` : html`<ul class="card">${gapItems}</ul>`}`
  }

  return {
    routes: new Map([readerRoute(ROUTES.owned, { GET: show, HEAD: show })]),
    ownedSection(reader) {
      const { served } = reader
      const owned = served === null ? [] : listOwned(reader, served)
      if (served === null || (readership === null ? listAsked(served, owned) : owned).length === 0) return []
      const { title } = TEXTS[pageLanguage(served.site)].owned
      return [html`<p><a class="button" href="${ROUTES.owned.path}">${title}</a></p>\n`]
    },
  }
}

/** Pages among these that ask for acknowledgement. */
function listAsked({ edition }: ServedEdition, owned: readonly string[]): readonly AskedPage[] {
  const isOwned = new Set(owned)
  return listAskedPages(edition)
    .filter(({ path }) => isOwned.has(path))
    .slice(0, MAX_PAGES)
}

/** A list that is folded until it is asked for. */
function namesOf(heading: string, names: readonly string[], count: number, texts: Texts): Html | readonly [] {
  if (count === 0) return []
  const items = names.slice(0, MAX_NAMED).map((name) => html`<li>${name}</li>\n`)
  const rest = count - items.length
  return html`<details><summary>${heading}</summary><ul>${items}</ul>${rest > 0 ? html`<p class="quiet">${texts.more(String(rest))}</p>` : []}</details>`
}

/** Paths of an edition's pages that a reader owns by the policy; none while they view it as another reader. */
function listOwned({ owns, viewingAs }: Reader, { edition }: ServedEdition): readonly string[] {
  if (viewingAs !== null) return []
  const owners = new Set([...edition.files.values()].flatMap(({ page }) => page?.owner ?? []))
  const own = new Set([...owners].filter(owns))
  return [...edition.files].flatMap(([path, { page }]) => (own.has(page?.owner ?? '') ? [path] : []))
}

const BAR = 8
const HEIGHT = 32

/** Readers by week as a picture, with the same in words for those who do not see it. */
function weekChart(
  counted: readonly PageWeek[],
  from: string,
  texts: Texts,
  nameOf: (week: string) => string,
): Html {
  const weeks = Array.from({ length: CHART_WEEKS }, (_, at) => weekOf(from, at))
  const readers = weeks.map((week) => counted.find((one) => one.week === week)?.readers ?? null)
  const most = Math.max(1, ...readers.map((count) => count ?? 0))
  const words = readers.flatMap((count, at) =>
    count === null ? [] : [texts.week(nameOf(weeks[at] ?? ''), count === 0 ? texts.few : String(count))],
  )
  const bars = readers.map((count, at) => {
    const height = count === null ? 1 : Math.max(3, Math.round((HEIGHT * count) / most))
    return html`<rect x="${String(at * BAR)}" y="${String(HEIGHT - height)}" width="${String(BAR - 2)}" height="${String(height)}"/>`
  })
  const size = `0 0 ${CHART_WEEKS * BAR} ${HEIGHT}`
  const label = words.length === 0 ? texts.uncounted : words.join(', ')
  return html`<svg role="img" aria-label="${label}" viewBox="${size}" width="${String(CHART_WEEKS * BAR)}" height="${String(HEIGHT)}" fill="currentColor">${bars}</svg>`
}
