import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { dataFolderAt } from '../../storage/data-folder.ts'
import { openAuditKey } from '../chain/audit-key.ts'
import { readAuditFolder } from '../files/audit-source.ts'
import { openFolderTrail, readPublicKey, verifyExport } from '../folder-trail.ts'
import { exportAudit } from './audit-export.ts'

const MINUTE_MS = 60_000

it('an exported part of the trail is verified elsewhere with the public key, and shows what was altered or cut', async () => {
  const folder = dataFolderAt(mkdtempSync(join(tmpdir(), 'sekisho-export-')))
  onTestFinished(() => rmSync(folder.root, { recursive: true }))
  const startMs = Date.parse('2026-11-30T23:00:00Z')
  let nowMs = startMs
  const now = () => nowMs
  const trail = await openFolderTrail(folder, {
    now,
    onFailure(error) {
      throw error
    },
  })
  for (let count = 1; count <= 24; count += 1) {
    trail.record('signed_out', { session: `s${count}` })
    nowMs += MINUTE_MS
  }
  await trail.close()
  const out = join(folder.root, 'export')
  const chains = await exportAudit({
    ...{ source: readAuditFolder(folder.audit), key: openAuditKey(folder.auditKey) },
    ...{ fromMs: startMs + 5 * MINUTE_MS, toMs: startMs + 20 * MINUTE_MS, out, now },
  })
  expect(chains).toMatchObject([{ chain: 'gate', firstSeq: 6, head: { seq: 20 } }])
  const publicKey = readPublicKey(join(out, 'audit-public-key.pem'))
  const check = async () =>
    (await verifyExport(out, publicKey, {})).problems.map(({ problem }) => String(problem))
  expect(await check()).toEqual([])
  const file = join(out, 'audit', 'gate-000001.jsonl')
  const whole = readFileSync(file, 'utf8')
  for (const [change, said] of [
    [whole.replace('"s8"', '"s9"'), 'the line was altered'],
    [whole.replace(/[^\n]+\n$/, ''), 'lines 20 to 20 are missing at its end'],
    [whole.split('\n').slice(2).join('\n'), 'lines 6 to 6 are missing at its beginning'],
  ] as const) {
    writeFileSync(file, change)
    expect((await check()).join(), said).toContain(said)
  }
  writeFileSync(file, whole)
  const stranger = openAuditKey(join(folder.root, 'other.pem')).publicKey
  expect((await verifyExport(out, stranger, {})).ok).toBe(false)
})
