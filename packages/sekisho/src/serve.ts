import { LOGIN_KINDS } from '@sekisho/contract/login-document'
import { createLogOutput, type RunningGate, startGate } from '@sekisho/gate'
import type { GateConfig } from '@sekisho/gate/settings'
import { ConfigError, LoginBundleError } from '@sekisho/gate/settings'
import { DataFolderError } from '@sekisho/state/data-folder'
import { DatabaseError } from '@sekisho/state/database'
import { type CommandIo, DATA_DIR, dataDirHelp, type RunCommand, readOptions } from './command.ts'
import { choose, type Text } from './language.ts'
import { readEnvironment } from './read-environment.ts'
import { explainProblem } from './settings-problems.ts'

const HELP: Text = {
  ja: `使い方: sekisho serve [--local] [--data-dir DIR]

ログインした人に、今のリリースを配信します。設定は環境変数で行います（sekisho check --help を参照）。

  --local         このマシンだけで、組み込みのログインを使う。Firebase のプロジェクトもネットワークも不要
${dataDirHelp(16, 'ja')}
  --help          この説明を表示する`,
  en: `Usage: sekisho serve [--local] [--data-dir DIR]

Serves the current release to signed-in readers. Settings come from the environment: see sekisho check --help.

  --local         run on this machine only, with the built-in identity service: no Firebase project, no network
${dataDirHelp(16, 'en')}
  --help          show this text`,
}

/** How long the last lines of the log may take after everything else has ended. */
const LAST_LINES_MS = 1_000

/** Runs `sekisho serve` until a signal ends it. */
export const runServe: RunCommand = async (args, io) => {
  const read = readOptions(args, io, {
    help: choose(io, HELP),
    options: { local: { type: 'boolean' }, ...DATA_DIR },
  })
  if (!read.ok) return read.exitCode
  try {
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {}) // a reader that exits ends no gate
    const mode = read.values.local === true ? 'local' : 'production'
    const config = await readEnvironment(mode, io, read.values['data-dir'])
    // Locally the terminal is for the person; the log goes to standard error.
    const stream = config.mode === 'local' ? process.stderr : process.stdout
    const output = createLogOutput(stream, { now: Date.now })
    const gate = await startGate(config, output)
    if (config.mode === 'local') greet(gate, config, io)
    await untilSignal()
    await gate.close()
    if (!(await output.end(LAST_LINES_MS))) process.exit(0) // a pipe that nobody reads would keep the process for ever
    return 0
  } catch (error) {
    const sentence = explain(error, io)
    if (sentence === null) throw error
    io.complain(`sekisho serve: ${sentence}`)
    return 1
  }
}

/** Signals so close together are one: a terminal and a supervisor send it to every process, and those pass it on. */
const SAME_SIGNAL_MS = 1_000

/** A second signal ends the process at once, for whoever does not want to wait for the drain. */
function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    let firstMs: number | null = null
    const onSignal = () => {
      if (firstMs !== null && performance.now() - firstMs > SAME_SIGNAL_MS) process.exit(1)
      firstMs ??= performance.now()
      resolve()
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal)
  })
}

function greet({ origin, release, metricsPort }: RunningGate, config: GateConfig, io: CommandIo): void {
  const domains = 'policy' in config.access ? [...config.access.policy.domains] : []
  const who =
    domains.length > 0
      ? choose(io, {
          ja: `@${domains.join(' または @')} のアカウント`,
          en: `an account ending in @${domains.join(' or @')}`,
        })
      : choose(io, { ja: 'アクセスポリシーが認めるアカウント', en: 'an account your policy admits' })
  const buttons = config.identity.providers
    .map(({ login }) => LOGIN_KINDS[login.kind].button(login.label, config.loginLanguage))
    .join(' / ')
  const rows: [Text, Text][] = [
    [
      { ja: '配信中', en: 'Serving' },
      release.state === 'ready'
        ? { ja: `リリース ${release.id}`, en: `release ${release.id}` }
        : { ja: 'まだありません。sekisho build を実行してください', en: 'nothing yet: run sekisho build' },
    ],
    [
      { ja: 'ログイン', en: 'Sign-in' },
      config.identity.providers.length === 0
        ? {
            ja: '設定に誤りがあるため、使えません',
            en: 'is switched off, because the identity settings are invalid',
          }
        : {
            ja: `「${buttons}」を押し、${who}を選びます`,
            en: `press "${buttons}" and choose ${who}`,
          },
    ],
  ]
  const metrics = `http://127.0.0.1:${metricsPort}/metrics`
  if (metricsPort !== null)
    rows.push([
      { ja: 'メトリクス', en: 'Metrics' },
      { ja: metrics, en: metrics },
    ])
  rows.push([
    { ja: '停止', en: 'Stop' },
    { ja: 'Ctrl+C', en: 'Ctrl+C' },
  ])
  io.print('')
  io.print(
    choose(io, {
      ja: `  Sekisho の準備ができました: ${origin.origin}`,
      en: `  Sekisho is ready: ${origin.origin}`,
    }),
  )
  for (const [name, text] of rows)
    io.print(choose(io, { ja: `  ${name.ja}: ${text.ja}`, en: `  ${name.en.padEnd(17)} ${text.en}` }))
  io.print('')
}

function explainTakenPort(port: string, io: CommandIo): string {
  const isOfMetrics = port === io.env.SEKISHO_METRICS_PORT?.trim()
  const [setting, ja, en] = isOfMetrics
    ? ['SEKISHO_METRICS_PORT', 'メトリクスの', 'metrics ']
    : ['PORT', '', '']
  return choose(io, {
    ja: `${ja}ポート ${port} は使われています。使っているものを止めるか、${setting} を別の番号にしてください`,
    en: `the ${en}port ${port} is taken; stop what uses it, or set ${setting} to another one`,
  })
}

function explain(error: unknown, io: CommandIo): string | null {
  if (error instanceof ConfigError) {
    const head = choose(io, { ja: '設定を直してください。', en: 'the settings are not right:' })
    return [head, ...error.problems.map((problem) => explainProblem(problem, io))].join('\n  - ')
  }
  if (error instanceof DataFolderError || error instanceof DatabaseError || error instanceof LoginBundleError)
    return error.message
  if (!(error instanceof Error) || !('code' in error)) return null
  switch (error.code) {
    case 'EADDRINUSE':
      return explainTakenPort('port' in error ? String(error.port) : '', io)
    case 'EACCES':
      return `not permitted: ${error.message}`
    case 'EADDRNOTAVAIL':
      return 'SEKISHO_HOST is no address of this machine'
    case 'ERR_MODULE_NOT_FOUND':
      return `--local needs the development packages: ${error.message}`
    case 'ERR_SQLITE_ERROR':
      return `the session store cannot be used: ${error.message}`
    default:
      return null
  }
}
