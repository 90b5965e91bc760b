import { encodePath } from '@sekisho/contract/canonical-path'
import { reviewDue } from '@sekisho/contract/page-metadata'
import { ROUTES } from '@sekisho/contract/routes'
import { listReleaseIds, type ReleaseFile, readReleaseId } from '@sekisho/release'
import type { NoticeConfig } from '../../config/notice-settings.ts'
import { pageStatusOf } from '../../kernel/page-status.ts'
import { pageLanguage } from '../../kernel/pages/reader-page.ts'
import type { ServedEdition } from '../../kernel/reader.ts'
import { createToday, nameOfDay } from '../../kernel/today.ts'
import {
  type AcknowledgementStore,
  listAskedPages,
  type ReviewDays,
  readReviewDays,
  withReview,
} from '../../state/acknowledgements/index.ts'
import { type KeptFeedback, readFeedbackReport } from '../../state/feedback/index.ts'
import type { Notice, NoticeStore } from '../../state/notices/index.ts'
import { MIN_READERS } from '../../state/readership/index.ts'
import type { Account } from '../../state/sessions/index.ts'
import type { DailyStore } from '../../storage/lines/daily-log.ts'
import { UnavailableError } from '../../storage/unavailable-error.ts'
import { TEXTS } from '../../texts/index.ts'
import { type NoticeMessage, noticeId, plainLine } from './notice-message.ts'

export interface ComposeOptions {
  readonly config: NoticeConfig
  readonly origin: URL
  readonly timeZone: string
  readonly now: () => number
  readonly releases: { editions(): Promise<readonly ServedEdition[]> }
  readonly releasesDir: string
  /** Changes of an edition since an earlier release; null where that had no such edition. */
  readonly changes: {
    find(
      served: ServedEdition,
      task: { readonly kind: 'since'; readonly base: string },
      account: Account,
    ): Promise<{ readonly pages: readonly ChangedPage[] } | null>
  }
  /** Editions of recipients, and addresses of those who are asked to acknowledge a page, as the policy has them now. */
  readonly recipients: {
    ofAddress(email: string): Promise<ServedEdition | null>
    ofReader(reader: Account & { readonly email: string }): Promise<ServedEdition | null>
    ofGroups(groups: ReadonlySet<string>): Promise<ServedEdition | null>
    asked(path: string): Promise<ReadonlyMap<string, readonly string[] | null>>
  }
  /** Searches of the last so many days that found nothing, with the nearest page of an edition. */
  readonly findGaps: (
    served: ServedEdition,
    days: number,
  ) => Promise<readonly { readonly q: string; readonly times: number; readonly page: string | null }[]>
  readonly notices: Pick<NoticeStore, 'findWatch'>
  readonly acknowledgements: Pick<AcknowledgementStore, 'compare' | 'reviews'>
  readonly feedback: Pick<DailyStore<KeptFeedback>, 'read'>
}

interface ChangedPage {
  readonly path: string
  readonly title: string
  readonly kind: 'new' | 'changed'
}

/** A message with its receiver: an address, or null for the channel. */
export interface AddressedNotice {
  readonly to: string | null
  /** Release and edition of the content; null for a message without any. */
  readonly release: string | null
  readonly message: NoticeMessage
}

const DAY_MS = 86_400_000
/** Lines of one section; the portal has the rest. */
const MAX_ITEMS = 20
const MAX_SECTIONS = 20
/** Takes turns with readers as an account of its own. */
const GATE: Account = { issuer: '', sub: 'notices' }

type Section = NoticeMessage['sections'][number]
type Item = Section['items'][number]

