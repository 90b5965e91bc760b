import { existsSync } from 'node:fs'
import { createMessages } from '@sekisho/contract/language'
import { reviewDue } from '@sekisho/contract/page-metadata'
import type { Manifest } from '@sekisho/release'
import { type AcknowledgementStore, readReviewDays, withReview } from '@sekisho/server/acknowledgements'
import { pageStatusOf } from '@sekisho/server/page-status'
import { readReadership } from '@sekisho/server/readership'
import { type CommandIo, readDataFolder } from '../../command.ts'
import { dayOf, plain, sayTo } from '../../language.ts'
import { readDatabase, withStores } from '../../open-state.ts'
import { readServedManifest } from '../../release-store.ts'
import { TEXTS } from '../../texts/index.ts'
import { countAnswers } from '../access/trail-facts.ts'

const messageOf = createMessages(TEXTS, 'check')

const DAY_MS = 86_400_000
/** Time in which uses of a page count. */
const USES_MS = 180 * DAY_MS

interface OverduePage {
  readonly path: string
  readonly title: string
  readonly owner: string | null
  /** Day the review was due, `YYYY-MM-DD`. */
  readonly due: string
  /** Days since then. */
  readonly days: number
  /** Readers by week and answers of the last 180 days; either is 0 below five. */
  readonly uses: number
}

interface LaggingTranslation {
  readonly path: string
  readonly title: string
  readonly lang: string
  /** Changes of the original since. */
  readonly behind: number
}

interface FreshnessOptions {
  readonly dataDir: string | undefined
  readonly json: boolean
}

/**
 * Lists pages of the served release whose review is overdue, by owner, the most used first, and translations whose original has changed, by
 * language. Resolves to exit code 1 when there are any.
 */
export async function checkFreshness({ dataDir, json }: FreshnessOptions, io: CommandIo): Promise<number> {
  const folder = readDataFolder(dataDir, io)
  const manifest = await readServedManifest(folder, io)
  const databaseUrl = dataDir === undefined ? readDatabase(io) : null
  const isKept = databaseUrl !== null || existsSync(folder.acknowledgements)
  const today = dayOf(io.clock())
  const overdue = isKept
    ? await withStores({ databaseUrl, folder }, io, async ({ acknowledgements, readership, audit }) => {
        const pages = await overduePages(manifest, acknowledgements, today)
        const paths = pages.map(({ path }) => path)
        const { weeks } = await readReadership(readership, paths, today)
        const answers = await countAnswers(audit, io.clock() - USES_MS)
        const usesOf = (path: string) =>
          (weeks.get(path) ?? []).reduce((sum, { readers }) => sum + readers, answers.get(path) ?? 0)
        return pages.map((page) => ({ ...page, uses: usesOf(page.path) })).sort((a, b) => b.uses - a.uses)
      })
    : await overduePages(manifest, { reviews: async () => [] }, today)
  const translations = laggingTranslations(manifest)
  const ok = overdue.length === 0 && translations.length === 0
  if (json) io.print(JSON.stringify({ ok, release: manifest.id, overdue, translations }))
  else if (ok) io.print(sayTo(io, messageOf('all_fresh')))
  printByOwner(json ? [] : overdue, io)
  printByLanguage(json ? [] : translations, io)
  return ok ? 0 : 1
}

/** Overdue pages that are not obsolete, longest overdue first; of a page's editions the one longest overdue. */
async function overduePages(
  { editions }: Manifest,
  store: Pick<AcknowledgementStore, 'reviews'>,
  today: string,
): Promise<readonly OverduePage[]> {
  const inEdition = editions.map(async (edition) => {
    const { files } = edition
    const reviewed = await readReviewDays(store, edition, [...files.keys()])
    return [...files].flatMap(([path, served]): readonly OverduePage[] => {
      const file = withReview(served, reviewed.get(path))
      const status = pageStatusOf(file, today)
      const due = file.page === undefined ? null : reviewDue(file.page)
      if (due === null || status?.review_overdue !== true || status.obsolete === true) return []
      const days = (Date.parse(today) - Date.parse(due)) / DAY_MS
      return [{ path, title: file.title ?? path, owner: status.owner ?? null, due, days, uses: 0 }]
    })
  })
  const found = (await Promise.all(inEdition)).flat()
  found.sort((a, b) => b.days - a.days || (a.path < b.path ? -1 : 1))
  return [...Map.groupBy(found, ({ path }) => path).values()].flatMap(([longest]) => longest ?? [])
}

/** Translations in any edition, furthest behind first. */
function laggingTranslations({ editions }: Manifest): readonly LaggingTranslation[] {
  const found = editions.flatMap(({ files }) =>
    [...files].flatMap(([path, { title = path, page }]): readonly [string, LaggingTranslation][] => {
      const { behind = 0, lang = '', status } = page ?? {}
      return behind === 0 || status === 'obsolete' ? [] : [[path, { path, title, lang, behind }]]
    }),
  )
  const inOrder = [...new Map(found).values()]
  return inOrder.sort((a, b) => b.behind - a.behind || (a.path < b.path ? -1 : 1))
}

function printByLanguage(translations: readonly LaggingTranslation[], io: CommandIo): void {
  for (const [lang, pages] of Map.groupBy(translations, (page) => page.lang)) {
    io.print(plain(sayTo(io, messageOf('behind_in', lang, pages.length))))
    for (const { path, title, behind } of pages)
      io.print(`  ${plain(sayTo(io, messageOf('behind_page', path, title, behind)))}`)
  }
}

function printByOwner(overdue: readonly OverduePage[], io: CommandIo): void {
  for (const [owner, pages] of Map.groupBy(overdue, (page) => page.owner)) {
    const head =
      owner === null
        ? messageOf('overdue_of_none', pages.length)
        : messageOf('overdue_of', owner, pages.length)
    io.print(plain(sayTo(io, head)))
    for (const { path, title, due, days } of pages)
      io.print(`  ${plain(sayTo(io, messageOf('overdue_page', path, title, due, days)))}`)
  }
}
