import { existsSync } from 'node:fs'
import { plainJson } from '@sekisho/state/lines'
import {
  createFileSearchLog,
  type QueryCount,
  readSearchReport,
  type SearchLogStore,
  type SearchReport,
} from '@sekisho/state/search-log'
import { type CommandIo, dataDirHelp, type RunCommand, readDataFolder, readOptions } from './command.ts'
import { choose, plain, type Text } from './language.ts'
import { explainState, readDatabase, withStores } from './open-state.ts'
import { findReportProblem, REPORT_OPTIONS } from './report-options.ts'

const HELP: Text = {
  ja: `使い方: sekisho search-report [--days N] [--limit N] [--json]

読者が何を探したかを表示します。回数の多い検索、見つからなかった検索、最初の結果が開かれなかった検索、
それに同義語の候補（何も開かず、2 分以内に言い換えて開いたもの。3 人以上）です。名前と時刻は記録されません（SEKISHO_SEARCH_LOG_DAYS を参照）。

  --days N        さかのぼる日数。今日を含む（既定 30）
  --limit N       各一覧に表示する件数（既定 20）
  --json          すべてを機械向けに出力する
${dataDirHelp(16, 'ja')}
  --help          この説明を表示する`,
  en: `Usage: sekisho search-report [--days N] [--limit N] [--json]

Says what readers looked for: queries by count, those that found nothing, and those whose first result nobody
opened, and candidates for the site's synonyms: what three readers or more gave up before they opened something found otherwise. The gate keeps searches without names or times (see SEKISHO_SEARCH_LOG_DAYS).

  --days N        how many days back, today included (default 30)
  --limit N       how many queries in each list (default 20)
  --json          everything, for machines
${dataDirHelp(16, 'en')}
  --help          show this text`,
}

/** Runs `sekisho search-report` on the log of a gate that may be running. */
export const runSearchReport: RunCommand = async (args, io) => {
  const read = readOptions(args, io, { help: choose(io, HELP), options: REPORT_OPTIONS })
  if (!read.ok) return read.exitCode
  const { values } = read
  const problem = findReportProblem(values, io)
  if (problem !== null) {
    io.complain(`sekisho search-report: ${problem}\n\n${choose(io, HELP)}`)
    return 2
  }
  const folder = readDataFolder(values['data-dir'], io)
  const print = async (log: SearchLogStore) => {
    const report = await readSearchReport(log, Number(values.days), io.clock())
    if (values.json === true) io.print(plainJson(report, 2))
    else printReport(report, Number(values.limit), io)
  }
  return explainState('search-report', io, async () => {
    const databaseUrl = values['data-dir'] === undefined ? readDatabase(io) : null
    if (databaseUrl !== null) {
      await withStores({ databaseUrl, folder }, io, ({ searchLog }) => print(searchLog))
      return 0
    }
    if (!existsSync(folder.searchLog)) {
      io.complain(
        `sekisho search-report: nothing was searched yet in ${folder.root}, or SEKISHO_SEARCH_LOG_DAYS is 0; name another folder with --data-dir`,
      )
      return 1
    }
    await print(createFileSearchLog(folder.searchLog))
    return 0
  })
}

function printReport(report: SearchReport, limit: number, io: CommandIo): void {
  const { queries } = report
  io.print(
    choose(io, {
      ja: `${report.days} 日間に、検索 ${report.searches} 回、開かれた結果 ${report.opened} 件`,
      en: `${report.searches} searches and ${report.opened} opened results in ${report.days} days`,
    }),
  )
  const lists: readonly (readonly [
    title: string,
    queries: readonly QueryCount[],
    count: (query: QueryCount) => number,
  ])[] = [
    [
      choose(io, { ja: 'よく検索されたもの', en: 'Most searched' }),
      queries.filter((query) => query.searches > 0),
      (query) => query.searches,
    ],
    [
      choose(io, { ja: '見つからなかったもの', en: 'Without a hit' }),
      byCount(queries, (query) => query.withoutHit),
      (query) => query.withoutHit,
    ],
    [
      choose(io, { ja: '最初の結果が開かれなかったもの', en: 'First result not opened' }),
      byCount(queries, passedOver),
      passedOver,
    ],
  ]
  for (const [title, found, count] of lists) {
    io.print(`\n${title}`)
    if (found.length === 0) io.print('      -')
    for (const query of found.slice(0, limit))
      io.print(`${String(count(query)).padStart(7)}  ${plain(query.q)}`)
    if (found.length > limit)
      io.print(
        choose(io, {
          ja: `         ほか ${found.length - limit} 件`,
          en: `         and ${found.length - limit} more`,
        }),
      )
  }
  printCandidates(report, limit, io)
}

/** As the groups that the site's config has under `synonyms`, to be copied there by whoever knows whether they are right. */
function printCandidates({ candidates }: SearchReport, limit: number, io: CommandIo): void {
  const title = choose(io, {
    ja: '同義語の候補（何も開かず、言い換えて開いたもの。3 人以上）',
    en: 'Candidates for synonyms: given up, then searched for otherwise and opened, by three readers or more',
  })
  io.print(`\n${title}`)
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
