import { DatabaseSync } from 'node:sqlite'

/** How long a commit takes that something was written in; what only reads is as quick as ever. */
const SYNC_MS = Number(process.env.SEKISHO_TEST_SYNC_MS ?? 2_000)

/** A thread of the session store over a disk that takes its time: it sleeps, as a thread in `fsync` does. */
const exec = DatabaseSync.prototype.exec
DatabaseSync.prototype.exec = function slow(this: DatabaseSync, sql: string): void {
  const isSynced = this.prepare('PRAGMA synchronous').get()?.synchronous === 2
  if (sql === 'COMMIT' && isSynced) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SYNC_MS)
  exec.call(this, sql)
}

await import('../sessions/sqlite/thread.ts')
