import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { createMessages, type Message } from '@sekisho/contract/language'
import { type CommandIo, defineCommand, misuse } from '../../command.ts'
import { languageOf } from '../../language.ts'
import { findSite } from '../../site/find-site.ts'
import { TEXTS } from '../../texts/index.ts'
import { findDocusaurus } from '../build/site-builder.ts'
import { createSiteOutput } from '../build/site-output.ts'
import { readEditions, type SiteEditions } from '../editions/read-editions.ts'
import { openDevEditions } from './dev-editions.ts'
import { startDevSearch } from './dev-search.ts'

const messageOf = createMessages(TEXTS, 'site')

const HELP: Message = messageOf('dev_help')

/** Runs `sekisho dev` until it is stopped. */
export const runDev = defineCommand(
  {
    name: 'dev',
    help: HELP,
    options: { site: { type: 'string' }, edition: { type: 'string' }, locale: { type: 'string' } },
  },
  async (read, io) => {
    const { locale } = read.values
    const { dir } = findSite(io.cwd, read.values.site)
    const editions = await readEditions(dir)
    let shown = read.values.edition ?? null
    for (;;) {
      if (shown !== null && !editions?.editions.some(({ name }) => name === shown))
        return misuse(io, HELP, messageOf('no_edition', shown))
      const end = await runSite(dir, { editions, shown, locale }, io)
      if ('exitCode' in end) return end.exitCode
      shown = end.choose
    }
  },
)

interface Shown {
  /** Null on a site that does not tell its readers apart. */
  readonly editions: SiteEditions | null
  /** The edition that the writer looks at; null for all pages. */
  readonly shown: string | null
  /** The default one where undefined. */
  readonly locale: string | undefined
}

/** Runs the development server until it ends, or until another edition is to be shown. */
async function runSite(
  dir: string,
  { editions, shown, locale }: Shown,
  io: CommandIo,
): Promise<{ readonly exitCode: number } | { readonly choose: string | null }> {
  const language = locale === undefined ? [] : ['--locale', locale]
  const where = ['--host', '127.0.0.1', '--port', io.env.PORT ?? '3000', '--no-open', ...language]
  const docusaurus = findDocusaurus(dir)
  const stopping = new AbortController()
  const { signal } = stopping
  const { env, print } = io
  let chosen: { readonly choose: string | null } | null = null
  const restart = new AbortController()
  const writing = editions && (await openDevEditions({ siteDir: dir, editions, shown, env, signal }))
  const choose = (name: string | null) => {
    chosen = { choose: name }
    restart.abort()
  }
  const siteDir = writing?.siteDir ?? dir
  const choice = writing && { describe: writing.describe, choose }
  const search = await startDevSearch({ siteDir, env, print, signal, editions: choice })
  void writing?.follow(search.tellEditions)
  const variables = {
    ...writing?.variables,
    ...(writing !== null && { SEKISHO_DEV_EDITIONS: 'on' }),
    SEKISHO_DEV_SEARCH: search.url.origin,
    SEKISHO_SITE_LANGUAGE: languageOf(env), // until the site says its own
  }
  try {
    const exitCode = await runServer([docusaurus, 'start', ...(writing?.options ?? []), ...where], {
      siteDir,
      env: { ...env, ...variables },
      onLine: print,
      onFailure: search.tellFailures,
      restart: restart.signal,
    })
    return chosen ?? { exitCode }
  } finally {
    stopping.abort()
  }
}

/** Delay of a mistake's report after its last line: Docusaurus prints each at once. */
const SILENCE_MS = 100

interface ServerOptions {
  readonly siteDir: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly onLine: (line: string) => void
  readonly onFailure: (explained: readonly string[]) => void
  readonly restart: AbortSignal
}

/** Runs the development server, and tells what it says; a signal sent to this process alone must reach it too. */
function runServer(args: readonly string[], { restart, ...options }: ServerOptions): Promise<number> {
  const { siteDir, env } = options
  const child = spawn(process.execPath, args, { cwd: siteDir, env, stdio: ['inherit', 'pipe', 'pipe'] })
  const output = createSiteOutput({ ...options, silenceMs: SILENCE_MS })
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', output.hear)
  const end = () => void child.kill('SIGTERM')
  restart.addEventListener('abort', end)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      output.end()
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, end)
      resolve(code ?? 1)
    })
  })
}
