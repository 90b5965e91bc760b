import { existsSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Simulates a stopped disk, preloaded into a gate and its threads: once a named pipe `hung-disk` without writer is in the data folder, each
 * sync and commit hangs in the system. Unsynced writes arrive.
 */
const PIPE = join(process.env.SEKISHO_DATA_DIR ?? '', 'hung-disk')

const handle = await open('/dev/null')
const prototype = Object.getPrototypeOf(handle)
await handle.close()
for (const name of ['sync', 'datasync']) {
  const works = prototype[name]
  prototype[name] = function hang(...args: unknown[]) {
    return existsSync(PIPE) ? open(PIPE, 'r') : Reflect.apply(works, this, args)
  }
}

const exec = DatabaseSync.prototype.exec
DatabaseSync.prototype.exec = function hang(this: DatabaseSync, sql: string): void {
  if (sql === 'COMMIT' && existsSync(PIPE)) openSync(PIPE, 'r')
  exec.call(this, sql)
}
