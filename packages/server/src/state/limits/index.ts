export type { DailySum } from './daily-sum.ts'
export {
  ACCOUNT_LIMIT,
  accountKey,
  addressKey,
  createRateLimit,
  type RateLimit,
  REGISTRATION_LIMIT,
} from './rate-limit.ts'
