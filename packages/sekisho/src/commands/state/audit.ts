import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createMessages, type Message } from '@sekisho/contract/language'
import {
  type AuditKey,
  type AuditVerdict,
  type ExportedChain,
  exportAudit,
  exportFolderTrail,
  exportPlaces,
  fingerprintOf,
  measureAuditFolder,
  openAuditKey,
  readAuditFolder,
  readPublicKey,
  verifyAudit,
  verifyExport,
  verifyFolderTrail,
} from '@sekisho/server/audit'
import type { DataFolder } from '@sekisho/server/data-folder'
import {
  type CommandIo,
  complainOf,
  DATA_DIR,
  dataDirHelp,
  defineCommand,
  misuse,
  readDataFolder,
  recordAct,
} from '../../command.ts'
import { formatTime, languageOf, sayTo, sayWithCode } from '../../language.ts'
import { isDatabaseNamed, readDatabase, readSecrets, withStores } from '../../open-state.ts'
import { TEXTS } from '../../texts/index.ts'
import { type FollowOptions, runFollow } from './audit-follow.ts'
import { readKeep, runTrim } from './audit-trim.ts'

const messageOf = createMessages(TEXTS, 'reports')

const HELP: Message = messageOf('audit_help', dataDirHelp(20))

const OPTIONS = {
  'expect-head': { type: 'string', multiple: true },
  'expect-first': { type: 'string', multiple: true },
  'public-key': { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  out: { type: 'string' },
  keep: { type: 'string' },
  cursor: { type: 'string' },
  once: { type: 'boolean' },
  ...DATA_DIR,
} as const

/** Runs `sekisho audit …`: `verify` ends with 0 only for an unaltered trail. */
export const runAudit = defineCommand(
  { name: 'audit', help: HELP, options: OPTIONS, maxPositionals: 2 },
  async (read, io) => {
    const { values, positionals } = read
    const [action, subject] = positionals
    const folder = readDataFolder(values['data-dir'], io)
    const isInDatabase = subject === undefined && values['data-dir'] === undefined && isDatabaseNamed(io)
    if (isInDatabase) return await runOnDatabase(action, values, folder, io)
    if (action === 'verify') {
      const firsts = readFirsts(values['expect-first'] ?? [])
      if (firsts === null) return refuse(io, messageOf('bad_expect_first'))
      const expected = { heads: values['expect-head'] ?? [], firsts, onProgress: progressOf(io) }
      if (subject !== undefined) {
        const key = values['public-key']
        return verifyFolder(resolve(io.cwd, subject), key && resolve(io.cwd, key), expected, io)
      }
      if (!existsSync(folder.audit.lines) && !existsSync(folder.auditKey))
        return complain(io, messageOf('no_trail', folder.audit.lines))
      return print(await verifyFolderTrail(folder, expected), io)
    }
    if (subject !== undefined) return refuse(io, messageOf('unexpected', subject))
    if (action === 'key') return printKey(folder, io)
    if (action === 'follow') {
      if (values.cursor === undefined) return refuse(io, messageOf('follow_needs'))
      const source = readAuditFolder(folder.audit)
      const measure = () => measureAuditFolder(folder.audit)
      const record = () => recordAct(folder, io, 'audit_followed', {})
      return await follow(values, { source, measure }, record, io)
    }
    if (action === 'trim') return complain(io, messageOf('trim_by_gate'))
    if (action !== 'export') return refuse(io)
    const fromMs = Date.parse(values.from ?? '')
    const toMs = Date.parse(values.to ?? '')
    if (!(fromMs < toMs) || values.out === undefined) return refuse(io, messageOf('export_options_missing'))
    return exportTrail(folder, { fromMs, toMs, out: resolve(io.cwd, values.out) }, io)
  },
)

type Values = Readonly<Record<string, string | boolean | string[] | undefined>>

/** The same on the trail that gates share; its key comes from the secret that they share. */
async function runOnDatabase(
  action: string | undefined,
  values: Values,
  folder: DataFolder,
  io: CommandIo,
): Promise<number> {
  const secrets = readSecrets(io)
  const list = (value: Values[string]) => (Array.isArray(value) ? value : [])
  const firsts = readFirsts(list(values['expect-first']))
  if (firsts === null) return refuse(io, messageOf('bad_expect_first'))
  const fromMs = Date.parse(String(values.from))
  const toMs = Date.parse(String(values.to))
  const out = typeof values.out === 'string' ? resolve(io.cwd, values.out) : null
  const isExport = action === 'export' && fromMs < toMs && out !== null
  const keepMs = action === 'trim' ? readKeep(String(values.keep)) : null
  if (action === 'trim' && keepMs === null) return refuse(io, messageOf('trim_needs'))
  if (action === 'follow' && values.cursor === undefined) return refuse(io, messageOf('follow_needs'))
  if (!isExport && keepMs === null && !['verify', 'key', 'follow'].includes(action ?? ''))
    return action === 'export' ? refuse(io, messageOf('export_options_missing')) : refuse(io)
  if (isExport && existsSync(out)) return complain(io, messageOf('export_folder_exists', out))
  let code = 0
  await withStores({ databaseUrl: readDatabase(io), folder }, io, async (stores, record) => {
    if (keepMs !== null) {
      code = await runTrim(stores, keepMs, io, record)
      return
    }
    const { audit, openAuditKey } = stores
    if (action === 'follow') {
      code = await follow(values, { source: audit, measure: null }, () => record('audit_followed', {}), io)
      return
    }
    const key = await openAuditKey(secrets)
    if (action === 'key') {
      printPublicKey(key, io)
      return
    }
    if (!isExport) {
      const heads = list(values['expect-head'])
      const expected = { publicKey: key.publicKey, heads, firsts, onProgress: progressOf(io) }
      code = print(await verifyAudit(audit, expected), io)
      return
    }
    const times = { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() }
    await record('audit_exported', times)
    printExported(await exportAudit({ source: audit, key, fromMs, toMs, out, now: io.clock }), out, io)
  })
  return code
}

/** The first reading with a cursor is an act; the ones that go on with it are not, or each would give the next a line to read. */
async function follow(
  { cursor, out, once }: Values,
  place: Pick<FollowOptions, 'source' | 'measure'>,
  record: () => Promise<void>,
  io: CommandIo,
): Promise<number> {
  const at = (name: Values[string]) => (typeof name === 'string' ? resolve(io.cwd, name) : null)
  const cursorFile = at(cursor) ?? ''
  if (!existsSync(cursorFile)) await record()
  return runFollow({ ...place, cursor: cursorFile, out: at(out), isOnce: once === true }, io)
}

interface Expected {
  readonly heads: readonly string[]
  readonly firsts: ReadonlyMap<string, number>
  readonly onProgress: (lines: number) => void
}

const PROGRESS_MS = 200

/** Shows on a terminal how many lines were verified, a few times a second. */
function progressOf({ progress, ...io }: CommandIo): (lines: number) => void {
  let shownAtMs = Number.NEGATIVE_INFINITY
  return (lines) => {
    if (progress === undefined || performance.now() - shownAtMs < PROGRESS_MS) return
    shownAtMs = performance.now()
    progress(sayTo(io, messageOf('lines_verified', lines)))
  }
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
  if (!existsSync(own)) return complain(io, messageOf('no_export', exported))
  const key = readPublicKey(publicKeyFile ?? own)
  if (publicKeyFile === undefined) io.print(sayTo(io, messageOf('key_from_export', fingerprintOf(key))))
  return print(await verifyExport(exported, key, expected), io)
}

function print({ ok, problems, chains }: AuditVerdict, io: CommandIo): number {
  io.progress?.('')
  for (const { place, lineNumber, problem } of problems) {
    const line = lineNumber === 0 ? '' : sayTo(io, messageOf('line', lineNumber))
    io.complain(`✖ ${sayTo(io, place)}${line}: ${sayWithCode(problem, languageOf(io.env))}`)
  }
  for (const { chain, lines, firstSeq, head, signedAt, unsignedThrough, isUnfinished, rewritten } of chains) {
    const signed = signedAt === null ? null : formatTime(Date.parse(signedAt))
    io.print(
      `${ok ? '✔' : ' '} ${sayTo(io, messageOf(ok ? 'chain_unaltered' : 'chain_of_lines', chain, lines, firstSeq))}`,
    )
    io.print(
      sayTo(
        io,
        signed === null ? messageOf('head_unsigned', head.hash) : messageOf('head_signed', head.hash, signed),
      ),
    )
    if (unsignedThrough > 0) io.print(sayTo(io, messageOf('older_than_head', unsignedThrough)))
    if (isUnfinished) io.print(sayTo(io, messageOf('last_line_unfinished')))
    if (rewritten > 0) io.print(sayTo(io, messageOf('lines_rewritten', rewritten)))
  }
  return ok ? 0 : 1
}

function printKey(folder: DataFolder, io: CommandIo): number {
  if (!existsSync(folder.auditKey)) return complain(io, messageOf('no_key_yet', folder.root))
  return printPublicKey(openAuditKey(folder.auditKey), io)
}

function printPublicKey({ publicKey }: AuditKey, io: CommandIo): number {
  io.print(`${publicKey.export({ type: 'spki', format: 'pem' })}`.trimEnd())
  io.print(sayTo(io, messageOf('fingerprint', fingerprintOf(publicKey))))
  return 0
}

async function exportTrail(
  folder: DataFolder,
  { fromMs, toMs, out }: { readonly fromMs: number; readonly toMs: number; readonly out: string },
  io: CommandIo,
): Promise<number> {
  if (!existsSync(folder.auditKey)) return complain(io, messageOf('no_trail', folder.root))
  if (existsSync(out)) return complain(io, messageOf('export_folder_exists', out))
  const times = { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() }
  await recordAct(folder, io, 'audit_exported', times)
  const chains = await exportFolderTrail(folder, { fromMs, toMs, out, now: io.clock })
  printExported(chains, out, io)
  return 0
}

function printExported(chains: readonly ExportedChain[], out: string, io: CommandIo): void {
  for (const { chain, firstSeq, head } of chains)
    io.print(sayTo(io, messageOf('exported', chain, firstSeq, head.seq)))
  io.print(sayTo(io, messageOf('written_to', out)))
}

function complain(io: CommandIo, problem: Message): number {
  return complainOf('audit', problem, io)
}

function refuse(io: CommandIo, problem?: Message): number {
  return misuse(io, HELP, problem)
}
