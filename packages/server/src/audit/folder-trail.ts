import { createPublicKey, type KeyObject } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import type { DataFolder } from '../storage/data-folder.ts'
import { openAuditKey, readAuditKey } from './chain/audit-key.ts'
import { GATE_CHAIN, openAuditFolder } from './files/audit-folder.ts'
import { readAuditFolder } from './files/audit-source.ts'
import { exportPlaces } from './reading/audit-export.ts'
import { type AuditExpectations, type AuditVerdict, verifyAudit } from './reading/audit-verify.ts'
import { type AuditOptions, type AuditTrail, openAuditTrail } from './writing/audit-trail.ts'

/** Location of the audit trail in a data folder. */
type TrailFolder = Pick<DataFolder, 'audit' | 'auditKey'>

/** Opens the gate's own chain in a data folder that no other gate uses, and makes the key at the first start. */
export function openFolderTrail(
  folder: TrailFolder,
  options: Omit<AuditOptions, 'chain' | 'store' | 'key'>,
): Promise<AuditTrail> {
  const store = openAuditFolder({ places: folder.audit, chain: GATE_CHAIN, now: options.now })
  return openAuditTrail({ ...options, chain: GATE_CHAIN, store, key: openAuditKey(folder.auditKey) })
}

/** Reads the public key that came with an export, or any other in PEM. */
export function readPublicKey(file: string): KeyObject {
  return createPublicKey(readFileSync(file))
}

/** Verifies an export by a public key: the one that came with it shows only that nothing changed since. */
export function verifyExport(
  folder: string,
  publicKey: KeyObject,
  expected: Pick<AuditExpectations, 'heads' | 'firsts' | 'onProgress'>,
): Promise<AuditVerdict> {
  return verifyAudit(readAuditFolder(exportPlaces(folder).audit), { ...expected, publicKey, isExport: true })
}

/** Verifies the trail of a data folder, also beside a running gate. */
export function verifyFolderTrail(
  folder: TrailFolder,
  expected: Partial<AuditExpectations> = {},
): Promise<AuditVerdict> {
  const publicKey = existsSync(folder.auditKey) ? readAuditKey(folder.auditKey).publicKey : null
  return verifyAudit(readAuditFolder(folder.audit), { publicKey, ...expected })
}
