import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** A process that holds a wanted resource. */
export interface Holder {
  readonly pid: number
  readonly program: string
}

const LISTENING = '0A'

/** Listener on a TCP port of this machine; null where the system does not tell, or not this user. Linux (proc(5)). */
export function findListener(port: number): Holder | null {
  const inodes = new Set(['tcp', 'tcp6'].flatMap((table) => listeningInodes(table, port)))
  return inodes.size === 0 ? null : findHolder((target) => inodes.has(target))
}

/** Process that has a file open. */
export function findOpener(path: string): Holder | null {
  return findHolder((target) => target === path)
}

/** The inodes of sockets that listen on a port, as links to them are called. */
function listeningInodes(table: string, port: number): readonly string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0')
  return readLines(`/proc/net/${table}`).flatMap((line) => {
    const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/)
    return local.endsWith(`:${wanted}`) && state === LISTENING ? [`socket:[${inode}]`] : []
  })
}

function findHolder(isWanted: (target: string) => boolean): Holder | null {
  const processes = list('/proc').filter((name) => /^\d+$/.test(name))
  const pid = processes.find((process) =>
    list(`/proc/${process}/fd`).some((fd) => isWanted(readLink(`/proc/${process}/fd/${fd}`))),
  )
  if (pid === undefined) return null
  return { pid: Number(pid), program: readLines(`/proc/${pid}/comm`)[0] ?? '' }
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // of another user, gone meanwhile, or no Linux
  }
}

function readLink(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

function readLines(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split('\n')
  } catch {
    return []
  }
}
