import { existsSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { workerData } from 'node:worker_threads'

/** A thread of a store that ends, once, before a commit while there is a file that says so beside the database. */
const exec = DatabaseSync.prototype.exec
DatabaseSync.prototype.exec = function crashing(this: DatabaseSync, sql: string): void {
  const order = `${workerData.file}.crash`
  if (sql === 'COMMIT' && existsSync(order)) {
    rmSync(order)
    process.exit(1)
  }
  exec.call(this, sql)
}

await import('../stores/store-thread.ts')
