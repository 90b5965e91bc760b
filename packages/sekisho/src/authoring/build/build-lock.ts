import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createMessages } from '@sekisho/contract/language'
import { isErrno, ReleaseError, writeDurably } from '@sekisho/release'
import { TEXTS } from '../../texts/index.ts'

const messageOf = createMessages(TEXTS, 'build')

/** Held while a site is built: two builds would write the same `build` folder. */
export async function lockBuild(dataDir: string): Promise<AsyncDisposable> {
  const file = join(dataDir, 'build.lock')
  await mkdir(dataDir, { recursive: true })
  if (!(await take(file))) {
    const holder = (await readFile(file, 'utf8').catch(() => '')).trim()
    const pid = Number.parseInt(holder, 10)
    if (holder === (await nameOf(pid))) {
      throw new ReleaseError('build_locked', [messageOf('build_running', pid)])
    }
    // Its process is gone: it was killed before it could take the lock away.
    await rm(file, { force: true })
    if (!(await take(file))) throw new ReleaseError('build_locked', [messageOf('build_begun')])
  }
  return { [Symbol.asyncDispose]: () => rm(file, { force: true }) }
}

async function take(file: string): Promise<boolean> {
  try {
    await writeDurably(file, Buffer.from(`${await nameOf(process.pid)}\n`))
    return true
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false
    throw error
  }
}

/**
 * Identifies a running process by number, boot and start time, since numbers recur, in containers with every start. Null without such a
 * process; outside Linux the number must suffice.
 */
async function nameOf(pid: number): Promise<string | null> {
  if (!isRunning(pid)) return null
  if (process.platform !== 'linux') return `${pid} - -`
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  if (stat === null) return null
  const bootId = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
  const startTicks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] // field 22 of proc_pid_stat(5)
  return `${pid} ${bootId.trim()} ${startTicks}`
}

function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return isErrno(error, 'EPERM')
  }
}
