import { processIo, type RunCommand } from './command.ts'
import { choose, languageOf, type Text } from './language.ts'

interface CommandEntry {
  readonly summary: Text
  /** Loaded only when called, so that `sekisho check` does not start an identity service. */
  readonly load: () => Promise<RunCommand>
}

/** Every command of `sekisho`, in the order `--help` shows them. */
export const COMMANDS: ReadonlyMap<string, CommandEntry> = new Map([
  [
    'init',
    {
      summary: { ja: 'Docusaurus のサイトをゲートの内側に置く', en: 'put a Docusaurus site behind the gate' },
      load: async () => (await import('./init/init.ts')).runInit,
    },
  ],
  [
    'start',
    {
      summary: {
        ja: 'サイトを作り、このマシンで配信する',
        en: 'build the site and serve it on this machine',
      },
      load: async () => (await import('./start.ts')).runStart,
    },
  ],
  [
    'dev',
    {
      summary: {
        ja: '執筆者のための Docusaurus（すぐに反映）',
        en: 'Docusaurus with hot reload, for writers',
      },
      load: async () => (await import('./dev/dev.ts')).runDev,
    },
  ],
  [
    'new',
    {
      summary: { ja: '新しいページを作る', en: 'make a new page' },
      load: async () => (await import('./new-page.ts')).runNew,
    },
  ],
  [
    'build',
    {
      summary: {
        ja: 'サイトを作り、リリースとして公開する',
        en: 'build the site and publish it as a release',
      },
      load: async () => (await import('./build/build.ts')).runBuild,
    },
  ],
  [
    'pack',
    {
      summary: {
        ja: 'HTML のフォルダーをリリースとして公開する',
        en: 'publish any folder of HTML as a release',
      },
      load: async () => (await import('./static-site/pack.ts')).runPack,
    },
  ],
  [
    'publish',
    {
      summary: {
        ja: 'リリースを、動いているゲートに送って公開する',
        en: 'send the release to a running gate',
      },
      load: async () => (await import('./publish/publish.ts')).runPublish,
    },
  ],
  [
    'tokens',
    {
      summary: { ja: '公開のためのトークンを作り、消す', en: 'make or remove tokens to publish with' },
      load: async () => (await import('./publish/tokens.ts')).runTokens,
    },
  ],
  [
    'releases',
    {
      summary: {
        ja: '残っているリリースを一覧し、切り戻す',
        en: 'list the kept releases, or go back to one',
      },
      load: async () => (await import('./releases.ts')).runReleases,
    },
  ],
  [
    'previews',
    {
      summary: { ja: 'プレビューを一覧し、取り消す', en: 'list previews, or remove one' },
      load: async () => (await import('./previews.ts')).runPreviews,
    },
  ],
  [
    'serve',
    {
      summary: { ja: 'ログインした人にリリースを配信する', en: 'serve the release to signed-in readers' },
      load: async () => (await import('./serve.ts')).runServe,
    },
  ],
  [
    'check',
    {
      summary: { ja: '設定の誤りを言う', en: 'say what is wrong with the settings' },
      load: async () => (await import('./check.ts')).runCheck,
    },
  ],
  [
    'migrate',
    {
      summary: {
        ja: 'データベースの表を作る、または更新する',
        en: 'make or update the schema of the database',
      },
      load: async () => (await import('./migrate.ts')).runMigrate,
    },
  ],
  [
    'sessions',
    {
      summary: { ja: 'セッションを一覧し、終わらせる', en: 'list or end sessions' },
      load: async () => (await import('./sessions.ts')).runSessions,
    },
  ],
  [
    'access',
    {
      summary: { ja: '誰が何を読めるか、その理由を言う', en: 'say what somebody may read, and why' },
      load: async () => (await import('./access.ts')).runAccess,
    },
  ],
  [
    'verify',
    {
      summary: { ja: 'ゲートが何も漏らさないことを確かめる', en: 'prove that a gate gives nothing away' },
      load: async () => (await import('./verify/verify.ts')).runVerify,
    },
  ],
  [
    'search-report',
    {
      summary: { ja: '探しても見つからなかったもの', en: 'what readers looked for and did not find' },
      load: async () => (await import('./search-report.ts')).runSearchReport,
    },
  ],
  [
    'report',
    {
      summary: { ja: 'ページは役に立ったか', en: 'whether pages helped their readers' },
      load: async () => (await import('./report.ts')).runReport,
    },
  ],
  [
    'audit',
    {
      summary: { ja: '監査ログを検証する', en: 'verify the audit trail' },
      load: async () => (await import('./audit.ts')).runAudit,
    },
  ],
])

/** What `sekisho --help` says. */
function helpIn(lang: keyof Text): string {
  const list = [...COMMANDS].map(([name, { summary }]) => `  ${name.padEnd(15)}${summary[lang]}`).join('\n')
  return {
    ja: `使い方: sekisho コマンド [オプション]\n\n${list}\n\n各コマンドの説明は --help で表示します。言語は --lang ja か --lang en で選べます（既定: LANG）。`,
    en: `Usage: sekisho COMMAND [options]\n\n${list}\n\nEach command has --help. --lang ja or --lang en chooses the language (default: LANG).`,
  }[lang]
}

/** Runs one command of `sekisho` and sets the exit code; called by bin/sekisho.mjs on the pinned Node. */
export async function main(args: readonly string[]): Promise<void> {
  const { lang, rest } = takeLanguage(args)
  const io = processIo(lang)
  const help = helpIn(languageOf(io.env))
  const [name = '', ...options] = rest
  const command = COMMANDS.get(name)
  if (command !== undefined) {
    const run = await command.load().catch(nullWithoutPackage)
    process.exitCode = run === null ? 1 : await run(options, io)
    if (run === null)
      io.complain(
        choose(io, {
          ja: `sekisho ${name}: ここには配信に必要なものだけが入っています。サイトを作るマシンや CI で実行し、sekisho publish --to でここに送ってください`,
          en: `sekisho ${name}: only what serves is installed here. Run it where the site is built, on another machine or in a CI, and send the release here with sekisho publish --to`,
        }),
      )
  } else if (name === '--help' || name === '-h') {
    io.print(help)
  } else {
    const quoted = JSON.stringify(name)
    const unknown = choose(io, {
      ja: `sekisho: ${quoted} というコマンドはありません`,
      en: `sekisho: there is no command ${quoted}`,
    })
    io.complain(name === '' ? help : `${unknown}\n\n${help}`)
    process.exitCode = 2
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
