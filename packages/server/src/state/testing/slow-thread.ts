import { DatabaseSync, StatementSync } from 'node:sqlite'

/** Duration of a commit with writes; reads are as quick as ever. */
const SYNC_MS = Number(process.env.SEKISHO_TEST_SYNC_MS ?? 2_000)

/** A thread of a store over a disk that takes its time: it sleeps, as a thread in `fsync` does. */
const { exec, prepare } = DatabaseSync.prototype
function syncSlowly(db: DatabaseSync): void {
  const isSynced = prepare.call(db, 'PRAGMA synchronous').get()?.synchronous === 2
  if (isSynced) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SYNC_MS)
}
DatabaseSync.prototype.exec = function slow(this: DatabaseSync, sql: string): void {
  if (sql === 'COMMIT') syncSlowly(this)
  exec.call(this, sql)
}
/** A statement that writes outside of a transaction is one by itself. */
DatabaseSync.prototype.prepare = function slow(this: DatabaseSync, sql: string) {
  const statement = prepare.call(this, sql)
  if (/^\s*SELECT\b/.test(sql)) return statement
  const slowly =
    (method: 'run' | 'all') =>
    (...args: unknown[]) => {
      if (!this.isTransaction) syncSlowly(this)
      return Reflect.apply(StatementSync.prototype[method], statement, args)
    }
  return Object.assign(statement, { run: slowly('run'), all: slowly('all') })
}

await import('../stores/store-thread.ts')
