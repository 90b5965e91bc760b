import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  type AuditKey,
  type AuditVerdict,
  deriveAuditKey,
  type ExportedChain,
  exportAudit,
  exportFolderTrail,
  exportPlaces,
  fingerprintOf,
  openAuditKey,
  readPublicKey,
  verifyAudit,
  verifyExport,
  verifyFolderTrail,
} from '@sekisho/state/audit'
import type { DataFolder } from '@sekisho/state/data-folder'
import {
  type CommandIo,
  DATA_DIR,
  dataDirHelp,
  type RunCommand,
  readDataFolder,
  readOptions,
  recordAct,
} from './command.ts'
import { choose, formatTime, type Text } from './language.ts'
import { explainState, isDatabaseNamed, readDatabase, readSecret, withStores } from './open-state.ts'

const HELP: Text = {
  ja: `使い方: sekisho audit verify [EXPORT] [--expect-head HASH] [--expect-first [CHAIN:]NUMBER]
       sekisho audit export --from TIME --to TIME --out DIR
       sekisho audit key

verify  監査ログのすべての鎖を最初の行から最後の行までたどる。動いているゲートの横でもよい。変えられた行、なくなった行と
        ファイルを示し、両端を署名と照らし合わせる。EXPORT は export が作ったフォルダー
export  ある期間の行を、別の場所で検証できるフォルダーに写す
key     署名を確かめるための公開鍵を表示する

SEKISHO_DATABASE_URL があり --data-dir がなければ、そのデータベースにある全ゲートの監査ログを扱います（SEKISHO_SECRET が必要）。

データフォルダー全体に書き込める人は、古い写しに置き換えられます。ときどき先頭の値（head）を別の場所に控え（ゲートのログには
1 時間ごとに出ます）、それを渡してください。

  --expect-head HASH  以前の実行が示した head。今も鎖の一部でなければならない。何度でも指定できる
  --expect-first N    以前の実行が示した最初の行がまだなければならない（ゲート以外の鎖は CHAIN:N）
  --public-key FILE   書き出したものの署名を確かめる鍵（既定: 中にある鍵。その指紋を表示する）
  --from, --to TIME   ISO 8601。例: 2026-11-01、2026-11-01T09:00:00+09:00。--to の時刻は含まない
  --out DIR           まだないフォルダー
${dataDirHelp(20, 'ja')}
  --help              この説明を表示する`,
  en: `Usage: sekisho audit verify [EXPORT] [--expect-head HASH] [--expect-first [CHAIN:]NUMBER]
       sekisho audit export --from TIME --to TIME --out DIR
       sekisho audit key

verify  follows every chain of the audit trail from its first line to its last, also beside a running gate: names altered and
        missing lines and files, and holds both ends against the signed heads. With EXPORT, a folder that export made
export  copies the lines of a time into a folder that can be verified elsewhere
key     prints the public key that heads and exports are signed for

With SEKISHO_DATABASE_URL set, and without --data-dir, it is the trail of all gates in that database; it needs SEKISHO_SECRET.

Whoever can write to the whole data folder can put an older copy of it in place: note a head somewhere else from time to time
(the gate's log does, every hour) and pass it.

  --expect-head HASH  a head printed by an earlier run, which must still be part of the trail; as often as you like
  --expect-first N    the first line that an earlier run printed must still be there (CHAIN:N for another chain than the gate's)
  --public-key FILE   the key that an export must be signed with (default: the one that lies in it, whose fingerprint is printed)
  --from, --to TIME   ISO 8601, as 2026-11-01 or 2026-11-01T09:00:00+09:00; --to is not part of the time
  --out DIR           a folder that is not there yet
${dataDirHelp(20, 'en')}
  --help              show this text`,
}

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
  const read = readOptions(args, io, { help: choose(io, HELP), options: OPTIONS, maxPositionals: 2 })
  if (!read.ok) return read.exitCode
  const { values, positionals } = read
  const [action, subject] = positionals
  const folder = readDataFolder(values['data-dir'], io)
  const isInDatabase = subject === undefined && values['data-dir'] === undefined && isDatabaseNamed(io)
  if (isInDatabase) return explainState('audit', io, () => runOnDatabase(action, values, folder, io))
  if (action === 'verify') {
    const firsts = readFirsts(values['expect-first'] ?? [])
    if (firsts === null) return misuse(io, '--expect-first takes a number, or CHAIN:NUMBER')
    const expected = { heads: values['expect-head'] ?? [], firsts, onProgress: progressOf(io) }
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

type Values = Readonly<Record<string, string | boolean | string[] | undefined>>

/** The same on the trail that gates share; its key comes from the secret that they share. */
async function runOnDatabase(
  action: string | undefined,
  values: Values,
  folder: DataFolder,
  io: CommandIo,
): Promise<number> {
  const key = deriveAuditKey(readSecret(io))
  if (action === 'key') return printPublicKey(key, io)
  const list = (value: Values[string]) => (Array.isArray(value) ? value : [])
  const firsts = readFirsts(list(values['expect-first']))
  if (firsts === null) return misuse(io, '--expect-first takes a number, or CHAIN:NUMBER')
  const fromMs = Date.parse(String(values.from))
  const toMs = Date.parse(String(values.to))
  const out = typeof values.out === 'string' ? resolve(io.cwd, values.out) : null
  const isExport = action === 'export' && fromMs < toMs && out !== null
  if (!isExport && action !== 'verify')
    return misuse(io, action === 'export' ? 'export needs --from, a later --to, and --out' : '')
  if (isExport && existsSync(out))
    return complain(io, `${out} is there already; name a new folder with --out`)
  let code = 0
  await withStores({ databaseUrl: readDatabase(io), folder }, io, async ({ audit }, record) => {
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
    progress(choose(io, { ja: `${lines} 行を確認`, en: `${lines} lines verified` }))
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
  if (!existsSync(own)) return complain(io, `${exported} is no export: it holds no audit-public-key.pem`)
  const key = readPublicKey(publicKeyFile ?? own)
  if (publicKeyFile === undefined)
    io.print(`  signed for the key ${fingerprintOf(key)}, which came with it: compare with sekisho audit key`)
  return print(await verifyExport(exported, key, expected), io)
}

function print({ ok, problems, chains }: AuditVerdict, io: CommandIo): number {
  io.progress?.('')
  for (const { place, lineNumber, problem } of problems) {
    const line = choose(io, { ja: `の ${lineNumber} 行目`, en: `, line ${lineNumber}` })
    io.complain(`✖ ${place}${lineNumber === 0 ? '' : line}: ${problem}`)
  }
  for (const { chain, lines, firstSeq, head, signedAt, unsignedThrough, isUnfinished } of chains) {
    const signed = signedAt === null ? null : formatTime(Date.parse(signedAt))
    const { ja, en } = {
      ja: [
        `${chain}: ${lines} 行${ok ? '、変更なし' : ''}。最初の行は ${firstSeq} 番`,
        `  head ${head.hash}、${signed === null ? '署名なし' : `最後の署名 ${signed}`}`,
        `  ${unsignedThrough} 番までの行は署名された head より古い。更新の直後だけは正しい`,
        '  最後の行は書き込み中か、異常終了で途切れている',
      ],
      en: [
        `${chain}: ${lines} lines, ${ok ? 'unaltered, ' : ''}beginning at number ${firstSeq}`,
        `  head ${head.hash}${signed === null ? ', never signed' : `, last signed at ${signed}`}`,
        `  lines up to ${unsignedThrough} are older than the signed head: right only after an upgrade`,
        '  its last line is being written, or was cut short by a crash',
      ],
    }
    const text = ja.map((line, at) => choose(io, { ja: line, en: en[at] ?? '' }))
    io.print(`${ok ? '✔' : ' '} ${text[0]}`)
    for (const line of [text[1], unsignedThrough > 0 && text[2], isUnfinished && text[3]])
      if (line) io.print(line)
  }
  return ok ? 0 : 1
}

function printKey(folder: DataFolder, io: CommandIo): number {
  if (!existsSync(folder.auditKey))
    return complain(io, `there is no key in ${folder.root} before the gate was first started`)
  return printPublicKey(openAuditKey(folder.auditKey), io)
}

function printPublicKey({ publicKey }: AuditKey, io: CommandIo): number {
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
  printExported(chains, out, io)
  return 0
}

function printExported(chains: readonly ExportedChain[], out: string, io: CommandIo): void {
  for (const { chain, firstSeq, head } of chains) io.print(`${chain}: lines ${firstSeq} to ${head.seq}`)
  io.print(`Written to ${out}. To verify it: sekisho audit verify ${out}`)
}

function complain(io: CommandIo, sentence: string): number {
  io.complain(`sekisho audit: ${sentence}`)
  return 1
}

function misuse(io: CommandIo, sentence: string): number {
  io.complain(sentence === '' ? choose(io, HELP) : `sekisho audit: ${sentence}\n\n${choose(io, HELP)}`)
  return 2
}
