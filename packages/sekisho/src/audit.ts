import { existsSync } from 'node:fs'
import { verifyAudit } from '@sekisho/gate'
import { DATA_DIR, dataDirHelp, type RunCommand, readDataFolder, readOptions } from './command.ts'

const HELP = `Usage: sekisho audit verify [--expect-head HASH]

Follows the hash chain of the audit trail from its first line to its last and names the first altered line.
Lines cut from the end leave a chain that is whole: note the head somewhere else from time to time and pass it.

  --expect-head HASH  a head printed by an earlier run, which must still be part of the trail
${dataDirHelp(20)}
  --help              show this text`

const OPTIONS = { 'expect-head': { type: 'string' }, ...DATA_DIR } as const

/** Runs `sekisho audit verify`: exit code 0 only for a trail nobody altered. */
export const runAudit: RunCommand = async (args, io) => {
  const read = readOptions(args, io, { help: HELP, options: OPTIONS, maxPositionals: 1 })
  if (!read.ok) return read.exitCode
  if (read.positionals[0] !== 'verify') {
    io.complain(HELP)
    return 2
  }
  const { audit } = readDataFolder(read.values['data-dir'], io)
  if (!existsSync(audit)) {
    io.complain(`sekisho audit: there is no audit trail at ${audit}; name the folder with --data-dir`)
    return 1
  }
  const verdict = verifyAudit(audit, read.values['expect-head'])
  if (!verdict.ok) {
    io.complain(`✖ ${verdict.file}, line ${verdict.lineNumber}: ${verdict.problem}`)
    return 1
  }
  io.print(`✔ ${verdict.lines} lines, unaltered, beginning at number ${verdict.firstSeq}`)
  io.print(`  head ${verdict.head.hash}`)
  return 0
}
