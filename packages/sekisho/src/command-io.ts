import { resolve } from 'node:path'

/** What a command may touch of the process that runs it. */
export interface CommandIo {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  /** Prints one line of result. */
  readonly print: (line: string) => void
  /** Prints one line of complaint. */
  readonly complain: (line: string) => void
}

/** The io of this very process. */
export function processIo(): CommandIo {
  return {
    env: process.env,
    cwd: process.cwd(),
    clock: Date.now,
    print: (line) => process.stdout.write(`${line}\n`),
    complain: (line) => process.stderr.write(`${line}\n`),
  }
}

/** Where the releases are, from the option, the environment or the default. */
export function readDataDir(option: string | undefined, { env, cwd }: CommandIo): string {
  return resolve(cwd, option ?? (env.SEKISHO_DATA_DIR?.trim() || '.sekisho'))
}
