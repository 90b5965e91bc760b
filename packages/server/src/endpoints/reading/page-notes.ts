import { encodePath } from '@sekisho/contract/canonical-path'
import { type PageMetadata, reviewDue } from '@sekisho/contract/page-metadata'
import { ROUTES } from '@sekisho/contract/routes'
import { isNavigation } from '../../kernel/client/fetch-metadata.ts'
import type { PageReview } from '../../kernel/page-status.ts'
import { type Html, html } from '../../kernel/pages/html.ts'
import { languageOf, pageLanguage } from '../../kernel/pages/reader-page.ts'
import type { Reader, ServedEdition } from '../../kernel/reader.ts'
import { withReview } from '../../state/acknowledgements/index.ts'
import { TEXTS } from '../../texts/index.ts'
import { appendTo, plainRequest, type RespondToReader } from './notices.ts'

export interface PageNotesOptions {
  /** Form by which the reader acknowledges a page; null where they are not asked, or nothing is recorded on this host. */
  readonly formOf: (reader: Reader, path: string) => Promise<Html | null>
  /** Last confirmation by an owner, and the button for one; null where the page asks for none. */
  readonly reviewOf: (reader: Reader, path: string) => Promise<PageReview | null>
  /** Number of pages that the reader has yet to acknowledge. */
  readonly countOpen: (reader: Reader) => Promise<number>
  /** News since the reader's last visit; null where nothing is recorded. */
  readonly newsOf: (reader: Reader, path: string) => Promise<PageNews | null>
  /** Today by the portal's clock, `YYYY-MM-DD`. */
  readonly today: () => string
}

/** News of the portal for one reader. */
interface PageNews {
  /** Any page has changed. */
  readonly hasUpdates: boolean
  /** Note on this page; null where it is as it was. */
  readonly note: Html | null
}

const SECTION_STYLE =
  'box-sizing:border-box;max-width:60rem;margin:2rem auto;padding:1rem 1.25rem;border:1px solid color-mix(in srgb,CanvasText 25%,Canvas);border-radius:8px;background:Canvas;color:CanvasText;font:16px/1.7 system-ui,sans-serif;overflow-wrap:anywhere'
/** At the lower edge of the window until a script of ours puts it at the head of the text. */
const BANNER_STYLE =
  'position:fixed;inset:auto 0 0;z-index:2147483646;box-sizing:border-box;padding:.5rem 1rem;background:#5b2b00;color:#fff;font:14px/1.6 system-ui,sans-serif;text-align:center'

/**
 * Ends pages that use it with owner, review and acknowledgement, and changed pages with a note; every other page stays as it was packed.
 * Browsers add what stands behind a document's end to its body, so it works on any site and without scripts.
 */
export function withPageNotes(
  respond: RespondToReader,
  { formOf, reviewOf, countOpen, newsOf, today }: PageNotesOptions,
): RespondToReader {
  return async (request, path, reader) => {
    const file = reader.served?.edition.files.get(path)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (file?.delivery !== 'page' || reader.served === null || reader.via !== 'session')
      return respond(request, path, reader)
    if (!isRead || !isNavigation(request)) return respond(request, path, reader)
    const [news, count] = await Promise.all([soon(newsOf(reader, path)), soon(countOpen(reader))])
    const openItems = count ?? 0
    const open = isLandingPage(reader.served, path) ? openNote(reader.served, openItems) : null
    const told = { hasUpdates: news?.hasUpdates ?? false, openItems }
    const review = file.page?.review === undefined ? null : await soon(reviewOf(reader, path))
    const page = withReview(file, review?.day ?? undefined).page ?? {}
    const form = page.acknowledge === undefined ? null : await formOf(reader, path)
    const section = hasNotes(page)
      ? sectionOf(reader.served, path, page, { form, review, today: today() })
      : null
    if (section === null && news?.note == null && open === null)
      return { ...(await respond(request, path, reader)), ...told }
    const plain = await respond(plainRequest(request), path, reader)
    if (plain.csp.kind !== 'page' || !plain.response.ok) return plain
    const texts = TEXTS[pageLanguage(reader.served.site)]
    const added = [
      section ?? [],
      // Landmarks with names: they stand outside of those of the page.
      open === null
        ? []
        : html`<aside data-sekisho-open aria-label="${texts.acknowledgement.open}" style="${BANNER_STYLE};margin:0">${open}</aside>\n`,
      news?.note == null
        ? []
        : html`<aside data-sekisho-news aria-label="${texts.whatsNew.title}" style="${SECTION_STYLE}">${news.note}</aside>\n`,
    ].flat()
    const text = html`${added}`.text
    return { ...plain, ...told, response: await appendTo(plain.response, Buffer.from(text)) }
  }
}

