import { existsSync } from 'node:fs'
import { createMessages } from '@sekisho/contract/language'
import { createFeedbackFiles, type PageReport, readFeedbackReport } from '@sekisho/server/feedback'
import { plainJson } from '@sekisho/server/lines'
import { readReadership } from '@sekisho/server/readership'
import {
  type CommandIo,
  complainOf,
  dataDirHelp,
  defineCommand,
  misuse,
  readDataFolder,
} from '../../command.ts'
import { dayOf, sayTo } from '../../language.ts'
import { explainState, readDatabase, withStores } from '../../open-state.ts'
import { readServedManifest } from '../../release-store.ts'
import { TEXTS } from '../../texts/index.ts'
import { findReportProblem, REPORT_OPTIONS } from './report-options.ts'

const messageOf = createMessages(TEXTS, 'reports')

const HELP = messageOf('report_help', dataDirHelp(16))

/** Runs `sekisho report` on the feedback of a gate that may be running. */
export const runReport = defineCommand({ help: HELP, options: REPORT_OPTIONS }, async (read, io) => {
  const { days, limit, json, 'data-dir': dataDir } = read.values
  const problem = findReportProblem(read.values)
  if (problem !== null) return misuse(io, HELP, problem)
  return explainState('report', io, async () => {
    const { feedback, root } = readDataFolder(dataDir, io)
    const readers = await readReaders(dataDir, io)
    if (!existsSync(feedback) && readers === null)
      return complainOf('report', messageOf('nothing_reported', root), io)
    const pages = await readFeedbackReport(createFeedbackFiles(feedback), Number(days), io.clock())
    if (json === true)
      io.print(plainJson({ days: Number(days), pages, ...(readers !== null && { readers }) }, 2))
    else {
      printPages(pages, Number(limit), Number(days), io)
      if (readers !== null) printReaders(readers, Number(limit), io)
    }
    return 0
  })
})

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

/** Reads the counts of readers; null where none were made. */
async function readReaders(dataDir: string | undefined, io: CommandIo): Promise<ReadersReport | null> {
  const folder = readDataFolder(dataDir, io)
  const databaseUrl = dataDir === undefined ? readDatabase(io) : null
  if (databaseUrl === null && (!existsSync(folder.sessions) || !existsSync(folder.acknowledgements)))
    return null
  const { editions } = await readServedManifest(folder, io)
  const owners = new Map<string, string | null>()
  for (const { files } of editions)
    for (const [path, { title, page }] of files)
      if (title !== undefined) owners.set(path, page?.owner ?? owners.get(path) ?? null)
  const { weeks, unread } = await withStores({ databaseUrl, folder }, io, ({ readership }) =>
    readReadership(readership, [...owners.keys()], dayOf(io.clock())),
  )
  const of = (path: string) => ({ path, owner: owners.get(path) ?? null })
  const pages = [...weeks].map(([path, counted]) => ({
    ...of(path),
    weeks: Object.fromEntries(counted.map(({ week, readers }) => [week, readers])),
  }))
  const sumOf = (page: (typeof pages)[number]) =>
    Object.values(page.weeks).reduce((sum, count) => sum + count, 0)
  return { pages: pages.toSorted((a, b) => sumOf(b) - sumOf(a)), unread: unread?.map(of) ?? null }
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
  for (const [owner, own] of Map.groupBy(unread.slice(0, limit), (page) => page.owner)) {
    io.print(`  ${owner === null ? '-' : plain(owner)}`)
    for (const { path } of own) io.print(`    ${plain(path)}`)
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

/** Neutralises a comment, which is untrusted: nothing in it may move the cursor or reorder the line. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '�')
}
