import { createServer } from 'node:net'
import { runBuild } from './build/build.ts'
import {
  type CommandIo,
  DATA_DIR,
  dataDirHelp,
  type RunCommand,
  readDataFolder,
  readOptions,
} from './command.ts'
import { choose, type Text } from './language.ts'
import { runServe } from './serve.ts'
import { findSite, SiteError } from './site/find-site.ts'

const HELP: Text = {
  ja: `使い方: sekisho start [--site DIR] [--data-dir DIR]

サイトを作り、リリースにまとめ、このマシンだけで使えるログインを付けて配信します。Firebase のプロジェクトもネットワークも不要です。
ポートを 3000 から変えるには PORT を設定します。

  --site DIR      Docusaurus のサイト（既定: 今いるフォルダーのサイト、または下にある 1 つ）
${dataDirHelp(16, 'ja')}
  --help          この説明を表示する`,
  en: `Usage: sekisho start [--site DIR] [--data-dir DIR]

Builds the site, packs a release and serves it on this machine with a sign-in of its own: no Firebase project, no network.
PORT names another port than 3000.

  --site DIR      the Docusaurus site (default: the one this folder belongs to, or the only one below it)
${dataDirHelp(16, 'en')}
  --help          show this text`,
}

/** Runs `sekisho start` until a signal ends it. */
export const runStart: RunCommand = async (args, io) => {
  const read = readOptions(args, io, {
    help: choose(io, HELP),
    options: { site: { type: 'string' }, ...DATA_DIR },
  })
  if (!read.ok) return read.exitCode
  try {
    const site = findSite(io.cwd, read.values.site)
    const { root } = readDataFolder(read.values['data-dir'], io)
    const obstacle = await findPortObstacle(io)
    if (obstacle !== null) throw new SiteError(obstacle)
    io.print(choose(io, { ja: `${site.dir} を作っています`, en: `Building ${site.dir}` }))
    const built = await runBuild(['--site', site.dir, '--data-dir', root], io)
    if (built !== 0) return built
    io.print(
      choose(io, {
        ja: 'ゲートと、このマシン用のログインを起動しています',
        en: 'Starting the gate and the local identity service',
      }),
    )
    return await runServe(['--local'], { ...io, env: { ...io.env, SEKISHO_DATA_DIR: root } })
  } catch (error) {
    if (!(error instanceof SiteError)) throw error
    io.complain(`sekisho start: ${error.message}`)
    return 1
  }
}

/** Asked before anything is built: nobody should wait a minute to hear that the port is taken. */
function findPortObstacle(io: CommandIo): Promise<string | null> {
  const port = Number(io.env.SEKISHO_PORT ?? io.env.PORT ?? 3000)
  const probe = createServer()
  return new Promise((resolve) => {
    probe.once('error', () =>
      resolve(
        choose(io, {
          ja: `ポート ${port} は使えません。使っているものを止めるか、PORT=${port + 1} のように別のポートにしてください`,
          en: `port ${port} cannot be used: stop what uses it, or name another one, as in PORT=${port + 1}`,
        }),
      ),
    )
    probe.listen({ port, host: '127.0.0.1' }, () => probe.close(() => resolve(null)))
  })
}
