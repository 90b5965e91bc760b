import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createMessages } from '@sekisho/contract/language'
import type { Manifest, StoredFile } from '@sekisho/release'
import { openIndex, type SearchEngine } from '@sekisho/search/query'
import type { DataFolder } from '@sekisho/server/data-folder'
import { createFeedbackFiles, type PageReport, readFeedbackReport } from '@sekisho/server/feedback'
import { plainJson } from '@sekisho/server/lines'
import { readReadership } from '@sekisho/server/readership'
import { gapsOf, type SearchGap } from '@sekisho/server/search-gaps'
import { readSearchReport } from '@sekisho/server/search-log'
import {
  type CommandIo,
  complainOf,
  dataDirHelp,
  defineCommand,
  misuse,
  readDataFolder,
} from '../../command.ts'
import { dayOf, plain, sayTo } from '../../language.ts'
import { readDatabase, withStores } from '../../open-state.ts'
import { openPublishingStore, readServedManifest } from '../../release-store.ts'
import { TEXTS } from '../../texts/index.ts'
import { findReportProblem, REPORT_OPTIONS } from './report-options.ts'

const messageOf = createMessages(TEXTS, 'reports')

const HELP = messageOf('report_help', dataDirHelp(16))

/** Runs `sekisho report` on the feedback of a gate that may be running. */
export const runReport = defineCommand(
  { name: 'report', help: HELP, options: REPORT_OPTIONS },
  async (read, io) => {
    const { days, limit, json, 'data-dir': dataDir } = read.values
    const problem = findReportProblem(read.values)
    if (problem !== null) return misuse(io, HELP, problem)
    const { feedback, root } = readDataFolder(dataDir, io)
    const use = await readUse(dataDir, Number(days), io)
    if (!existsSync(feedback) && use === null)
      return complainOf('report', messageOf('nothing_reported', root), io)
    const pages = await readFeedbackReport(createFeedbackFiles(feedback), Number(days), io.clock())
    if (json === true) io.print(plainJson({ days: Number(days), pages, ...use }, 2))
    else {
      printPages(pages, Number(limit), Number(days), io)
      if (use?.readers !== undefined) printReaders(use.readers, Number(limit), io)
      if (use !== null) printGaps(use.gaps, Number(limit), io)
    }
    return 0
  },
)

/** Use of the served release, by the records of its gates. */
interface UseReport {
  /** Absent where no gate counted readers. */
  readonly readers?: ReadersReport
  readonly gaps: readonly (SearchGap & { readonly owner: string | null })[]
}

/** Pages of the served release with their readers, grouped by owner. */
interface ReadersReport {
  readonly pages: readonly {
    readonly path: string
    readonly owner: string | null
    /** Readers by week, 0 for fewer than five. */
    readonly weeks: Readonly<Record<string, number>>
  }[]
  /** Pages that were not opened for 180 days; null while the record is younger. */
  readonly unread: readonly { readonly path: string; readonly owner: string | null }[] | null
}

/** Reads what gates recorded; null where none did. */
async function readUse(dataDir: string | undefined, days: number, io: CommandIo): Promise<UseReport | null> {
  const folder = readDataFolder(dataDir, io)
  const databaseUrl = dataDir === undefined ? readDatabase(io) : null
  if (databaseUrl === null && !existsSync(folder.sessions)) return null
  const manifest = await readServedManifest(folder, io)
  const owners = new Map<string, string | null>()
  for (const { files } of manifest.editions)
    for (const [path, { title, page }] of files)
      if (title !== undefined) owners.set(path, page?.owner ?? owners.get(path) ?? null)
  const of = (path: string) => ({ path, owner: owners.get(path) ?? null })
  return withStores({ databaseUrl, folder }, io, async ({ readership, searchLog }) => {
    const report = await readSearchReport(searchLog, days, io.clock())
    using search = openSearch(manifest, folder, io)
    const gaps = (await gapsOf(report, search.find)).map((gap) => ({
      ...gap,
      owner: of(gap.page ?? '').owner,
    }))
    // Opening the records of readers would make them.
    if (databaseUrl === null && !existsSync(folder.acknowledgements)) return { gaps }
    const { weeks, unread } = await readReadership(readership, [...owners.keys()], dayOf(io.clock()))
    const pages = [...weeks].map(([path, counted]) => ({
      ...of(path),
      weeks: Object.fromEntries(counted.map(({ week, readers }) => [week, readers])),
    }))
    const sumOf = (page: (typeof pages)[number]) =>
      Object.values(page.weeks).reduce((sum, count) => sum + count, 0)
    const readers = {
      pages: pages.toSorted((a, b) => sumOf(b) - sumOf(a)),
      unread: unread?.map(of) ?? null,
    }
    return { readers, gaps }
  })
}

