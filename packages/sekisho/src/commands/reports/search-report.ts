import { existsSync } from 'node:fs'
import { createMessages, type Message } from '@sekisho/contract/language'
import { plainJson } from '@sekisho/server/lines'
import {
  createFileSearchLog,
  type QueryCount,
  readSearchReport,
  type SearchLogStore,
  type SearchReport,
} from '@sekisho/server/search-log'
import {
  type CommandIo,
  complainOf,
  dataDirHelp,
  defineCommand,
  misuse,
  readDataFolder,
} from '../../command.ts'
import { plain, sayTo } from '../../language.ts'
import { readDatabase, withStores } from '../../open-state.ts'
import { TEXTS } from '../../texts/index.ts'
import { findReportProblem, REPORT_OPTIONS } from './report-options.ts'

const messageOf = createMessages(TEXTS, 'reports')

const HELP: Message = messageOf('search_report_help', dataDirHelp(16))

/** Runs `sekisho search-report` on the log of a gate that may be running. */
export const runSearchReport = defineCommand(
  { name: 'search-report', help: HELP, options: REPORT_OPTIONS },
  async (read, io) => {
    const { values } = read
    const problem = findReportProblem(values)
    if (problem !== null) return misuse(io, HELP, problem)
    const folder = readDataFolder(values['data-dir'], io)
    const print = async (log: SearchLogStore) => {
      const report = await readSearchReport(log, Number(values.days), io.clock())
      if (values.json === true) io.print(plainJson(report, 2))
      else printReport(report, Number(values.limit), io)
    }
    const databaseUrl = values['data-dir'] === undefined ? readDatabase(io) : null
    if (databaseUrl !== null) {
      await withStores({ databaseUrl, folder }, io, ({ searchLog }) => print(searchLog))
      return 0
    }
    if (!existsSync(folder.searchLog))
      return complainOf('search-report', messageOf('nothing_searched', folder.root), io)
    await print(createFileSearchLog(folder.searchLog))
    return 0
  },
)

function printReport(report: SearchReport, limit: number, io: CommandIo): void {
  const { queries } = report
  io.print(sayTo(io, messageOf('searches_opened_results', report.searches, report.opened, report.days)))
  const lists: readonly (readonly [
    title: string,
    queries: readonly QueryCount[],
    count: (query: QueryCount) => number,
  ])[] = [
    [
      sayTo(io, messageOf('most_searched')),
      queries.filter((query) => query.searches > 0),
      (query) => query.searches,
    ],
    [
      sayTo(io, messageOf('without_hit')),
      byCount(queries, (query) => query.withoutHit),
      (query) => query.withoutHit,
    ],
    [sayTo(io, messageOf('first_result_unopened')), byCount(queries, passedOver), passedOver],
  ]
  for (const [title, found, count] of [...lists, ...listsOfAgents(report, io)]) {
    io.print(`\n${title}`)
    if (found.length === 0) io.print('      -')
    for (const query of found.slice(0, limit))
      io.print(`${String(count(query)).padStart(7)}  ${plain(query.q)}`)
    if (found.length > limit) io.print(sayTo(io, messageOf('more', found.length, limit)))
  }
  printCandidates(report, limit, io)
}

/** Separate lists of agents, which search in other words and open nothing. */
function listsOfAgents({ agents }: SearchReport, io: CommandIo) {
  const queries = agents.map((query) => ({ ...query, opened: 0, openedFirst: 0 }))
  if (queries.length === 0) return []
  return [
    [sayTo(io, messageOf('searched_by_agents')), queries, (query: QueryCount) => query.searches],
    [
      sayTo(io, messageOf('without_hit_for_agents')),
      byCount(queries, (query) => query.withoutHit),
      (query: QueryCount) => query.withoutHit,
    ],
  ] as const
}

/** Prints candidates, each with its accepting command, to be run in the site's checkout after review. */
function printCandidates({ candidates }: SearchReport, limit: number, io: CommandIo): void {
  const title = sayTo(io, messageOf('candidates_for_synonyms'))
  io.print(`\n${title}`)
  if (candidates.length === 0) io.print('      -')
  for (const { q, then, page, times } of candidates.slice(0, limit))
    io.print(
      `${String(times).padStart(7)}  sekisho synonyms ${plain([q, then].map(quote).join(' '))}  # ${plain(page)}`,
    )
}

/** One argument of a shell, whatever is in it. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Searches with results whose first one was not opened. */
function passedOver({ searches, withoutHit, openedFirst }: QueryCount): number {
  return Math.max(0, searches - withoutHit - openedFirst)
}

function byCount(queries: readonly QueryCount[], count: (query: QueryCount) => number): QueryCount[] {
  return queries.filter((query) => count(query) > 0).sort((a, b) => count(b) - count(a))
}
