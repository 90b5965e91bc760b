import { existsSync } from 'node:fs'
import { type QueryCount, readSearchReport, type SearchReport } from '@sekisho/gate'
import type { CommandIo } from './command.ts'
import { DATA_DIR, dataDirHelp, type RunCommand, readDataFolder, readOptions } from './command.ts'

const HELP = `Usage: sekisho search-report [--days N] [--limit N] [--json]

Says what readers looked for: queries by count, those that found nothing, and those whose first result nobody
opened, and candidates for the site's synonyms: what found nothing before its reader opened something else. The gate keeps searches without names or times (see SEKISHO_SEARCH_LOG_DAYS).

  --days N        how many days back, today included (default 30)
  --limit N       how many queries in each list (default 20)
  --json          everything, for machines
${dataDirHelp(16)}
  --help          show this text`

const OPTIONS = {
  days: { type: 'string', default: '30' },
  limit: { type: 'string', default: '20' },
  json: { type: 'boolean' },
  ...DATA_DIR,
} as const

/** Runs `sekisho search-report` on the log of a gate that may be running. */
export const runSearchReport: RunCommand = async (args, io) => {
  const read = readOptions(args, io, { help: HELP, options: OPTIONS })
  if (!read.ok) return read.exitCode
  const { values } = read
  if (!/^[1-9]\d{0,3}$/.test(values.days) || !/^[1-9]\d{0,5}$/.test(values.limit)) {
    io.complain(`sekisho search-report: --days and --limit are whole numbers from 1\n\n${HELP}`)
    return 2
  }
  const folder = readDataFolder(values['data-dir'], io)
  if (!existsSync(folder.searchLog)) {
    io.complain(
      `sekisho search-report: nothing was searched yet in ${folder.root}, or SEKISHO_SEARCH_LOG_DAYS is 0; name another folder with --data-dir`,
    )
    return 1
  }
  const report = readSearchReport(folder.searchLog, Number(values.days), io.clock())
  if (values.json === true) io.print(JSON.stringify(report, null, 2))
  else printReport(report, Number(values.limit), io)
  return 0
}

function printReport(report: SearchReport, limit: number, io: CommandIo): void {
  const { queries } = report
  io.print(`${report.searches} searches and ${report.opened} opened results in ${report.days} days`)
  const lists: readonly (readonly [
    title: string,
    queries: readonly QueryCount[],
    count: (query: QueryCount) => number,
  ])[] = [
    ['Most searched', queries.filter((query) => query.searches > 0), (query) => query.searches],
    ['Without a hit', byCount(queries, (query) => query.withoutHit), (query) => query.withoutHit],
    ['First result not opened', byCount(queries, passedOver), passedOver],
  ]
  for (const [title, found, count] of lists) {
    io.print(`\n${title}`)
    if (found.length === 0) io.print('      -')
    for (const query of found.slice(0, limit))
      io.print(`${String(count(query)).padStart(7)}  ${plain(query.q)}`)
    if (found.length > limit) io.print(`         and ${found.length - limit} more`)
  }
  printCandidates(report, limit, io)
}

/** As the groups that the site's config has under `synonyms`, to be copied there by whoever knows whether they are right. */
function printCandidates({ candidates }: SearchReport, limit: number, io: CommandIo): void {
  io.print('\nCandidates for synonyms: without a hit, then searched for and opened')
  if (candidates.length === 0) io.print('      -')
  for (const { q, then, page, times } of candidates.slice(0, limit))
    io.print(`${String(times).padStart(7)}  ${plain(JSON.stringify([q, then]))}  ${plain(page)}`)
}

/** Searches that found something and whose first result nobody opened. */
function passedOver({ searches, withoutHit, openedFirst }: QueryCount): number {
  return Math.max(0, searches - withoutHit - openedFirst)
}

function byCount(queries: readonly QueryCount[], count: (query: QueryCount) => number): QueryCount[] {
  return queries.filter((query) => count(query) > 0).sort((a, b) => count(b) - count(a))
}

/** A query is whatever somebody sent: nothing in it may move the cursor or reorder the line. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '�')
}
