import { existsSync } from 'node:fs'
import { createMessages } from '@sekisho/contract/language'
import { createFeedbackFiles, type PageReport, readFeedbackReport } from '@sekisho/server/feedback'
import { plainJson } from '@sekisho/server/lines'
import { type CommandIo, dataDirHelp, type RunCommand, readDataFolder, readOptions } from '../../command.ts'
import { sayTo } from '../../language.ts'
import { TEXTS } from '../../texts/index.ts'
import { findReportProblem, REPORT_OPTIONS } from './report-options.ts'

const messageOf = createMessages(TEXTS, 'reports')

const HELP = messageOf('report_help', dataDirHelp(16))

/** Runs `sekisho report` on the feedback of a gate that may be running. */
export const runReport: RunCommand = async (args, io) => {
  const help = sayTo(io, HELP)
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
    const problem = messageOf('problem', root)
    io.complain(`sekisho report: ${sayTo(io, problem)}`)
    return 1
  }
  const pages = await readFeedbackReport(createFeedbackFiles(feedback), Number(days), io.clock())
  if (json === true) io.print(plainJson({ days: Number(days), pages }, 2))
  else printPages(pages, Number(limit), Number(days), io)
  return 0
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
