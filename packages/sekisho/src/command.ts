import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ExplainedError } from '@sekisho/contract/explained-error'
import { createMessages, type Message, type MessageOrText } from '@sekisho/contract/language'
import { type OperatorAct, readOperator, recordOperatorAct } from '@sekisho/server/audit'
import { type DataFolder, DEFAULT_DATA_DIR, dataFolderAt } from '@sekisho/server/data-folder'
import { UnavailableError } from '@sekisho/server/unavailable-error'
import { languageOf, printable, sayTo, sayWithCode } from './language.ts'
import { findSiteAround } from './site/find-site.ts'
import { withSettingsFile } from './site/settings-file.ts'
import { TEXTS } from './texts/index.ts'

const messageOf = createMessages(TEXTS, 'command')
const stateMessageOf = createMessages(TEXTS, 'state')

/** Parts of its process that a command may use. */
export interface CommandIo {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  /** Prints one line of result. */
  readonly print: (line: string) => void
  /** Writes a result byte for byte; absent where a terminal shows it. */
  readonly write?: (text: string) => void
  /** Prints one line of complaint. */
  readonly complain: (line: string) => void
  /** Shows the progress of a long command, replacing the last one; absent without a terminal. */
  readonly progress?: (text: string) => void
}

/**
 * The io of this very process.
 * @param lang the language that `--lang` names, before the one of the locale
 */
export function processIo(lang?: string): CommandIo {
  // A reader of the output may stop, as `head` does: the command's other work goes on.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      const isHandled = stream.listenerCount('error') > 1 // by the log of a server, which outlives a full disk
      if (error.code !== 'EPIPE' && !isHandled) throw error
    })
  return {
    env: lang === undefined ? process.env : { ...process.env, SEKISHO_LANG: lang },
    cwd: process.cwd(),
    clock: Date.now,
    print: (line) => process.stdout.write(`${printable(line)}\n`),
    complain: (line) => process.stderr.write(`${printable(line)}\n`),
    ...(process.stdout.isTTY !== true && { write: (text: string) => process.stdout.write(text) }),
    ...(process.stderr.isTTY === true && { progress: showProgress }),
  }
}

/** Erases the line, and leaves the cursor where what is printed next overwrites it. */
function showProgress(text: string): void {
  process.stderr.write(`\r\u001b[2K${text}${text === '' ? '' : '\r'}`)
}

/** Runs a command and resolves to its exit code: 0, 1 when it could not be done, 2 for wrong options. */
export type RunCommand = (args: readonly string[], io: CommandIo) => Promise<number>

/** Runs a command and prints expected failures as a sentence with the remedy. Resolves to the exit code. */
export async function explainErrors(
  name: string,
  io: CommandIo,
  run: () => Promise<number>,
): Promise<number> {
  try {
    return await run()
  } catch (error) {
    if (isBusy(error)) return complainOf(name, stateMessageOf('store_busy'), io)
    if (error instanceof UnavailableError) return complainOf(name, error.message, io)
    if (!(error instanceof ExplainedError)) throw error
    io.complain(`sekisho ${name}: ${error.in(languageOf(io.env), sayWithCode)}`)
    return 1
  }
}

/** SQLite's primary result code for a file that another process goes on writing (SQLITE_BUSY). */
const BUSY = 5

const isBusy = (error: unknown): boolean => (Number(Object(error).errcode) & 0xff) === BUSY

/** Prints a problem of a command, with its code. Returns the exit code. */
export function complainOf(name: string, problem: MessageOrText, io: CommandIo): 1 {
  io.complain(`sekisho ${name}: ${sayWithCode(problem, languageOf(io.env))}`)
  return 1
}

type Options = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>

type ReadOptions<T extends Options> = Extract<ReturnType<typeof readOptions<T>>, { ok: true }>

/** Values of a command's options. */
export type ValuesOf<T extends Options> = ReadOptions<T>['values']

/** Reads a command's options strictly; a mistake or `--help` is answered here and gives the exit code instead. */
function readOptions<const T extends Options>(
  args: readonly string[],
  io: CommandIo,
  { help, options, maxPositionals = 0 }: { help: string; options: T; maxPositionals?: number },
) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { ...options, help: { type: 'boolean', short: 'h' } as const },
    })
    if ('help' in values && values.help === true) {
      io.print(help)
      return { ok: false, exitCode: 0 } as const
    }
    const surplus = positionals[maxPositionals]
    if (surplus === undefined) return { ok: true, values, positionals } as const
    return { ok: false, exitCode: misuse(io, help, messageOf('argument_unexpected', surplus)) } as const
  } catch (error) {
    return { ok: false, exitCode: misuse(io, help, mistakeOf(error)) } as const
  }
}

/** The mistake that `parseArgs` found; its sentences are English and name the option in quotes. */
function mistakeOf(error: unknown): Message {
  if (!(error instanceof TypeError)) throw error
  const [, option = ''] = /'(-[^' ,=]*)/.exec(error.message) ?? []
  if (/ argument (?:missing|is ambiguous)/.test(error.message)) return messageOf('value_missing', option)
  if (/ does not take an argument/.test(error.message)) return messageOf('value_unexpected', option)
  return messageOf('option_unknown', option)
}

/** Prints a mistake in a command line with its code, and the help. Returns the exit code. */
export function misuse(
  io: CommandIo,
  help: MessageOrText,
  mistake: Message = messageOf('arguments_incomplete'),
): 2 {
  io.complain(`${sayWithCode(mistake, languageOf(io.env))}\n\n${sayTo(io, help)}`)
  return 2
}

/** A command that reads its options before it runs, and explains expected failures. */
export function defineCommand<const T extends Options>(
  { name, help, ...rest }: { name: string; help: Message; options: T; maxPositionals?: number },
  run: (read: ReadOptions<T>, io: CommandIo) => Promise<number>,
): RunCommand {
  return async (args, io) => {
    const read = readOptions(args, io, { help: sayTo(io, help), ...rest })
    return read.ok ? await explainErrors(name, io, () => run(read, io)) : read.exitCode
  }
}

/** The option that every command on kept data has. */
export const DATA_DIR = { 'data-dir': { type: 'string' } } as const
/**
 * Its line in the help.
 * @param column where the descriptions of the help begin, counted from the option
 */
export const dataDirHelp = (column: number): Message =>
  messageOf('data_dir', '--data-dir DIR'.padEnd(column), DEFAULT_DATA_DIR)

/** The data folder of `--data-dir`, else of the settings; else the default one of the site around the working folder. */
export function readDataFolder(option: string | undefined, io: CommandIo): DataFolder {
  const { cwd } = io
  const named = option ?? withSettingsFile(io).SEKISHO_DATA_DIR?.trim()
  return dataFolderAt(
    named ? resolve(cwd, named) : resolve(findSiteAround(cwd)?.dir ?? cwd, DEFAULT_DATA_DIR),
  )
}

/** Records in the audit trail what the operator is about to do; rejects when that cannot be recorded, and then nothing is done. */
export function recordAct(
  folder: DataFolder,
  io: CommandIo,
  act: OperatorAct,
  fields: Readonly<Record<string, string | number | null>>,
): Promise<void> {
  return recordOperatorAct(folder, readOperator(io.env), act, fields)
}
