import { createMessages } from '@sekisho/contract/language'
import { complainOf, misuse, type RunCommand, readOptions } from '../command.ts'
import { PROBLEMS } from '../error-codes.ts'
import { sayTo } from '../language.ts'
import { TEXTS } from '../texts/index.ts'

const messageOf = createMessages(TEXTS, 'command')

/** Runs `sekisho explain`. */
export const runExplain: RunCommand = async (args, io) => {
  const help = sayTo(io, messageOf('explain_help'))
  const read = readOptions(args, io, { help, options: {}, maxPositionals: args.length })
  if (!read.ok) return read.exitCode
  if (read.positionals.length === 0) return misuse(io, help)
  let exitCode = 0
  for (const code of read.positionals) {
    const meant = PROBLEMS.filter(({ area, code: short }) => [short, `${area}.${short}`].includes(code))
    for (const problem of meant) io.print(`${problem.publicCodes.join(' ')}: ${sayTo(io, problem)}`)
    if (meant.length > 0) continue
    exitCode = complainOf('explain', messageOf('explain_unknown', code), io)
  }
  return exitCode
}
