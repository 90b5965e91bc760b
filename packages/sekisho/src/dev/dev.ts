import { spawn } from 'node:child_process'
import { createMessages, type Message } from '@sekisho/contract/language'
import { ReleaseError } from '@sekisho/release'
import { findDocusaurus } from '../build/site-builder.ts'
import { type RunCommand, readOptions } from '../command.ts'
import { sayTo } from '../language.ts'
import { findSite, SiteError } from '../site/find-site.ts'
import { TEXTS } from '../texts/index.ts'
import { startDevSearch } from './dev-search.ts'

const messageOf = createMessages(TEXTS, 'site')

const HELP: Message = messageOf('dev_help')

/** Runs `sekisho dev` until it is stopped. */
export const runDev: RunCommand = async (args, io) => {
  const read = readOptions(args, io, { help: sayTo(io, HELP), options: { site: { type: 'string' } } })
  if (!read.ok) return read.exitCode
  try {
    const { dir } = findSite(io.cwd, read.values.site)
    const where = ['--host', '127.0.0.1', '--port', io.env.PORT ?? '3000', '--no-open']
    const docusaurus = findDocusaurus(dir)
    const stopping = new AbortController()
    const { signal } = stopping
    const search = await startDevSearch({ siteDir: dir, env: io.env, print: io.print, signal })
    const env = { ...io.env, SEKISHO_DEV_SEARCH: search.origin }
    try {
      return await runHere([docusaurus, 'start', ...where], { cwd: dir, env })
    } finally {
      stopping.abort()
    }
  } catch (error) {
    if (!(error instanceof SiteError || error instanceof ReleaseError)) throw error
    io.complain(`sekisho dev: ${error.message}`)
    return 1
  }
}

/** Runs a program of Node with this terminal as its own; a signal sent to this process alone must reach it too. */
function runHere(
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<number> {
  const child = spawn(process.execPath, args, { ...options, stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}
