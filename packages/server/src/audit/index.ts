export type { AuditFields, Reading, ReadingEvent, SimpleEvent } from './chain/audit-event.ts'
export { type AuditKey, fingerprintOf, openAuditKey } from './chain/audit-key.ts'
export type { AuditSource } from './chain/audit-store.ts'
export { createQueryDigest } from './chain/query-digest.ts'
export { measureAuditFolder, readAuditFolder } from './files/audit-source.ts'
export {
  openFolderTrail,
  readPublicKey,
  verifyExport,
  verifyFolderTrail,
} from './folder-trail.ts'
export {
  appendOperatorAct,
  OPERATOR_CHAIN,
  type OperatorAct,
  readOperator,
  recordOperatorAct,
} from './operator-acts.ts'
export { exportAudit, exportPlaces } from './reading/audit-export.ts'
export { type AuditVerdict, verifyAudit } from './reading/audit-verify.ts'
export {
  type FollowedLines,
  type FollowNotice,
  type FollowPosition,
  readFollowing,
} from './reading/follow-trail.ts'
export { type TrimOptions, type TrimPlace, trimTrail } from './reading/trim-trail.ts'
export type { AuditTrail } from './writing/audit-trail.ts'
export type { AuditHealth } from './writing/trail-writer.ts'
