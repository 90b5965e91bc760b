export { readPolicy } from './access/policy.ts'
export { readPolicyText } from './access/policy-source.ts'
export type { Gate, GateDependencies } from './app.ts'
export { type GateConfig, type Mode, readConfig } from './config/read-config.ts'
export { readRetention } from './config/retention.ts'
export { ConfigError, SETTINGS } from './config/settings.ts'
export { readStorePlace } from './config/store-place.ts'
export { type DataFolder, DataFolderError, DEFAULT_DATA_DIR, dataFolderAt } from './data-folder.ts'
export { type PageOpinion, readFeedbackReport } from './feedback/feedback-report.ts'
export { createTrustedProxies, withClientAddress } from './http/client-address.ts'
export { jsonResponse, problem } from './http/problem.ts'
export { secureHeaders } from './http/secure-headers.ts'
export { createRefusalResponse } from './http/wire-refusals.ts'
export { createHelperProxy } from './identity/helper-proxy.ts'
export { type LoginBundle, LoginBundleError, readLoginBundle } from './login-page/login-bundle.ts'
export { answerLoginAsset, createLoginPage } from './login-page/login-page.ts'
export { type RunningGate, sessionContextOf, startGate } from './main.ts'
export { exportPlaces } from './observability/audit-export.ts'
export { fingerprintOf, openAuditKey } from './observability/audit-key.ts'
export type { AuditVerdict } from './observability/audit-verify.ts'
export {
  exportFolderTrail,
  openFolderTrail,
  readPublicKey,
  verifyExport,
  verifyFolderTrail,
} from './observability/folder-trail.ts'
export { createLogOutput, type LogOutput } from './observability/log-output.ts'
export { type OperatorAct, readOperator, recordOperatorAct } from './observability/operator-acts.ts'
export { openQueryLog } from './search-api/query-log.ts'
export { type QueryCount, readSearchReport, type SearchReport } from './search-api/search-report.ts'
export { openReleases } from './serving/open-releases.ts'
export { createSeal } from './sessions/seal.ts'
export {
  openSessionStore,
  type RevocationFilter,
  type SessionContext,
  type SessionStore,
} from './sessions/session-store.ts'
export { createSessions } from './sessions/sessions.ts'
