import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  type AuditVerdict,
  type DataFolder,
  exportFolderTrail,
  exportPlaces,
  fingerprintOf,
  openAuditKey,
  readPublicKey,
  verifyExport,
  verifyFolderTrail,
} from '@sekisho/gate'
import {
  type CommandIo,
  DATA_DIR,
  dataDirHelp,
  type RunCommand,
  readDataFolder,
  readOptions,
  recordAct,
} from './command.ts'

const HELP = `Usage: sekisho audit verify [EXPORT] [--expect-head HASH] [--expect-first [CHAIN:]NUMBER]
       sekisho audit export --from TIME --to TIME --out DIR
       sekisho audit key

verify  follows every chain of the audit trail from its first line to its last, also beside a running gate: names altered and
        missing lines and files, and holds both ends against the signed heads. With EXPORT, a folder that export made
export  copies the lines of a time into a folder that can be verified elsewhere
key     prints the public key that heads and exports are signed for

Whoever can write to the whole data folder can put an older copy of it in place: note a head somewhere else from time to time
(the gate's log does, every hour) and pass it.

  --expect-head HASH  a head printed by an earlier run, which must still be part of the trail; as often as you like
  --expect-first N    the first line that an earlier run printed must still be there (CHAIN:N for another chain than the gate's)
  --public-key FILE   the key that an export must be signed with (default: the one that lies in it, whose fingerprint is printed)
  --from, --to TIME   ISO 8601, as 2026-11-01 or 2026-11-01T09:00:00+09:00; --to is not part of the time
  --out DIR           a folder that is not there yet
${dataDirHelp(20)}
  --help              show this text`

const OPTIONS = {
  'expect-head': { type: 'string', multiple: true },
  'expect-first': { type: 'string', multiple: true },
  'public-key': { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  out: { type: 'string' },
  ...DATA_DIR,
} as const

/** Runs `sekisho audit …`: `verify` ends with 0 only for a trail nobody altered. */
export const runAudit: RunCommand = async (args, io) => {
  const read = readOptions(args, io, { help: HELP, options: OPTIONS, maxPositionals: 2 })
  if (!read.ok) return read.exitCode
  const { values, positionals } = read
  const [action, subject] = positionals
  const folder = readDataFolder(values['data-dir'], io)
  if (action === 'verify') {
    const firsts = readFirsts(values['expect-first'] ?? [])
    if (firsts === null) return misuse(io, '--expect-first takes a number, or CHAIN:NUMBER')
    const expected = { heads: values['expect-head'] ?? [], firsts }
    if (subject !== undefined) {
      const key = values['public-key']
      return verifyFolder(resolve(io.cwd, subject), key && resolve(io.cwd, key), expected, io)
    }
    if (!existsSync(folder.audit.lines) && !existsSync(folder.auditKey))
      return complain(io, `there is no audit trail at ${folder.audit.lines}; name the folder with --data-dir`)
    return print(await verifyFolderTrail(folder, expected), io)
  }
  if (subject !== undefined) return misuse(io, `Unexpected argument '${subject}'`)
  if (action === 'key') return printKey(folder, io)
  if (action !== 'export') return misuse(io, '')
  const fromMs = Date.parse(values.from ?? '')
  const toMs = Date.parse(values.to ?? '')
  if (!(fromMs < toMs) || values.out === undefined)
    return misuse(io, 'export needs --from, a later --to, and --out')
  return exportTrail(folder, { fromMs, toMs, out: resolve(io.cwd, values.out) }, io)
}

interface Expected {
  readonly heads: readonly string[]
  readonly firsts: ReadonlyMap<string, number>
}

function readFirsts(values: readonly string[]): ReadonlyMap<string, number> | null {
  const firsts = new Map<string, number>()
  for (const value of values) {
    const [, chain = 'gate', seq = ''] = /^(?:([a-z0-9-]+):)?([1-9]\d{0,14})$/.exec(value) ?? []
    if (seq === '') return null
    firsts.set(chain, Number(seq))
  }
  return firsts
}

async function verifyFolder(
  exported: string,
  publicKeyFile: string | undefined,
  expected: Expected,
  io: CommandIo,
): Promise<number> {
  const own = exportPlaces(exported).publicKey
  if (!existsSync(own)) return complain(io, `${exported} is no export: it holds no audit-public-key.pem`)
  const key = readPublicKey(publicKeyFile ?? own)
  if (publicKeyFile === undefined)
    io.print(`  signed for the key ${fingerprintOf(key)}, which came with it: compare with sekisho audit key`)
  return print(await verifyExport(exported, key, expected), io)
}

function print({ ok, problems, chains }: AuditVerdict, io: CommandIo): number {
  for (const { place, lineNumber, problem } of problems)
    io.complain(`✖ ${place}${lineNumber === 0 ? '' : `, line ${lineNumber}`}: ${problem}`)
  for (const { chain, lines, firstSeq, head, signedAt, unsignedThrough, isUnfinished } of chains) {
    const state = ok ? 'unaltered, ' : ''
    io.print(`${ok ? '✔' : ' '} ${chain}: ${lines} lines, ${state}beginning at number ${firstSeq}`)
    io.print(`  head ${head.hash}${signedAt === null ? ', never signed' : `, last signed at ${signedAt}`}`)
    if (unsignedThrough > 0)
      io.print(`  lines up to ${unsignedThrough} are older than the signed head: right only after an upgrade`)
    if (isUnfinished) io.print('  its last line is being written, or was cut short by a crash')
  }
  return ok ? 0 : 1
}

function printKey(folder: DataFolder, io: CommandIo): number {
  if (!existsSync(folder.auditKey))
    return complain(io, `there is no key in ${folder.root} before the gate was first started`)
  const { publicKey } = openAuditKey(folder.auditKey)
  io.print(`${publicKey.export({ type: 'spki', format: 'pem' })}`.trimEnd())
  io.print(`fingerprint ${fingerprintOf(publicKey)}`)
  return 0
}

async function exportTrail(
  folder: DataFolder,
  { fromMs, toMs, out }: { readonly fromMs: number; readonly toMs: number; readonly out: string },
  io: CommandIo,
): Promise<number> {
  if (!existsSync(folder.auditKey)) return complain(io, `there is no audit trail in ${folder.root}`)
  if (existsSync(out)) return complain(io, `${out} is there already; name a new folder with --out`)
  const times = { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() }
  await recordAct(folder, io, 'audit_exported', times)
  const chains = await exportFolderTrail(folder, { fromMs, toMs, out, now: io.clock })
  for (const { chain, firstSeq, head } of chains) io.print(`${chain}: lines ${firstSeq} to ${head.seq}`)
  io.print(`Written to ${out}. To verify it: sekisho audit verify ${out}`)
  return 0
}

function complain(io: CommandIo, sentence: string): number {
  io.complain(`sekisho audit: ${sentence}`)
  return 1
}

function misuse(io: CommandIo, sentence: string): number {
  io.complain(sentence === '' ? HELP : `sekisho audit: ${sentence}\n\n${HELP}`)
  return 2
}