/** Opens the search of all editions over the files that a gate here serves; without such files it finds nothing. */
function openSearch({ id, editions }: Manifest, folder: DataFolder, io: CommandIo) {
  const { isElsewhere } = openPublishingStore(folder, io)
  const releasesDir = isElsewhere ? folder.fetchedReleases : folder.releases
  const fileOf = ({ name, sha256 }: StoredFile) => ({ file: join(releasesDir, id, name), sha256 })
  const opened = new Map<string, SearchEngine>()
  for (const { search, localeSearches } of editions)
    for (const index of [...(search === null ? [] : [search]), ...(localeSearches?.values() ?? [])]) {
      const { file, sha256 } = fileOf(index)
      if (!opened.has(sha256) && existsSync(file))
        opened.set(sha256, openIndex(file, { sha256, parts: index.parts?.map(fileOf) ?? [] }))
    }
  return {
    async find(q: string): Promise<readonly string[]> {
      for (const engine of opened.values()) {
        const { results } = engine.search({ q, limit: 1 })
        if (results.length > 0) return results.map(({ id }) => id)
      }
      return []
    },
    [Symbol.dispose]() {
      for (const engine of opened.values()) engine.close()
    },
  }
}

function printReaders({ pages, unread }: ReadersReport, limit: number, io: CommandIo): void {
  io.print(`\n${sayTo(io, messageOf('readers_title'))}`)
  if (pages.length === 0) io.print('      -')
  for (const { path, weeks } of pages.slice(0, limit)) {
    const counted = Object.entries(weeks).map(([week, count]) => `${week} ${count === 0 ? '<5' : count}`)
    io.print(`  ${plain(path)}  ${counted.slice(-4).join(', ')}`)
  }
  if (unread === null) {
    io.print(`\n${sayTo(io, messageOf('unread_later'))}`)
    return
  }
  io.print(`\n${sayTo(io, messageOf('unread_title', unread.length))}`)
  printByOwner(unread.slice(0, limit), ({ path }) => path, io)
}

function printGaps(gaps: UseReport['gaps'], limit: number, io: CommandIo): void {
  io.print(`\n${sayTo(io, messageOf('gaps_title', gaps.length))}`)
  printByOwner(
    gaps.slice(0, limit),
    ({ q, times, page }) => `${String(times).padStart(5)}  ${q}${page === null ? '' : `  ${page}`}`,
    io,
  )
}

function printByOwner<Item extends { readonly owner: string | null }>(
  items: readonly Item[],
  lineOf: (item: Item) => string,
  io: CommandIo,
): void {
  for (const [owner, own] of Map.groupBy(items, (item) => item.owner)) {
    io.print(`  ${owner === null ? '-' : plain(owner)}`)
    for (const item of own) io.print(`    ${plain(lineOf(item))}`)
  }
}

function printPages(pages: readonly PageReport[], limit: number, days: number, io: CommandIo): void {
  const answers = pages.reduce((sum, { helpful, unhelpful }) => sum + helpful + unhelpful, 0)
  const summary = messageOf('report_summary', answers, pages.length, days)
  io.print(sayTo(io, summary))
  for (const { page, helpful, unhelpful, comments } of pages.slice(0, limit)) {
    const counts = messageOf('counts', unhelpful, helpful)
    io.print(`\n${plain(page)}  ${sayTo(io, counts)}`)
    for (const { release, helpful: isHelpful, comment = '', by } of comments) {
      const said = by === 'agent' ? sayTo(io, messageOf('comment_of_agent', plain(comment))) : plain(comment)
      io.print(`  ${by === 'agent' ? '*' : isHelpful ? '+' : '-'} ${plain(release)}  ${said}`)
    }
  }
  const left = pages.length - limit
  if (left > 0) io.print(`\n${sayTo(io, messageOf('more_pages', left))}`)
}
