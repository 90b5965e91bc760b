/** What other packages may use of the gate: the handler, the whole server, and reading its settings. */
export { createGate, type Gate, type GateDependencies } from './app.ts'
export { type GateConfig, type Mode, readConfig } from './config/read-config.ts'
export { ConfigError } from './config/settings.ts'
export { canonicalPath, encodePath } from './http/canonical-path.ts'
export { type RunningGate, startGate } from './main.ts'
export { type AuditVerdict, verifyAudit } from './observability/audit-chain.ts'
