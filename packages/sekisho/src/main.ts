import { processIo, type RunCommand } from './command.ts'

interface CommandEntry {
  readonly summary: string
  /** Loaded only when asked for, so that `sekisho check` does not start an identity service. */
  readonly load: () => Promise<RunCommand>
}

/** Every command of `sekisho`, in the order `--help` shows them. */
export const COMMANDS: ReadonlyMap<string, CommandEntry> = new Map([
  [
    'init',
    {
      summary: 'put a Docusaurus site behind the gate',
      load: async () => (await import('./init/init.ts')).runInit,
    },
  ],
  [
    'start',
    {
      summary: 'build the site and serve it on this machine',
      load: async () => (await import('./start.ts')).runStart,
    },
  ],
  [
    'dev',
    {
      summary: 'Docusaurus with hot reload, for writers',
      load: async () => (await import('./dev.ts')).runDev,
    },
  ],
  [
    'build',
    {
      summary: 'build the site and publish it as a release',
      load: async () => (await import('./build/build.ts')).runBuild,
    },
  ],
  [
    'releases',
    {
      summary: 'list the kept releases, or go back to one',
      load: async () => (await import('./releases.ts')).runReleases,
    },
  ],
  [
    'serve',
    {
      summary: 'serve the release to signed-in readers',
      load: async () => (await import('./serve.ts')).runServe,
    },
  ],
  [
    'check',
    {
      summary: 'say what is wrong with the settings',
      load: async () => (await import('./check.ts')).runCheck,
    },
  ],
  [
    'sessions',
    { summary: 'list or end sessions', load: async () => (await import('./sessions.ts')).runSessions },
  ],
  [
    'verify',
    {
      summary: 'prove that a gate gives nothing away',
      load: async () => (await import('./verify/verify.ts')).runVerify,
    },
  ],
  [
    'search-report',
    {
      summary: 'what readers looked for and did not find',
      load: async () => (await import('./search-report.ts')).runSearchReport,
    },
  ],
  ['audit', { summary: 'verify the audit trail', load: async () => (await import('./audit.ts')).runAudit }],
])

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
