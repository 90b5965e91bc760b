export {
  ACCOUNT_LIMIT,
  addressKey,
  createRateLimit,
  type RateLimit,
  REGISTRATION_LIMIT,
} from './rate-limit.ts'
