export { admittingEditions, chooseEdition } from './access/choose-edition.ts'
export {
  type AccessPolicy,
  admits,
  groupsOf,
  holds,
  refusalOf,
  type VouchedAccount,
} from './access/policy.ts'
export { digestOfRules, readRules, writeRules } from './access/policy-rules.ts'
export { readPolicyText } from './access/policy-source.ts'
export { readGrantSetting, readRetention } from './config/command-settings.ts'
export { readDatabaseUrlOnly } from './config/database-url.ts'
export type { GateConfig, Mode } from './config/gate-config.ts'
export { readConfig, readPolicyOnly } from './config/read-config.ts'
export { readSecretsOnly } from './config/secret-settings.ts'
export { ConfigError } from './config/settings.ts'
export { SETTING_GROUPS, SETTINGS, type SettingKind, type SettingRow } from './config/settings-table.ts'
export { readStorePlace } from './config/store-place.ts'
export { LoginBundleError, readLoginBundle } from './endpoints/sign-in/login-bundle.ts'
export { SETTING_TEXTS } from './texts/index.ts'
