export type { AuditFields, Reading, ReadingEvent, SimpleEvent } from './audit-event.ts'
export { type ExportedChain, exportAudit, exportPlaces } from './audit-export.ts'
export { type AuditKey, fingerprintOf, openAuditKey } from './audit-key.ts'
export { readAuditFolder } from './audit-source.ts'
export type { AuditSource } from './audit-store.ts'
export type { AuditHealth, AuditTrail } from './audit-trail.ts'
export { type AuditVerdict, verifyAudit } from './audit-verify.ts'
export {
  exportFolderTrail,
  openFolderTrail,
  readPublicKey,
  verifyExport,
  verifyFolderTrail,
} from './folder-trail.ts'
export { appendOperatorAct, type OperatorAct, readOperator, recordOperatorAct } from './operator-acts.ts'
export { createQueryDigest } from './query-digest.ts'
export { type TrimOptions, type TrimPlace, trimTrail } from './trim-trail.ts'
