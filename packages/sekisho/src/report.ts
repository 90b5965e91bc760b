import { existsSync } from 'node:fs'
import { plainJson } from '@sekisho/state/lines'
import { createFeedbackFiles, type PageReport, readFeedbackReport } from '@sekisho/state/opinions'
import { type CommandIo, dataDirHelp, type RunCommand, readDataFolder, readOptions } from './command.ts'
import { choose } from './language.ts'
import { findReportProblem, REPORT_OPTIONS } from './report-options.ts'

const HELP = {
  ja: `使い方: sekisho report [--days N] [--limit N] [--json]

「このページは役に立ちましたか」への答えを、役に立たなかった数の多いページから並べます。名前と時刻は残していません
（SEKISHO_FEEDBACK_DAYS）。

  --days N        今日を含めて何日前まで（既定: 30）
  --limit N       並べるページの数（既定: 20）
  --json          すべてを JSON で
${dataDirHelp(16, 'ja')}
  --help          この説明を表示する`,
  en: `Usage: sekisho report [--days N] [--limit N] [--json]

Says what readers think of pages, those that helped least first. The gate keeps neither names nor times (see
SEKISHO_FEEDBACK_DAYS).

  --days N        how many days back, today included (default 30)
  --limit N       how many pages (default 20)
  --json          everything, for machines
${dataDirHelp(16, 'en')}
  --help          show this text`,
}

/** Runs `sekisho report` on the feedback of a gate that may be running. */
export const runReport: RunCommand = async (args, io) => {
  const help = choose(io, HELP)
  const read = readOptions(args, io, { help, options: REPORT_OPTIONS })
  if (!read.ok) return read.exitCode
  const { days, limit, json, 'data-dir': dataDir } = read.values
  const problem = findReportProblem(read.values, io)
  if (problem !== null) {
    io.complain(`sekisho report: ${problem}\n\n${help}`)
    return 2
  }
  const { feedback, root } = readDataFolder(dataDir, io)
  if (!existsSync(feedback)) {
    const problem = {
      ja: `${root} にはまだ答えがありません（または SEKISHO_FEEDBACK_DAYS が 0 です）。別のフォルダーは --data-dir で指定します`,
      en: `nobody answered yet in ${root}, or SEKISHO_FEEDBACK_DAYS is 0; name another folder with --data-dir`,
    }
    io.complain(`sekisho report: ${choose(io, problem)}`)
    return 1
  }
  const pages = await readFeedbackReport(createFeedbackFiles(feedback), Number(days), io.clock())
  if (json === true) io.print(plainJson({ days: Number(days), pages }, 2))
  else printPages(pages, Number(limit), Number(days), io)
  return 0
}

function printPages(pages: readonly PageReport[], limit: number, days: number, io: CommandIo): void {
  const answers = pages.reduce((sum, { helpful, unhelpful }) => sum + helpful + unhelpful, 0)
  const summary = {
    ja: `${days} 日間に ${pages.length} ページへ ${answers} 件の答え`,
    en: `${answers} answers on ${pages.length} pages in ${days} days`,
  }
  io.print(choose(io, summary))
  for (const { page, helpful, unhelpful, comments } of pages.slice(0, limit)) {
    const counts = {
      ja: `役に立たなかった ${unhelpful}、役に立った ${helpful}`,
      en: `${unhelpful} not helped, ${helpful} helped`,
    }
    io.print(`\n${plain(page)}  ${choose(io, counts)}`)
    for (const { release, helpful: isHelpful, comment = '' } of comments)
      io.print(`  ${isHelpful ? '+' : '-'} ${plain(release)}  ${plain(comment)}`)
  }
  const left = pages.length - limit
  if (left > 0) io.print(`\n${choose(io, { ja: `ほか ${left} ページ`, en: `and ${left} more pages` })}`)
}

/** A comment is whatever somebody sent: nothing in it may move the cursor or reorder the line. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '�')
}
