import { processIo } from './command-io.ts'
import { COMMANDS } from './commands.ts'

const HELP = `Usage: sekisho COMMAND [options]

${[...COMMANDS].map(([name, { summary }]) => `  ${name.padEnd(15)}${summary}`).join('\n')}

Each command has --help.`

/** Runs one command of `sekisho` and sets the exit code; called by bin/sekisho.mjs on the pinned Node. */
export async function main(args: readonly string[]): Promise<void> {
  const io = processIo()
  const [name = '', ...rest] = args
  const command = COMMANDS.get(name)
  if (command !== undefined) {
    process.exitCode = await (await command.load())(rest, io)
  } else if (name === '--help' || name === '-h') {
    io.print(HELP)
  } else {
    io.complain(name === '' ? HELP : `sekisho: there is no command ${JSON.stringify(name)}\n\n${HELP}`)
    process.exitCode = 2
  }
}
