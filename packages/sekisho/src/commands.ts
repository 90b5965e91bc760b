import type { RunCommand } from './command.ts'

export interface CommandEntry {
  readonly summary: string
  /** Loaded only when asked for, so that `sekisho check` does not start an identity service. */
  readonly load: () => Promise<RunCommand>
}

/** Every command of `sekisho`, in the order `--help` shows them. */
export const COMMANDS: ReadonlyMap<string, CommandEntry> = new Map([
  [
    'build',
    {
      summary: 'build the site and publish it as a release',
      load: async () => (await import('./build/build.ts')).runBuildCommand,
    },
  ],
  [
    'releases',
    {
      summary: 'list the kept releases, or go back to one',
      load: async () => (await import('./releases.ts')).runReleasesCommand,
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
