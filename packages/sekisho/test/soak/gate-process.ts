import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dataFolderAt, openFolderTrail } from '@sekisho/gate'
import { listenFixtureGate } from '../support/fixture-gate.ts'

/** The gate under soak, in a process of its own; answers each message with its memory after a collection. */
const folder = mkdtempSync(join(tmpdir(), 'sekisho-soak-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const onFailure = (error: unknown) => console.error(error)
const audit = await openFolderTrail(dataFolderAt(folder), { now: Date.now, onFailure })
// The fixture keeps every exchange for tests to look at; that would look like a leak here.
const gate = await listenFixtureGate({ audit, observe: () => {} })
const cookies = await Promise.all(Array.from({ length: 8 }, () => gate.signIn()))
process.on('message', () => {
  globalThis.gc?.()
  const { heapUsed, rss, external } = process.memoryUsage()
  process.send?.({ heapMb: (heapUsed + external) / 1e6, rssMb: rss / 1e6 })
})
process.once('disconnect', () => void gate[Symbol.asyncDispose]().then(() => process.exit(0)))
process.send?.({ port: gate.port, cookies, paths: [...gate.edition.files.keys()] })
