import { ExplainedError } from '@sekisho/contract/explained-error'
import { createMessages, type Message, type MessageOrText } from '@sekisho/contract/language'
import { LOGIN_KINDS } from '@sekisho/contract/login-document'
import { type RunningGate, startGate } from '@sekisho/server'
import { createLogOutput } from '@sekisho/server/log-output'
import type { GateConfig } from '@sekisho/server/settings'
import { ConfigError, LoginBundleError } from '@sekisho/server/settings'
import { type CommandIo, DATA_DIR, dataDirHelp, defineCommand } from '../command.ts'
import { languageOf, sayTo, sayWithCode } from '../language.ts'
import { readEnvironment } from '../read-environment.ts'
import { TEXTS } from '../texts/index.ts'

const messageOf = createMessages(TEXTS, 'serve')

const HELP: Message = messageOf('serve_help', dataDirHelp(16))

const OPTIONS = { local: { type: 'boolean' }, ...DATA_DIR } as const

/** Time for the last lines of the log after everything else has ended. */
const LAST_LINES_MS = 1_000

/** Runs `sekisho serve` until a signal ends it. */
export const runServe = defineCommand({ name: 'serve', help: HELP, options: OPTIONS }, async (read, io) => {
  try {
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {}) // a reader that exits ends no gate
    const mode = read.values.local === true ? 'local' : 'production'
    const config = await readEnvironment(mode, io, read.values['data-dir'])
    // Locally the terminal is for the person; the log goes to standard error.
    const stream = config.mode === 'local' ? process.stderr : process.stdout
    const output = createLogOutput(stream, { now: Date.now })
    const gate = await startGate(config, output)
    if (config.mode === 'local') greet(gate, config, io)
    const { first, second } = watchSignals()
    await first
    const isClosed = await gate.close(second)
    const isWritten = await output.end(LAST_LINES_MS)
    if (!isClosed) process.kill(process.pid, 'SIGKILL') // any other end waits for threads that hang in a disk
    const code = second.aborted ? 1 : 0
    if (!isWritten) process.exit(code) // a pipe that nobody reads would keep the process for ever
    return code
  } catch (error) {
    const sentence = explain(error, io)
    if (sentence === null) throw error
    io.complain(`sekisho serve: ${sentence}`)
    return 1
  }
})

/** Signals so close together are one: a terminal and a supervisor send it to every process, and those pass it on. */
const SAME_SIGNAL_MS = 1_000

/** Watches signals; the second one skips waiting for responses under way. */
function watchSignals(): { readonly first: Promise<void>; readonly second: AbortSignal } {
  const first = Promise.withResolvers<void>()
  const second = new AbortController()
  let firstMs: number | null = null
  const onSignal = () => {
    if (firstMs !== null && performance.now() - firstMs > SAME_SIGNAL_MS) second.abort()
    firstMs ??= performance.now()
    first.resolve()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal)
  return { first: first.promise, second: second.signal }
}

function greet({ origin, release, metricsPort }: RunningGate, config: GateConfig, io: CommandIo): void {
  const domains = 'policy' in config.access ? [...config.access.policy.domains] : []
  const who =
    domains.length > 0
      ? sayTo(io, messageOf('account_of_domains', domains))
      : sayTo(io, messageOf('account_of_policy'))
  const buttons = config.identity.providers
    .map(({ login }) => LOGIN_KINDS[login.kind].button(login.label, config.loginLanguage))
    .join(' / ')
  const rows: [Message, MessageOrText][] = [
    [
      messageOf('serving'),
      release.state === 'ready' ? messageOf('release', release.id) : messageOf('nothing_built'),
    ],
    [
      messageOf('sign_in'),
      config.identity.providers.length === 0
        ? messageOf('switched_off_because')
        : messageOf('local_sign_in_hint', buttons, who),
    ],
  ]
  const host = config.metrics?.host ?? ''
  const metrics = `http://${host.includes(':') ? `[${host}]` : host}:${metricsPort}/metrics`
  if (metricsPort !== null) rows.push([messageOf('metrics'), metrics])
  rows.push([messageOf('stop'), 'Ctrl+C'])
  io.print('')
  io.print(sayTo(io, messageOf('sekisho_ready', origin.origin)))
  for (const [name, text] of rows) io.print(sayTo(io, messageOf('serve_row', name, text)))
  io.print('')
}

function explain(error: unknown, io: CommandIo): string | null {
  if (error instanceof ConfigError) {
    const head = sayTo(io, messageOf('settings_not_right'))
    return [head, ...error.problems.map((problem) => sayWithCode(problem, languageOf(io.env)))].join('\n  - ')
  }
  if (error instanceof ExplainedError) return error.in(languageOf(io.env), sayWithCode)
  if (error instanceof LoginBundleError) return error.message
  const problem = ofSystem(error, io)
  return problem && sayWithCode(problem, languageOf(io.env))
}

function ofSystem(error: unknown, { env }: CommandIo): Message | null {
  if (!(error instanceof Error) || !('code' in error)) return null
  const port = 'port' in error ? String(error.port) : ''
  switch (error.code) {
    case 'EADDRINUSE':
      return messageOf(port === env.SEKISHO_METRICS_PORT?.trim() ? 'metrics_port_taken' : 'port_taken', port)
    case 'EACCES':
      return messageOf('not_permitted', error.message)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND': // a name that could be one of this machine and is none
      return messageOf('no_such_address')
    case 'ERR_MODULE_NOT_FOUND':
      return messageOf('no_packages', error.message)
    case 'ERR_SQLITE_ERROR':
      return messageOf('no_session_store', error.message)
    default:
      return null
  }
}
