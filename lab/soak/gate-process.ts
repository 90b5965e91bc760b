import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { releasesDirOf } from '@sekisho/release'
import { packRelease } from '@sekisho/release/packing'
import { loadOnlyEdition } from '@sekisho/release/testing'
import { startGate } from '@sekisho/server'
import { createLogOutput } from '@sekisho/server/log-output'
import { readConfig } from '@sekisho/server/settings'
import { seedSessions } from '@sekisho/server/testing'
import { writeFixtureSite } from '../../packages/sekisho/test/support/fixture-site.ts'
import { CONTEXT, SECRET, SETTINGS } from '../../packages/sekisho/test/support/serving-gate.ts'

/**
 * The gate under soak, in a process of its own: as `sekisho serve` starts it, with its log on standard output, its audit trail and
 * sessions on disk. Answers each message with its memory after a collection and its open descriptors.
 */
const folder = mkdtempSync(join(tmpdir(), 'sekisho-soak-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const dataDir = join(folder, 'data')
await writeFixtureSite(join(folder, 'build'))
const { id } = await packRelease({ buildDir: join(folder, 'build'), dataDir, clock: Date.now })
const readers = Array.from({ length: 8 }, (_, n) => `reader-${n}@example.co.jp`)
const cookies = (await seedSessions(dataDir, SECRET, readers, CONTEXT)).map(
  (token) => `__Host-sekisho=${token}`,
)
const env = { ...SETTINGS, SEKISHO_DATA_DIR: dataDir, SEKISHO_PORT: '0' }
const config = readConfig(env, { mode: 'production', readFile: (path) => readFileSync(path, 'utf8') })
const gate = await startGate(config, createLogOutput(process.stdout, { now: Date.now }))
process.on('message', () => {
  globalThis.gc?.()
  const { heapUsed, rss, external } = process.memoryUsage()
  const descriptors = readdirSync('/proc/self/fd').length
  process.send?.({ heapMb: (heapUsed + external) / 1e6, rssMb: rss / 1e6, descriptors })
})
process.once('disconnect', () => void gate.close().then(() => process.exit(0)))
const { files } = await loadOnlyEdition(releasesDirOf(dataDir), id)
process.send?.({ port: gate.port, cookies, paths: [...files.keys()] })
