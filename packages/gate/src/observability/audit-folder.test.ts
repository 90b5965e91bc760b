import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AuditStoreFixture, describeAuditStore } from '../testing/audit-store-contract.ts'
import { openAuditFolder } from './audit-folder.ts'
import { openAuditKey } from './audit-key.ts'
import { readAuditFolder } from './audit-source.ts'

async function createFolder(): Promise<AuditStoreFixture> {
  const root = await mkdtemp(join(tmpdir(), 'sekisho-audit-store-'))
  const places = { lines: join(root, 'audit'), heads: join(root, 'audit-heads') }
  const fixture: AuditStoreFixture = {
    key: openAuditKey(join(root, 'key.pem')),
    nowMs: Date.parse('2026-11-21T00:00:00Z'),
    open: async (chain) => openAuditFolder({ places, chain, now: () => fixture.nowMs }),
    source: readAuditFolder(places),
    async cutLastLine(chain) {
      const name = (await readdir(places.lines)).filter((file) => file.startsWith(chain)).at(-1) ?? ''
      const text = await readFile(join(places.lines, name), 'utf8')
      await writeFile(join(places.lines, name), text.replace(/[^\n]+\n$/, ''))
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  }
  return fixture
}

describeAuditStore('a folder', createFolder)
