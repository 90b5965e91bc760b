export { readPolicy } from './access/policy.ts'
export { readPolicyText } from './access/policy-source.ts'
export type { Gate, GateDependencies } from './app.ts'
export { readDatabaseUrlOnly } from './config/database-url.ts'
export { readGrantSetting } from './config/grant-setting.ts'
export { type GateConfig, type Mode, readConfig, readSecretOnly } from './config/read-config.ts'
export { readRetention } from './config/retention.ts'
export { ConfigError, SETTINGS } from './config/settings.ts'
export { readStorePlace } from './config/store-place.ts'
export { type DataFolder, DataFolderError, DEFAULT_DATA_DIR, dataFolderAt } from './data-folder.ts'
export { type PageReport, readFeedbackReport } from './feedback/feedback-report.ts'
export { createFeedbackFiles } from './feedback/feedback-store.ts'
export { UnavailableError } from './http/boundary.ts'
export { createTrustedProxies, withClientAddress } from './http/client-address.ts'
export { jsonResponse, problem } from './http/problem.ts'
export { secureHeaders } from './http/secure-headers.ts'
export { createRefusalResponse } from './http/wire-refusals.ts'
export { createHelperProxy } from './identity/helper-proxy.ts'
export { type LoginBundle, LoginBundleError, readLoginBundle } from './login-page/login-bundle.ts'
export { answerLoginAsset, createLoginPage } from './login-page/login-page.ts'
export { type RunningGate, sessionContextOf, startGate } from './main.ts'
export { type ExportedChain, exportAudit, exportPlaces } from './observability/audit-export.ts'
export { type AuditKey, deriveAuditKey, fingerprintOf, openAuditKey } from './observability/audit-key.ts'
export { type AuditVerdict, verifyAudit } from './observability/audit-verify.ts'
export {
  exportFolderTrail,
  openFolderTrail,
  readPublicKey,
  verifyExport,
  verifyFolderTrail,
} from './observability/folder-trail.ts'
export { createLogOutput, type LogOutput } from './observability/log-output.ts'
export {
  appendOperatorAct,
  OPERATOR_CHAIN,
  type OperatorAct,
  readOperator,
  recordOperatorAct,
} from './observability/operator-acts.ts'
export { type OpenStoresOptions, openStores, type Stores } from './open-stores.ts'
export { DatabaseError } from './postgres/database.ts'
export { migrateDatabase } from './postgres/migrate.ts'
export { GATE_GRANTS } from './postgres/schema.ts'
export { digestOf as digestOfPublishToken } from './publishing/admit-publisher.ts'
export { createFileSearchLog } from './search-api/file-search-log.ts'

export { openQueryLog } from './search-api/query-log.ts'
export type { SearchLogStore } from './search-api/search-log-store.ts'
export { type QueryCount, readSearchReport, type SearchReport } from './search-api/search-report.ts'
export { openReleases } from './serving/open-releases.ts'
export { createSeal } from './sessions/seal.ts'
export type { RevocationFilter, SessionContext, SessionStore } from './sessions/session-store.ts'
export { createSessions } from './sessions/sessions.ts'
export { openSqliteSessions } from './sessions/sqlite-session-store.ts'
