import { createServer } from 'node:net'
import { createMessages, type Message } from '@sekisho/contract/language'
import { runBuild } from '../authoring/build/build.ts'
import { type CommandIo, DATA_DIR, dataDirHelp, defineCommand, readDataFolder } from '../command.ts'
import { sayTo } from '../language.ts'
import { findSite, SiteError } from '../site/find-site.ts'
import { TEXTS } from '../texts/index.ts'
import { runServe } from './serve.ts'

const messageOf = createMessages(TEXTS, 'serve')

const HELP: Message = messageOf('start_help', dataDirHelp(16))

const OPTIONS = { site: { type: 'string' }, ...DATA_DIR } as const

/** Runs `sekisho start` until a signal ends it. */
export const runStart = defineCommand({ name: 'start', help: HELP, options: OPTIONS }, async (read, io) => {
  const site = findSite(io.cwd, read.values.site)
  const { root } = readDataFolder(read.values['data-dir'], io)
  const obstacle = await findPortObstacle(io)
  if (obstacle !== null) throw new SiteError(obstacle)
  io.print(sayTo(io, messageOf('building', site.dir)))
  const built = await runBuild(['--site', site.dir, '--data-dir', root], io)
  if (built !== 0) return built
  io.print(sayTo(io, messageOf('starting_gate_local')))
  return runServe(['--local'], { ...io, env: { ...io.env, SEKISHO_DATA_DIR: root } })
})

/** Checks the port before building: a taken one is then reported at once. */
export function findPortObstacle(io: CommandIo): Promise<Message | null> {
  const port = Number(io.env.SEKISHO_PORT ?? io.env.PORT ?? 3000)
  const probe = createServer()
  return new Promise((resolve) => {
    probe.once('error', () => resolve(messageOf('port_unusable', port)))
    probe.listen({ port, host: '127.0.0.1' }, () => probe.close(() => resolve(null)))
  })
}
