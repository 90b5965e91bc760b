import { parseArgs } from 'node:util'
import type { CommandIo } from './command-io.ts'

/** Runs a command and resolves to its exit code: 0, 1 when it could not be done, 2 for wrong options. */
export type RunCommand = (args: readonly string[], io: CommandIo) => Promise<number>

type Options = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>

/** Reads a command's options strictly; a mistake or `--help` is answered here and gives the exit code instead. */
export function readOptions<const T extends Options>(
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
    if (surplus !== undefined) throw new TypeError(`Unexpected argument '${surplus}'`)
    return { ok: true, values, positionals } as const
  } catch (error) {
    io.complain(`${error instanceof Error ? error.message : error}\n\n${help}`)
    return { ok: false, exitCode: 2 } as const
  }
}
