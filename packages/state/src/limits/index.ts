export { ACCOUNT_LIMIT, addressKey, createRateLimit, type RateLimit } from './rate-limit.ts'
