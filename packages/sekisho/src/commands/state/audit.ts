import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createMessages, type Message } from '@sekisho/contract/language'
import {
  type AuditKey,
  type AuditVerdict,
  exportAudit,
  exportPlaces,
  fingerprintOf,
  measureAuditFolder,
  readPublicKey,
  verifyAudit,
  verifyExport,
} from '@sekisho/server/audit'
import {
  type CommandIo,
  complainOf,
  DATA_DIR,
  dataDirHelp,
  defineCommand,
  misuse,
  type ValuesOf,
} from '../../command.ts'
import { formatTime, languageOf, sayTo, sayWithCode } from '../../language.ts'
import { withTrail } from '../../open-state.ts'
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
    const [action = '', subject] = positionals
    const refuse = (problem?: Message) => misuse(io, HELP, problem)
    const firsts = readFirsts(values['expect-first'] ?? [])
    if (firsts === null) return refuse(messageOf('bad_expect_first'))
    const expected = { heads: values['expect-head'] ?? [], firsts, onProgress: progressOf(io) }
    if (action === 'verify' && subject !== undefined) {
      const key = values['public-key']
      return verifyFolder(resolve(io.cwd, subject), key && resolve(io.cwd, key), expected, io)
    }
    if (subject !== undefined) return refuse(messageOf('unexpected', subject))
    if (action === 'follow' && values.cursor === undefined) return refuse(messageOf('follow_needs'))
    const fromMs = Date.parse(values.from ?? '')
    const toMs = Date.parse(values.to ?? '')
    const out = resolve(io.cwd, values.out ?? '')
    if (action === 'export' && (!(fromMs < toMs) || values.out === undefined))
      return refuse(messageOf('export_options_missing'))
    if (!['verify', 'key', 'follow', 'trim', 'export'].includes(action)) return refuse()
    return withTrail(values['data-dir'], io, async ({ source, openKey, record, stores, place }) => {
      const measure = stores === null ? () => measureAuditFolder(place.audit) : null
      if (action === 'follow')
        return follow(values, { source, measure }, () => record('audit_followed', {}), io)
      if (action === 'trim') {
        if (stores === null) return complain(io, messageOf('trim_by_gate'))
        const keepMs = readKeep(values.keep)
        return keepMs === null ? refuse(messageOf('trim_needs')) : runTrim(stores, keepMs, io, record)
      }
      const key = await openKey()
      if (action === 'verify') {
        if (key === null && !existsSync(place.audit.lines))
          return complain(io, messageOf('no_trail', place.audit.lines))
        return print(await verifyAudit(source, { ...expected, publicKey: key?.publicKey ?? null }), io)
      }
      if (action === 'key')
        return key === null ? complain(io, messageOf('no_key_yet', place.root)) : printPublicKey(key, io)
      if (key === null) return complain(io, messageOf('no_trail', place.root))
      if (existsSync(out)) return complain(io, messageOf('export_folder_exists', out))
      await record('audit_exported', {
        from: new Date(fromMs).toISOString(),
        to: new Date(toMs).toISOString(),
      })
      for (const chain of await exportAudit({ source, key, fromMs, toMs, out, now: io.clock }))
        io.print(sayTo(io, messageOf('exported', chain.chain, chain.firstSeq, chain.head.seq)))
      io.print(sayTo(io, messageOf('written_to', out)))
      return 0
    })
  },
)

type Values = ValuesOf<typeof OPTIONS>

/** The first reading with a cursor is an act; the ones that go on with it are not, or each would give the next a line to read. */
async function follow(
  { cursor = '', out, once }: Values,
  place: Pick<FollowOptions, 'source' | 'measure'>,
  record: () => Promise<void>,
  io: CommandIo,
): Promise<number> {
  const file = resolve(io.cwd, cursor)
  if (!existsSync(file)) await record()
  const target = out === undefined ? null : resolve(io.cwd, out)
  return runFollow({ ...place, cursor: file, out: target, isOnce: once === true }, io)
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

function printPublicKey({ publicKey }: AuditKey, io: CommandIo): number {
  io.print(`${publicKey.export({ type: 'spki', format: 'pem' })}`.trimEnd())
  io.print(sayTo(io, messageOf('fingerprint', fingerprintOf(publicKey))))
  return 0
}

function complain(io: CommandIo, problem: Message): number {
  return complainOf('audit', problem, io)
}