/** Number of pages to acknowledge, with a link to them; null for none. */
function openNote({ site }: ServedEdition, count: number): Html | null {
  const texts = TEXTS[pageLanguage(site)].acknowledgement
  const href = `${ROUTES.account.path}#acknowledgements`
  return count === 0
    ? null
    : html`<a style="color:inherit" href="${href}">${texts.openCount(String(count))}</a>`
}

/** A page that is opened waits no longer for a note; the next one has it. */
const MAX_WAIT_MS = 300

/** Resolves to a note, or null where its store takes too long or fails: no note keeps a page from its reader. */
const soon = <Note>(note: Promise<Note>): Promise<Note | null> =>
  Promise.race([
    note.catch(() => null),
    new Promise<null>((resolve) => setTimeout(() => resolve(null), MAX_WAIT_MS).unref()),
  ])

/** The first page of the site, or of one of its further locales. */
const isLandingPage = ({ site }: ServedEdition, path: string): boolean =>
  path === '/' || Object.hasOwn(site.locales ?? {}, path)

const hasNotes = ({ owner, review, reviewed, status, acknowledge, behind = 0 }: PageMetadata): boolean =>
  behind > 0 || [owner, review, reviewed, status, acknowledge].some((field) => field !== undefined)

function sectionOf(
  served: ServedEdition,
  path: string,
  page: PageMetadata,
  { form, review, today }: { form: Html | null; review: PageReview | null; today: string },
): Html | null {
  const { edition } = served
  const lang = languageOf(served, path)
  const texts = TEXTS[lang].pageNotes
  const { owner, reviewed, status, replacedBy, behind = 0, translationOf = '' } = page
  const due = reviewDue(page)
  const facts = [
    ...(owner === undefined ? [] : [html`<span>${texts.owner}: ${owner}</span>`]),
    ...(reviewed === undefined
      ? []
      : [html`<span>${texts.reviewed}: <time datetime="${reviewed}">${dayIn(reviewed, lang)}</time></span>`]),
  ].flatMap((fact, at) => (at === 0 ? [fact] : [html` ・ `, fact]))
  const replacement =
    replacedBy === undefined
      ? []
      : html` <a style="color:inherit" href="${encodePath(replacedBy)}">${texts.replacedBy(edition.files.get(replacedBy)?.title ?? replacedBy)}</a>`
  const banner =
    status === 'obsolete'
      ? html`<p data-sekisho-banner="obsolete" role="note" style="${BANNER_STYLE}">${texts.obsolete}${replacement}</p>\n`
      : due !== null && due < today
        ? html`<p data-sekisho-banner="overdue" role="note" style="margin:0 0 .5rem">${texts.overdue(dayIn(due, lang))}</p>\n`
        : []
  const original = edition.files.get(translationOf)?.delivery === 'page' ? translationOf : null
  const link =
    original === null
      ? []
      : html` <a style="color:inherit" href="${encodePath(original)}">${texts.original}</a>`
  const translation =
    behind === 0
      ? []
      : html`<p data-sekisho-banner="translation" role="note" style="margin:0 0 .5rem">${texts.behind(String(behind))}${link}</p>\n`
  const confirm = review?.form ?? null
  const line =
    facts.length === 0
      ? []
      : html`<p style="margin:0"${confirm === null ? html` id="sekisho-review"` : []}>${facts}</p>\n${confirm ?? []}`
  const own =
    form === null ? [] : html`<div style="${facts.length === 0 ? '' : 'margin-top:.75rem'}">${form}</div>\n`
  if ([banner, translation, line, own].every((part) => Array.isArray(part))) return null
  return html`<section data-sekisho-notes="${path}" lang="${lang}" aria-label="${texts.label}" style="${SECTION_STYLE}">
${banner}${translation}${line}${own}</section>
`
}

const dayIn = (day: string, lang: string): string =>
  new Date(`${day}T12:00Z`).toLocaleDateString(lang, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    timeZone: 'UTC',
  })
