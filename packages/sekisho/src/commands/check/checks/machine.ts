import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import type { Message } from '@sekisho/contract/language'
import type { DataFolder } from '@sekisho/server/data-folder'
import { findListener, findOpener, type Holder } from './find-holder.ts'
import { type CheckResult, found } from './finding.ts'

/** A port that a gate opens, and the setting that says which. */
interface WantedPort {
  readonly setting: string
  readonly host: string
  readonly port: number
}

/** Checks if a gate could start on this machine, by ports and folder, or if this one already runs. */
export async function checkMachine(folder: DataFolder, ports: readonly WantedPort[]): Promise<CheckResult> {
  const lock = join(folder.root, 'gate.lock')
  const running = existsSync(lock) ? findOpener(realpathSync(lock)) : null
  const taken = await Promise.all(ports.map((wanted) => findPortProblem(wanted, running)))
  const isThisOne = running !== null && ports.every(({ port }) => findListener(port)?.pid === running.pid)
  const findings = [...findFolderProblems(folder), ...taken.flat()]
  if (running !== null && !isThisOne) findings.push(found('data_folder_taken', folder.root))
  return { facts: isThisOne ? [found('saw_running', running.pid)] : [], findings }
}

async function findPortProblem(
  { setting, host, port }: WantedPort,
  running: Holder | null,
): Promise<Message[]> {
  const code = await tryToListen(host, port)
  switch (code) {
    case null:
      return []
    case 'EADDRINUSE': {
      const holder = findListener(port)
      if (holder === null) return [found('port_taken', setting, port)]
      if (holder.pid === running?.pid) return []
      return [found('port_taken_by', setting, port, holder.program, holder.pid)]
    }
    case 'EACCES':
      return [found('port_refused', setting, port)]
    default: // EADDRNOTAVAIL, ENOTFOUND and others of a name that leads nowhere
      return [found('host_unknown', host)]
  }
}

/** The code of the failure, or null when it could listen. */
function tryToListen(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve('code' in error ? String(error.code) : ''))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)))
  })
}

/** A folder that is still to be made needs a place where this user may make it. */
function findFolderProblems({ root }: DataFolder): readonly Message[] {
  let place = root
  while (!existsSync(place)) place = dirname(place)
  try {
    if (!statSync(place).isDirectory()) return [found('data_folder_unusable', root, 'ENOTDIR')]
    accessSync(place, constants.W_OK | constants.X_OK)
    return []
  } catch (error) {
    return [
      found(
        'data_folder_unusable',
        root,
        error instanceof Error && 'code' in error ? String(error.code) : '',
      ),
    ]
  }
}
