export { SecretError, type SecretInUse, type SecretRecord, type Secrets } from './secrets.ts'
