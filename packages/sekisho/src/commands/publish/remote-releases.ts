import { createMessages, type Message } from '@sekisho/contract/language'
import { releaseBefore } from '@sekisho/release'
import { type CommandIo, misuse } from '../../command.ts'
import { formatTime, sayTo } from '../../language.ts'
import { TEXTS } from '../../texts/index.ts'
import { findCredentials } from './credentials.ts'
import { connectPortal, type PortalClient, PortalError } from './portal-client.ts'
import { readPortalOrigin, reportOthers } from './publish.ts'

const messageOf = createMessages(TEXTS, 'publishing')

interface Asked {
  readonly to: string
  readonly action: string | undefined
  readonly id: string | undefined
  readonly widen: boolean
}

/** Runs `sekisho releases … --to ORIGIN`. */
export async function runRemoteReleases(
  { to, action, id, widen }: Asked,
  io: CommandIo,
  help: Message,
): Promise<number> {
  const origin = readPortalOrigin(to)
  const isKnown = action === 'rollback' || (action === 'list' && id === undefined)
  if (origin === null || !isKnown) return misuse(io, help)
  const credentials = findCredentials(io, origin)
  const portal = await connectPortal({ origin, credentials, target: 'production' })
  if (action === 'list') await list(portal, io)
  else await rollBack(portal, { id, widen }, io)
  return 0
}

async function list(portal: PortalClient, io: CommandIo): Promise<void> {
  const { served, releases } = await portal.releases()
  for (const { id, createdAtMs } of releases)
    io.print(`${id === served ? '*' : ' '} ${id}  ${formatTime(createdAtMs)}`)
}

async function rollBack(
  portal: PortalClient,
  { id: wanted, widen }: Pick<Asked, 'id' | 'widen'>,
  io: CommandIo,
): Promise<void> {
  const { served, releases } = await portal.releases()
  const id = wanted ?? releaseBefore(releases, served)
  if (id === undefined) throw new PortalError(messageOf('no_earlier_release'))
  const answer = await portal.use({ id, ...(widen && { widen }) })
  io.print(sayTo(io, messageOf('release_served_instead', id, served)))
  reportOthers(answer, io)
}
