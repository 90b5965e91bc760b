import { encodePath } from '@sekisho/contract/canonical-path'
import { ROUTES } from '@sekisho/contract/routes'
import type { GateResponse } from '@sekisho/wire'
import { type Html, html } from '../../kernel/pages/html.ts'
import { problem, tooManyRequests } from '../../kernel/pages/problem.ts'
import { pageLanguage, readerPage } from '../../kernel/pages/reader-page.ts'
import type { Reader, ServedEdition } from '../../kernel/reader.ts'
import { type ReaderHandler, type RouteTable, readerRoute } from '../../kernel/route-table.ts'
import { createToday, nameOfDay } from '../../kernel/today.ts'
import type { FindGaps } from '../../releases/search-gaps.ts'
import { accountKey, createRateLimit } from '../../state/limits/index.ts'
import { type PageWeek, type ReadershipStore, readReadership, weekOf } from '../../state/readership/index.ts'
import { TEXTS } from '../../texts/index.ts'

interface OwnedPagesOptions {
  readonly readership: Pick<ReadershipStore, 'ofPages' | 'firstWeek'>
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

/** Shows owners how many read their pages, unread pages, and what was looked for in vain; no person is named. */
export function createOwnedPages({ readership, findGaps, timeZone, now }: OwnedPagesOptions): OwnedPages {
  const today = createToday({ now, timeZone })
  const limit = createRateLimit({ ...REQUESTS, now })

  const show: ReaderHandler = async (_request, reader) => {
    const { served } = reader
    const waitSeconds = limit.take(accountKey(reader.account))
    if (waitSeconds > 0) return tooManyRequests(waitSeconds)
    return served === null ? problem('unavailable') : showPages(reader, served)
  }

  async function showPages(reader: Reader, served: ServedEdition): Promise<GateResponse> {
    const lang = pageLanguage(served.site)
    const texts = TEXTS[lang].owned
    const owned = listOwned(reader, served)
    const { weeks, unread } = await readReadership(readership, owned, today())
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
    const main = html`<p class="quiet">${texts.lead}</p>
<h2>${texts.readers}</h2>
${items.length === 0 ? html`<p>${texts.none}</p>` : html`<ul class="card">${items}</ul>`}
<h2>${texts.gaps}</h2>
${gapItems.length === 0 ? html`<p>${texts.noGaps}</p>` : html`<ul class="card">${gapItems}</ul>`}
<p><a class="button" href="${ROUTES.account.path}">${texts.back}</a></p>`
    return readerPage({ site: served.site, title: texts.title, main })
  }

  return {
    routes: new Map([readerRoute(ROUTES.owned, { GET: show, HEAD: show })]),
    ownedSection(reader) {
      const { served } = reader
      if (served === null || listOwned(reader, served).length === 0) return []
      const { title } = TEXTS[pageLanguage(served.site)].owned
      return [html`<p><a class="button" href="${ROUTES.owned.path}">${title}</a></p>\n`]
    },
  }
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