/** Makes the content of notices at the moment of sending, from the edition that their recipient may read then. */
export function createComposer(options: ComposeOptions) {
  const { config, origin, timeZone, now, changes, recipients } = options
  const today = createToday(options)
  /** Logs know days of UTC, which begin at another time than the portal's. */
  const logDays = config.everyDays + 1
  const urlOf = (path: string) => new URL(encodePath(path), origin).href

  /** Changes up to the served release since the newest one that a test accepts, or else the oldest that is kept. */
  async function pagesSince(served: ServedEdition, isBase: (id: string) => boolean) {
    const earlier = (await listReleaseIds(options.releasesDir)).filter((id) => id < served.releaseId)
    const base = earlier.find(isBase) ?? earlier.at(-1)
    if (base === undefined) return { pages: [] }
    const found = await changes.find(served, { kind: 'since', base }, GATE)
    return { pages: found?.pages ?? [] }
  }

  const itemOf = (path: string, text: string): Item => ({ text: plainLine(text), url: urlOf(path) })
  const sectionOf = (heading: string, items: readonly Item[], more: (count: string) => string): Section[] =>
    items.length === 0
      ? []
      : [
          {
            heading: plainLine(heading),
            items: [
              ...items.slice(0, MAX_ITEMS),
              ...(items.length > MAX_ITEMS ? [{ text: more(String(items.length - MAX_ITEMS)) }] : []),
            ],
          },
        ]

  const textsOf = (served: ServedEdition | null) => TEXTS[pageLanguage(served?.site ?? null)].notices

  async function changedSections(
    served: ServedEdition,
    isBase: (id: string) => boolean,
    isWanted: (path: string) => boolean,
  ): Promise<readonly Section[]> {
    const texts = textsOf(served)
    const { pages } = await pagesSince(served, isBase)
    const items = pages
      .filter(({ path }) => isWanted(path))
      .map(({ path, title, kind }) =>
        itemOf(path, `${kind === 'new' ? texts.isNew : texts.changed}: ${title}`),
      )
    return sectionOf(texts.pages, items, texts.more)
  }

  /** Sections about the pages of an edition for each owner, as the pages name them. */
  async function sectionsByOwner(served: ServedEdition): Promise<ReadonlyMap<string, readonly Section[]>> {
    const texts = textsOf(served)
    const lang = pageLanguage(served.site)
    const dayOf = (day: string) => nameOfDay(Date.parse(`${day}T12:00Z`), lang, timeZone)
    const { files } = served.edition
    const lines = new Map<string, Map<string, Item[]>>()
    const note = (path: string, heading: string, text: (title: string) => string) => {
      const file = files.get(path)
      const owner = file?.page?.owner
      if (file === undefined || owner === undefined) return
      const own = lines.get(owner) ?? new Map<string, Item[]>()
      lines.set(owner, own)
      const items = own.get(heading) ?? []
      own.set(heading, items)
      items.push(itemOf(path, text(file.title ?? path)))
    }
    const reviewed = await readReviewDays(options.acknowledgements, served.edition, [...files.keys()])
    for (const [path, file] of overdueReviews(files, reviewed, today()))
      note(path, texts.reviews, (title) => `${title} (${texts.due(dayOf(file))})`)
    for (const { path, due, done } of await overdueAcknowledgements(served))
      note(
        path,
        texts.acknowledgements,
        (title) => `${title} (${texts.due(dayOf(due))}, ${texts.done(done)})`,
      )
    for (const { page, helpful, unhelpful, comments } of await readFeedbackReport(
      options.feedback,
      logDays,
      now(),
    ))
      if (helpful + unhelpful >= MIN_READERS)
        note(
          page,
          texts.feedback,
          (title) => `${title} (${texts.votes(helpful, unhelpful, comments.length)})`,
        )
    for (const { q, times, page } of await options.findGaps(served, logDays))
      if (page !== null) note(page, texts.searches, (title) => texts.search(q, String(times), title))
    return new Map(
      [...lines].map(([owner, own]) => [
        owner,
        [...own].flatMap(([heading, items]) => sectionOf(heading, items, texts.more)),
      ]),
    )
  }

  async function overdueAcknowledgements(served: ServedEdition) {
    const overdue = listAskedPages(served.edition).filter(({ request }) => request.due < today())
    const found: { path: string; due: string; done: string }[] = []
    for (const { path, request } of overdue) {
      let [done, isOpen] = [0, false]
      for (const [version, people] of await recipients.asked(path)) {
        const compared = await options.acknowledgements.compare({ path, version }, people ?? [])
        done += compared.done
        isOpen ||= people === null || compared.missing.length > 0
      }
      if (isOpen) found.push({ path, due: request.due, done: String(done) })
    }
    return found
  }

  const createAddressed =
    (notice: Notice) =>
    (
      to: string | null,
      served: ServedEdition | null,
      title: (texts: ReturnType<typeof textsOf>, site: string) => string,
      path: string,
      sections: readonly Section[],
    ): AddressedNotice => {
      const texts = textsOf(served)
      const message = {
        id: noticeId(origin, notice.key),
        kind: notice.kind,
        url: new URL(path, origin).href,
        title: plainLine(title(texts, served?.site.title ?? origin.host)),
        sections: sections.slice(0, MAX_SECTIONS),
      }
      return { to, release: served?.servedAs ?? null, message }
    }

  async function toChannel(notice: Notice): Promise<AddressedNotice | null> {
    const address = createAddressed(notice)
    const served = await recipients.ofGroups(config.webhook?.groups ?? new Set())
    if (notice.kind === 'publication') {
      if (served !== null && served.releaseId < notice.subject)
        throw new UnavailableError('unavailable', 'the release is not here yet')
      const isBefore = (id: string) => id < notice.subject
      const sections = served === null ? [] : await changedSections(served, isBefore, () => true)
      return address(null, served, ({ published }, site) => published(site), ROUTES.whatsNew.path, sections)
    }
    if (served === null) return null
    const sections = [...(await sectionsByOwner(served))].flatMap(([owner, own]) =>
      own.map(({ heading, items }) => ({ heading: plainLine(`${owner}: ${heading}`), items })),
    )
    return sections.length === 0
      ? null
      : address(null, served, ({ digest }, site) => digest(site), '/', sections)
  }

  async function toReader(notice: Notice): Promise<AddressedNotice | null> {
    const { issuer, sub }: Account = JSON.parse(notice.recipient)
    const watch = await options.notices.findWatch({ issuer, sub })
    const served = watch === null ? null : await recipients.ofReader(watch)
    if (watch === null || served === null) return null
    const sinceMs = Date.parse(notice.subject) - config.everyDays * DAY_MS
    const sections = await changedSections(
      served,
      (id) => Date.parse(readReleaseId(id).createdAt) < sinceMs,
      (path) => watch.folders.some((folder) => path.startsWith(folder)),
    )
    if (sections.length === 0) return null
    const title = ({ watched }: ReturnType<typeof textsOf>, site: string) => watched(site)
    return createAddressed(notice)(watch.email, served, title, ROUTES.account.path, sections)
  }

  async function toOwner(notice: Notice): Promise<AddressedNotice | null> {
    const to = notice.recipient
    const served = await recipients.ofAddress(to)
    if (served === null) return null
    const sections = [...(await sectionsByOwner(served))].flatMap(([owner, own]) =>
      addressesOf(owner, config).includes(to) ? own : [],
    )
    const title = ({ owned }: ReturnType<typeof textsOf>, site: string) => owned(site)
    return sections.length === 0 ? null : createAddressed(notice)(to, served, title, '/', sections)
  }

  /** Null where there is nothing to tell, or the recipient may no longer read the portal. */
  return (notice: Notice): Promise<AddressedNotice | null> =>
    notice.kind === 'owner' ? toOwner(notice) : notice.kind === 'watch' ? toReader(notice) : toChannel(notice)
}

/** Addresses of the owners that a page names, divided by commas; none for a team without one. */
export function addressesOf(owner: string, { mail }: Pick<NoticeConfig, 'mail'>): readonly string[] {
  return owner
    .split(',')
    .map((one) => one.trim())
    .flatMap((one) => mail?.owners.get(one) ?? (/^[^\s@]+@[^\s@]+$/.test(one) ? one.toLowerCase() : []))
}

/** Pages whose review is overdue, with the day it was due, the longest overdue first. */
function overdueReviews(
  files: ReadonlyMap<string, ReleaseFile>,
  reviewed: ReviewDays,
  today: string,
): readonly (readonly [string, string])[] {
  return [...files]
    .flatMap(([path, served]): readonly (readonly [string, string])[] => {
      const file = withReview(served, reviewed.get(path))
      const status = pageStatusOf(file, today)
      const due = file.page === undefined ? null : reviewDue(file.page)
      return due === null || status?.review_overdue !== true || status.obsolete === true ? [] : [[path, due]]
    })
    .sort(([, one], [, other]) => (one < other ? -1 : 1))
}
