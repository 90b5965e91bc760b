import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isErrno, ReleaseError, writeDurably } from '@sekisho/release'

/** Held while a site is built: two builds would write the same `build` folder. */
export async function lockBuild(dataDir: string): Promise<AsyncDisposable> {
  const file = join(dataDir, 'build.lock')
  await mkdir(dataDir, { recursive: true })
  if (!(await take(file))) {
    const holder = Number(await readFile(file, 'utf8').catch(() => ''))
    if (isRunning(holder)) {
      throw new ReleaseError('build_locked', [`another sekisho build is running here (process ${holder})`])
    }
    // Its process is gone: it was killed before it could take the lock away.
    await rm(file, { force: true })
    if (!(await take(file)))
      throw new ReleaseError('build_locked', ['another sekisho build has just begun here'])
  }
  return { [Symbol.asyncDispose]: () => rm(file, { force: true }) }
}

async function take(file: string): Promise<boolean> {
  try {
    await writeDurably(file, Buffer.from(`${process.pid}\n`))
    return true
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false
    throw error
  }
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
