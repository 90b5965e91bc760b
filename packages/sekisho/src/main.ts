import { createMessages, type Language, type Message } from '@sekisho/contract/language'
import { misuse, processIo, type RunCommand } from './command.ts'
import { languageOf, sayTo, sayWithCode } from './language.ts'
import { findSite, SiteError } from './site/find-site.ts'
import { TEXTS } from './texts/index.ts'
import { readVersion } from './version.ts'

const messageOf = createMessages(TEXTS, 'command')

interface CommandEntry {
  readonly summary: Message
  /** Loaded only when called, so that `sekisho check` does not start an identity service. */
  readonly load: () => Promise<RunCommand>
}

/** Loaders of commands, each by the beginning of its summary’s code, in the order `--help` shows them. */
const LOADERS = [
  ['demo', async () => (await import('./authoring/demo/demo.ts')).runDemo],
  ['init', async () => (await import('./authoring/init/init.ts')).runInit],
  ['start', async () => (await import('./commands/start.ts')).runStart],
  ['dev', async () => (await import('./authoring/dev/dev.ts')).runDev],
  ['new', async () => (await import('./authoring/writing/new-page.ts')).runNew],
  ['build', async () => (await import('./authoring/build/build.ts')).runBuild],
  ['pack', async () => (await import('./authoring/static-site/pack.ts')).runPack],
  ['publish', async () => (await import('./commands/publish/publish.ts')).runPublish],
  ['follow', async () => (await import('./commands/publish/follow.ts')).runFollow],
  ['tokens', async () => (await import('./commands/publish/tokens.ts')).runTokens],
  ['releases', async () => (await import('./commands/releases/releases.ts')).runReleases],
  ['previews', async () => (await import('./commands/releases/previews.ts')).runPreviews],
  ['serve', async () => (await import('./commands/serve.ts')).runServe],
  ['check', async () => (await import('./commands/check/check.ts')).runCheck],
  ['explain', async () => (await import('./commands/explain-code.ts')).runExplain],
  ['probe', async () => (await import('./commands/check/probe.ts')).runProbe],
  ['migrate', async () => (await import('./commands/state/migrate.ts')).runMigrate],
  ['backup', async () => (await import('./commands/state/backup.ts')).runBackup],
  ['restore', async () => (await import('./commands/state/backup.ts')).runRestore],
  ['sessions', async () => (await import('./commands/state/sessions.ts')).runSessions],
  ['agents', async () => (await import('./commands/state/agents.ts')).runAgents],
  ['access', async () => (await import('./commands/access/access.ts')).runAccess],
  ['verify', async () => (await import('./commands/verify/verify.ts')).runVerify],
  ['synonyms', async () => (await import('./authoring/writing/synonyms.ts')).runSynonyms],
  ['agents_md', async () => (await import('./commands/agents/agents-md.ts')).runAgentsMd],
  ['covers', async () => (await import('./commands/agents/covers.ts')).runCovers],
  ['search_report', async () => (await import('./commands/reports/search-report.ts')).runSearchReport],
  ['report', async () => (await import('./commands/reports/report.ts')).runReport],
  [
    'acknowledgements',
    async () => (await import('./commands/reports/acknowledgements.ts')).runAcknowledgements,
  ],
  ['notices', async () => (await import('./commands/reports/notices.ts')).runNotices],
  ['export', async () => (await import('./commands/reports/manual.ts')).runExport],
  ['audit', async () => (await import('./commands/state/audit.ts')).runAudit],
] as const

/** Every command of `sekisho` by its name. */
export const COMMANDS: ReadonlyMap<string, CommandEntry> = new Map(
  LOADERS.map(([code, load]) => [code.replaceAll('_', '-'), { summary: messageOf(`${code}_summary`), load }]),
)

/** Output of `sekisho --help`. */
function helpIn(language: Language): string {
  const list = [...COMMANDS]
    .map(([name, { summary }]) => `  ${name.padEnd(18)}${summary.in(language)}`)
    .join('\n')
  return messageOf('usage_overview', list).in(language)
}

/** Runs one command of `sekisho` and sets the exit code; called by bin/sekisho.mjs on the pinned Node. */
export async function main(args: readonly string[]): Promise<void> {
  const { lang, rest } = takeLanguage(args)
  const io = processIo(lang)
  const language = languageOf(io.env)
  const help = helpIn(language)
  const [name = '', ...options] = rest
  const command = COMMANDS.get(name)
  if (command !== undefined) {
    const run = await command.load().catch(nullWithoutPackage)
    process.exitCode = run === null ? 1 : await run(options, io)
    if (run === null) io.complain(sayWithCode(messageOf('command_not_installed', name), language))
  } else if (name === '--help' || name === '-h') {
    io.print(help)
  } else if (name === '--version' || name === '-V') {
    io.print(readVersion())
  } else if (name !== '') {
    process.exitCode = misuse(io, help, messageOf('command_unknown', JSON.stringify(name)))
  } else {
    io.complain(isInSite(io.cwd) ? help : sayTo(io, messageOf('ways_to_start', readVersion())))
    process.exitCode = 2
  }
}

function isInSite(cwd: string): boolean {
  try {
    findSite(cwd)
    return true
  } catch (error) {
    if (error instanceof SiteError) return false
    throw error
  }
}

/** A production install (decisions/090) has none of the packages that commands for a site import. */
function nullWithoutPackage(error: unknown): null {
  const isPackage = error instanceof Error && /^Cannot find package '@sekisho\//.test(error.message)
  if (isPackage && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return null
  throw error
}

/** Takes `--lang ja` or `--lang=ja` out of the options, wherever it stands. */
function takeLanguage(args: readonly string[]): { lang: string | undefined; rest: readonly string[] } {
  const at = args.findIndex((arg) => arg === '--lang' || arg.startsWith('--lang='))
  if (at < 0) return { lang: undefined, rest: args }
  const [, value] = (args[at] ?? '').split('=')
  return value === undefined
    ? { lang: args[at + 1], rest: args.toSpliced(at, 2) }
    : { lang: value, rest: args.toSpliced(at, 1) }
}
