import { existsSync, readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'

/** Preloaded into a gate and its threads: each sync of a file, and each commit that waits for one, takes as many milliseconds as a file says, once it is there. */
const FILE = process.env.SEKISHO_TEST_SYNC_MS_FILE ?? ''
const syncMs = () => (existsSync(FILE) ? Number(readFileSync(FILE, 'utf8')) : 0)

const handle = await open('/dev/null')
const prototype = Object.getPrototypeOf(handle)
await handle.close()
for (const name of ['sync', 'datasync']) {
  prototype[name] = () => new Promise<void>((resolve) => setTimeout(resolve, syncMs()))
}

const exec = DatabaseSync.prototype.exec
DatabaseSync.prototype.exec = function slow(this: DatabaseSync, sql: string): void {
  const isSynced = sql === 'COMMIT' && this.prepare('PRAGMA synchronous').get()?.synchronous === 2
  if (isSynced) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, syncMs()) // as a thread sleeps in fsync
  exec.call(this, sql)
}
