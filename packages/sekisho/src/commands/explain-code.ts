import { createMessages } from '@sekisho/contract/language'
import { complainOf, defineCommand, misuse } from '../command.ts'
import { PROBLEMS } from '../error-codes.ts'
import { sayTo } from '../language.ts'
import { TEXTS } from '../texts/index.ts'

const messageOf = createMessages(TEXTS, 'command')

const ANY_CODES = { name: 'explain', help: messageOf('explain_help'), options: {}, maxPositionals: Infinity }

/** Runs `sekisho explain`. */
export const runExplain = defineCommand(ANY_CODES, async (read, io) => {
  if (read.positionals.length === 0) return misuse(io, ANY_CODES.help)
  let exitCode = 0
  for (const code of read.positionals) {
    const meant = PROBLEMS.filter(({ area, code: short }) => [short, `${area}.${short}`].includes(code))
    for (const problem of meant) io.print(`${problem.publicCodes.join(' ')}: ${sayTo(io, problem)}`)
    if (meant.length > 0) continue
    exitCode = complainOf('explain', messageOf('explain_unknown', code), io)
  }
  return exitCode
})
