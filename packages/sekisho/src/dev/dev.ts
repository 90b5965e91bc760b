import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ReleaseError } from '@sekisho/release'
import { findDocusaurus } from '../build/site-builder.ts'
import { type RunCommand, readOptions } from '../command.ts'
import { choose, type Text } from '../language.ts'
import { findSite, SiteError } from '../site/find-site.ts'
import { PROBLEMS_FILE, startDevSearch } from './dev-search.ts'

const HELP: Text = {
  ja: `使い方: sekisho dev [--site DIR]

執筆者のために Docusaurus を起動します。保存するとすぐに反映されます（このマシンだけ、ゲートなし）。
検索は、裏で一度サイトを作り終えると使えます。ポートを 3000 から変えるには PORT を設定します。

  --site DIR  Docusaurus のサイト（既定: 今いるフォルダーのサイト、または下にある 1 つ）
  --help      この説明を表示する`,
  en: `Usage: sekisho dev [--site DIR]

Runs Docusaurus with hot reload for writers: on loopback, without the gate. Search works as soon as the site has been
built once in the background. PORT names another port than 3000.

  --site DIR  the Docusaurus site (default: the one this folder belongs to, or the only one below it)
  --help      show this text`,
}

/** Runs `sekisho dev` until it is stopped. */
export const runDev: RunCommand = async (args, io) => {
  const read = readOptions(args, io, { help: choose(io, HELP), options: { site: { type: 'string' } } })
  if (!read.ok) return read.exitCode
  try {
    const { dir } = findSite(io.cwd, read.values.site)
    const where = ['--host', '127.0.0.1', '--port', io.env.PORT ?? '3000', '--no-open']
    const docusaurus = findDocusaurus(dir)
    const stopping = new AbortController()
    const { signal } = stopping
    const search = await startDevSearch({ siteDir: dir, env: io.env, print: io.print, signal })
    const env = {
      ...io.env,
      SEKISHO_DEV_SEARCH: search.origin,
      SEKISHO_DEV_PROBLEMS: join(dir, PROBLEMS_FILE),
    }
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
